#pragma once
/// Independent tasks on several threads, in two kinds: long ones that can be stopped, and loops
/// over tiles by OpenMP. Either way an exception comes through.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/shares.hpp"
#include "core/watch.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// Threads that wait for tasks: who has many small rounds of them starts no thread for each.
class Team {
public:
    /// The calling thread is one of so many.
    explicit Team(Index threads) {
        for (Index member = 1; member < threads; ++member)
            helpers_.emplace_back([this, member](const std::stop_token &over) {
                serve(static_cast<std::size_t>(member), over);
            });
    }

    /// task(k) for 0 <= k < count; an exception, that of the first task that has one, is thrown
    /// when all are done. The calling thread works too, and then asks the watch until the others
    /// are done, so that they can be stopped: a Watch speaks only through its own thread.
    template <class Task> void run(Index count, Watch &watch, const Task &task) {
        std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
        Shares shares(count, helpers_.size() + 1);
        const Work work = [&](std::size_t member) {
            for (Index k = shares.next(member); k >= 0; k = shares.next(member)) {
                try {
                    task(k);
                } catch (...) {
                    errors[static_cast<std::size_t>(k)] = std::current_exception();
                }
            }
        };
        if (count > 1) begin(work);
        work(0);
        end(watch);
        for (const std::exception_ptr &error : errors)
            if (error) std::rethrow_exception(error);
    }

private:
    using Work = std::function<void(std::size_t)>; ///< of a member

    void begin(const Work &work) {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        running_ = helpers_.size();
        ++round_;
        wake_.notify_all();
    }
    void end(Watch &watch) {
        std::unique_lock lock(mutex_);
        while (running_ > 0) { // NOLINT(bugprone-infinite-loop): the helpers lower it
            done_.wait_for(lock, std::chrono::milliseconds(20));
            lock.unlock();
            (void)watch.stopped();
            lock.lock();
        }
    }
    void serve(std::size_t member, const std::stop_token &over) {
        std::unique_lock lock(mutex_);
        for (long seen = 0; wake_.wait(lock, over, [&] { return round_ != seen; });) {
            seen = round_;
            const Work &work = *work_;
            lock.unlock();
            work(member);
            lock.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

    std::mutex mutex_; ///< held by whoever reads or changes what follows
    std::condition_variable_any wake_;
    std::condition_variable done_;
    const Work *work_ = nullptr;
    std::size_t running_ = 0;
    long round_ = 0;
    std::vector<std::jthread> helpers_{}; ///< the last: they end before the rest is gone
};

/// One round of a team of its own.
template <class Task> void in_parallel(Index count, int threads, Watch &watch, const Task &task) {
    Team(std::min<Index>(threads, count)).run(count, watch, task);
}

/// body(k) for 0 <= k < count by a team of OpenMP threads, which take the next one in turn.
/// `make_body` is called once on each thread, for buffers of its own. After an exception, which
/// must not leave a thread of OpenMP, the rest is left out.
template <class MakeBody> void for_each_tile(Index count, int threads, const MakeBody &make_body) {
    std::atomic<Index> next = 0;
    std::exception_ptr error;
    std::mutex mutex;
    const int team = static_cast<int>(std::clamp<Index>(count, 1, threads));
    if (team == 1) { // a team of one would still be set up, and taken down with a system call
        auto body = make_body();
        for (Index k = 0; k < count; ++k) body(k);
        return;
    }
#pragma omp parallel num_threads(team)
    {
        try {
            auto body = make_body();
            for (Index k = next++; k < count; k = next++) body(k);
        } catch (...) {
            const std::lock_guard lock(mutex);
            next = count;
            if (!error) error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

} // namespace hinge0
