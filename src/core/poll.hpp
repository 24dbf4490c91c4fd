#pragma once
/// Lets long parallel work be watched and stopped: any thread may ask, only the thread that made
/// the Poll calls the observer, and at most every 50 ms.
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace hinge0 {

class Poll {
public:
    /// `go_on(done)` is told the share of the work that is done and returns false to stop.
    explicit Poll(std::function<bool(double)> go_on) : go_on_(std::move(go_on)) {}

    [[nodiscard]] bool stopped(double done) {
        if (stopped_.load(std::memory_order_relaxed)) return true;
        if (!go_on_ || std::this_thread::get_id() != owner_) return false;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return false;
        last_ = now;
        if (!go_on_(done)) stopped_.store(true, std::memory_order_relaxed);
        return stopped_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool was_stopped() const { return stopped_.load(std::memory_order_relaxed); }

private:
    std::function<bool(double)> go_on_;
    std::thread::id owner_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last_{}; // long ago: the first question goes through
    std::atomic<bool> stopped_{false};
};

} // namespace hinge0
