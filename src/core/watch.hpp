#pragma once
/// The eye on one run, from its first to its last step: one deadline and one observer, which every
/// part asks. Any thread may ask; only the thread that made the Watch calls the observer, and for
/// mere questions at most every 50 ms.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

#include "hinge0/solver.hpp"

namespace hinge0 {

class Watch {
public:
    explicit Watch(Observer observer = {},
                   double time_limit = std::numeric_limits<double>::infinity())
        : observer_(std::move(observer)), time_limit_(time_limit) {}

    /// Whether to stop, with the share of a stage that is done by now.
    [[nodiscard]] bool stopped(Progress::Stage stage = Progress::Stage::search, double done = 0) {
        if (was_stopped()) return true;
        if (std::this_thread::get_id() != owner_) return false;
        const auto now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return false;
        last_ = now;
        return !tell({.stage = stage, .done = done});
    }
    /// Tells the observer at once; on the owner's thread only. False if the run is to stop.
    bool tell(const Progress &progress) {
        // What the observer throws must not leave a parallel part: it waits for rethrow().
        try {
            if (observer_ && !was_stopped() && !observer_(progress)) stop();
        } catch (...) {
            thrown_ = std::current_exception();
            stop();
        }
        if (seconds() > time_limit_ && !was_stopped()) {
            out_of_time_ = true;
            stop();
        }
        return !was_stopped();
    }
    void stop() noexcept {
        stopped_at_ = seconds();
        stopped_.store(true, std::memory_order_relaxed);
    }
    /// Lets a first result come to an end even if the run is stopped: from here on there is a
    /// moment for it. On the owner's thread only.
    void allow_a_moment() { moment_from_ = seconds(); }
    /// Stopped, and that moment is over.
    [[nodiscard]] bool stopped_for_good() {
        return stopped() && seconds() > std::max(stopped_at_, moment_from_) + moment;
    }
    [[nodiscard]] bool was_stopped() const { return stopped_.load(std::memory_order_relaxed); }
    /// Why it was stopped: the time limit, not the observer.
    [[nodiscard]] bool out_of_time() const noexcept { return out_of_time_; }
    [[nodiscard]] bool has_observer() const { return static_cast<bool>(observer_); }
    [[nodiscard]] double time_limit() const noexcept { return time_limit_; }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    /// Throws on what the observer threw.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double moment = 0.2; // seconds
    Observer observer_;
    double time_limit_;
    std::thread::id owner_ = std::this_thread::get_id();
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_{}; // long ago: the first question goes through
    double stopped_at_ = 0, moment_from_ = 0;
    std::atomic<bool> stopped_{false};
    bool out_of_time_ = false;
    std::exception_ptr thrown_;
};

} // namespace hinge0
