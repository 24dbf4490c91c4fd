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

namespace {

/// As long as the rest takes at the pace so far.
std::string time_left(std::chrono::duration<double> passed, double done) {
    if (done <= 0) return "?";
    const double seconds = passed.count() * (1.0 - done) / done;
    return seconds < 90 ? fmt::format("{:.0f} s", seconds)
                        : fmt::format("{:.0f} min", seconds / 60);
}

} // namespace

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) say("\r\033[K");
}

void ProgressLine::show(const Progress &progress) {
    if (!wanted_) return;
    const auto now = Clock::now();
    if (now - begin_ < std::chrono::seconds(2) || now - last_ < std::chrono::milliseconds(200))
        return;
    last_ = now;
    shown_ = true;
    if (progress.stage == Progress::Stage::iterate && progress.residuals != nullptr)
        say(fmt::format("\riteration {}  worst residual {:.2e}  (Ctrl-C keeps the best)\033[K",
                        progress.iteration, progress.residuals->worst()));
    else if (progress.stage == Progress::Stage::search && progress.iteration > 0)
        say(fmt::format("\rminimum {}  objective {:.6g}  (Ctrl-C keeps the best)\033[K",
                        progress.iteration, progress.objective));
    else if (progress.stage == Progress::Stage::tune)
        say(fmt::format("\r{} fits, {:3.0f} %, {} left  (Ctrl-C chooses from these)\033[K",
                        progress.iteration, 100 * progress.done,
                        time_left(now - begin_, progress.done)));
    else if (progress.stage == Progress::Stage::score)
        say(fmt::format("\rrows scored {:3.0f} %  (Ctrl-C ends with what there is)\033[K",
                        100 * progress.done));
    else if (progress.stage == Progress::Stage::near)
        say(fmt::format("\r{} rows near the margin  {} support vectors  {} violators  objective "
                        "{:.6g}\033[K",
                        progress.rows, progress.support_vectors, progress.violators,
                        progress.objective));
    else if (progress.stage == Progress::Stage::gram || progress.stage == Progress::Stage::factor)
        say(fmt::format("\r{} {:3.0f} %\033[K",
                        progress.stage == Progress::Stage::gram ? "kernel matrix" : "factoring",
                        100 * progress.done));
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
