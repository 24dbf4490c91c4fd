/// Terminal progress, interrupts, trace file.
#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "hinge0/error.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) { requested.store(true, std::memory_order_relaxed); }

} // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction old {};
    sigaction(SIGHUP, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr); // else started by nohup
}

bool interrupt_requested() { return requested.load(std::memory_order_relaxed); }

std::string Deadline::in_words() const {
    return fmt::format("the time limit of {:g} s is over", limit_);
}

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) say("\r\033[K");
}

void ProgressLine::show(const Progress &progress) {
    if (!wanted_) return;
    const auto now = Clock::now();
    if (progress.stage != stage_ || progress.done < done_) stage_begin_ = now;
    stage_ = progress.stage;
    done_ = progress.done;
    if (now - begin_ < std::chrono::seconds(2) || now - last_ < std::chrono::milliseconds(200))
        return;
    const std::string line = words(progress);
    if (line.empty()) return;
    last_ = now;
    shown_ = true;
    say(fmt::format("\r{}\033[K", line));
}

std::string ProgressLine::time_left(double done) const {
    if (done <= 0) return "?";
    const double passed = std::chrono::duration<double>(Clock::now() - stage_begin_).count();
    const double seconds = passed * (1.0 - done) / done;
    return seconds < 90 ? fmt::format("{:.0f} s", seconds)
                        : fmt::format("{:.0f} min", seconds / 60);
}

std::string ProgressLine::words(const Progress &progress) const {
    const double percent = 100 * progress.done;
    switch (progress.stage) {
    case Progress::Stage::iterate:
        if (progress.residuals == nullptr) return {};
        return fmt::format("iteration {}  worst residual {:.2e}  (Ctrl-C keeps the best)",
                           progress.iteration, progress.residuals->worst());
    case Progress::Stage::search:
        if (progress.iteration == 0) return {};
        return fmt::format("minimum {}  objective {:.6g}  (Ctrl-C keeps the best)",
                           progress.iteration, progress.objective);
    case Progress::Stage::tune:
        return fmt::format("{} fits, {:3.0f} %, {} left  (Ctrl-C chooses from these)",
                           progress.iteration, percent, time_left(progress.done));
    case Progress::Stage::score:
        return fmt::format("rows scored {:3.0f} %, {} left  (Ctrl-C ends with what there is)",
                           percent, time_left(progress.done));
    case Progress::Stage::near:
        return fmt::format("{} rows near the margin  {} support vectors  {} violators  objective "
                           "{:.6g}",
                           progress.rows, progress.support_vectors, progress.violators,
                           progress.objective);
    case Progress::Stage::pairs:
        return fmt::format("{} pairs of classes, {:3.0f} %, {} left", progress.iteration, percent,
                           time_left(progress.done));
    case Progress::Stage::gram:
        return fmt::format("kernel matrix {:3.0f} %, {} left", percent, time_left(progress.done));
    case Progress::Stage::factor:
        return fmt::format("factoring {:3.0f} %, {} left", percent, time_left(progress.done));
    }
    return {};
}

TraceFile::TraceFile(const std::string &file) : name_(file) {
    if (file.empty()) return;
    file_ = std::fopen(file.c_str(), "w");
    if (file_ == nullptr) fail("open", errno);
    put("iteration,objective,working_set,bias,stationarity,balance,feasibility,"
        "proximal\n");
}

TraceFile::~TraceFile() {
    if (file_ != nullptr) std::fclose(file_);
}

void TraceFile::write(const Progress &progress) {
    if (file_ == nullptr || progress.iteration == 0) return;
    std::string line = fmt::format("{},{:.17g},{},{:.17g}", progress.iteration, progress.objective,
                                   progress.support_vectors, progress.bias);
    if (const Residuals *beta = progress.residuals) // the exact solver has none on its way
        line += fmt::format(",{:.9g},{:.9g},{:.9g},{:.9g}\n", beta->stationarity, beta->balance,
                            beta->feasibility, beta->proximal);
    else
        line += ",,,,\n";
    put(line);
}

void TraceFile::close() {
    if (file_ == nullptr) return;
    if (std::fclose(std::exchange(file_, nullptr)) != 0 && error_ == 0) error_ = errno;
    if (error_ != 0) fail("write", error_);
}

void TraceFile::put(const std::string &text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() && error_ == 0)
        error_ = errno;
}

void TraceFile::fail(const char *action, int error) const {
    throw FileError(fmt::format("cannot {} ({})", action, std::strerror(error)), name_);
}

} // namespace hinge0::cli
