#pragma once
/// Independent tasks on several threads, in two kinds: long ones that can be stopped, and loops
/// over tiles by OpenMP. Either way an exception comes through.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/watch.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// task(k) for 0 <= k < count, on at most `threads` threads; an exception, that of the first task
/// that has one, is thrown when all are done. The calling thread works too, and then
/// asks the watch until the others are done, so that they can be stopped: a Watch speaks only
/// through its own thread.
template <class Task> void in_parallel(Index count, int threads, Watch &watch, const Task &task) {
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
    std::atomic<Index> next = 0;
    const auto work = [&] {
        for (Index k = next++; k < count; k = next++) {
            try {
                task(k);
            } catch (...) {
                errors[static_cast<std::size_t>(k)] = std::current_exception();
            }
        }
    };
    std::mutex mutex;
    std::condition_variable done;
    Index running = std::min<Index>(threads, count) - 1;
    std::vector<std::jthread> helpers;
    for (Index h = running; h > 0; --h)
        helpers.emplace_back([&] {
            work();
            const std::lock_guard lock(mutex);
            --running;
            done.notify_one();
        });
    work();
    std::unique_lock lock(mutex);
    while (running > 0) { // NOLINT(bugprone-infinite-loop): the helpers lower it
        done.wait_for(lock, std::chrono::milliseconds(20));
        lock.unlock();
        (void)watch.stopped();
        lock.lock();
    }
    lock.unlock();
    helpers.clear(); // joins them
    for (const std::exception_ptr &error : errors)
        if (error) std::rethrow_exception(error);
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
