/// Reads what the kernel says about memory; Linux only, elsewhere nothing is refused.
#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <limits>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

double number_in(const char *file) {
    double value = std::numeric_limits<double>::infinity();
    if (std::ifstream in(file); !(in >> value)) value = std::numeric_limits<double>::infinity();
    return value;
}

double free_memory() {
    std::ifstream in("/proc/meminfo");
    for (std::string key, unit; in >> key;) {
        double kilobytes = 0;
        if (!(in >> kilobytes)) break;
        if (key == "MemAvailable:") return kilobytes * 1024;
        std::getline(in, unit);
    }
    return std::numeric_limits<double>::infinity();
}

double control_group_memory() {
    return number_in("/sys/fs/cgroup/memory.max") - number_in("/sys/fs/cgroup/memory.current");
}

[[noreturn]] void refuse(double need, double have, const char *kind, const std::string &purpose,
                         const std::string &advice) {
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    throw OutOfMemory(fmt::format("{} needs {:.3g} GiB, {:.3g} GiB are {}", purpose, need / gib,
                                  have / gib, kind),
                      advice);
}

/// The share of what is free that is taken at most: not all that is taken is counted.
constexpr double usable = 0.8;

/// Reading the system's files takes longer than filling this much.
constexpr double not_worth_asking = 16 << 20;

} // namespace

double address_space_left() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<double>::infinity();
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return static_cast<double>(limit.rlim_cur) - pages * 4096;
}

double available_memory() {
    const double group = control_group_memory(); // NaN where there is no limit: inf - inf
    const double least = std::min(free_memory(), address_space_left());
    return std::max(0.0, group < least ? group : least);
}

std::int64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{1024} * usage.ru_maxrss;
}

void return_memory_at_once() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void require_memory(double need, double limit, const std::string &purpose,
                    const std::string &advice) {
    if (limit <= 0 && need < not_worth_asking) return;
    const double have = limit > 0 ? limit : available_memory();
    if (need <= have) return;
    refuse(need, have, limit > 0 ? "allowed" : "available", purpose, advice);
}

MemoryBudget::MemoryBudget(double limit, double held)
    : limit_(limit), given_(limit > 0), taken_(held) {}

double MemoryBudget::limit() const {
    if (limit_ <= 0) limit_ = usable * available_memory() + taken_;
    return limit_;
}

bool MemoryBudget::try_take(double bytes) {
    const std::lock_guard lock(mutex_);
    const bool little = limit_ <= 0 && taken_ + bytes < not_worth_asking;
    if (!little && taken_ + bytes > limit()) return false;
    taken_ += bytes;
    return true;
}

void MemoryBudget::take(double bytes, const std::string &purpose, const std::string &advice) {
    if (try_take(bytes)) return;
    const std::lock_guard lock(mutex_);
    if (given_) refuse(taken_ + bytes, limit_, "allowed", purpose, advice); // with all that is held
    refuse(bytes, std::max(0.0, limit_ - taken_), "available", purpose, advice);
}

void MemoryBudget::give_back(double bytes) noexcept {
    const std::lock_guard lock(mutex_);
    taken_ -= bytes;
}

void MemoryBudget::allow(double limit) {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
    given_ = limit > 0;
}

double MemoryBudget::left() const {
    const std::lock_guard lock(mutex_);
    return std::max(0.0, limit() - taken_);
}

} // namespace hinge0
