#pragma once
/// What a user sees of a running fit, and how a fit is stopped from outside.
#include <chrono>
#include <cstdio>
#include <string>

#include "hinge0/solver.hpp"

namespace hinge0::cli {

/// From now on Ctrl-C, SIGTERM and the end of the terminal only set a flag; a second one ends the
/// program at once.
void catch_interrupts();
[[nodiscard]] bool interrupt_requested();

/// The one time limit of a command, from its start: reading and training share it.
class Deadline {
public:
    explicit Deadline(double seconds) : limit_(seconds) {}
    [[nodiscard]] double seconds() const { ///< since the start
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    [[nodiscard]] double left() const { return limit_ - seconds(); }
    [[nodiscard]] bool is_over() const { return left() <= 0; }
    /// "the time limit of 1.5 s is over"
    [[nodiscard]] std::string in_words() const;

private:
    using Clock = std::chrono::steady_clock;
    double limit_;
    Clock::time_point begin_ = Clock::now();
};

/// One line on the terminal, rewritten in place; nothing before two seconds, nothing in a pipe.
class ProgressLine {
public:
    explicit ProgressLine(bool wanted);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;
    void show(const Progress &progress);

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::string words(const Progress &progress) const;
    /// What the rest of the stage takes at its pace so far.
    [[nodiscard]] std::string time_left(double done) const;

    bool wanted_, shown_ = false;
    Clock::time_point begin_ = Clock::now(), last_ = begin_;
    Clock::time_point stage_begin_ = begin_;
    Progress::Stage stage_ = Progress::Stage::gram;
    double done_ = 0; ///< of the stage
};

/// --trace: one CSV line an iteration. Throws FileError when it cannot be opened; whether all of it
/// was written, close() tells: a trace must not stop a fit.
class TraceFile {
public:
    explicit TraceFile(const std::string &file);
    ~TraceFile();
    TraceFile(const TraceFile &) = delete;
    TraceFile &operator=(const TraceFile &) = delete;
    void write(const Progress &progress);
    void close();

private:
    void put(const std::string &text);
    [[noreturn]] void fail(const char *action, int error) const;

    std::string name_;
    std::FILE *file_ = nullptr;
    int error_ = 0; ///< errno of the first write that failed
};

} // namespace hinge0::cli
