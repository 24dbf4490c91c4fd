#pragma once
/// Independent tasks on several threads. The calling thread works too, and then asks the poll until
/// the others are done, so that they can be stopped: a Poll speaks only through its own thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/poll.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// task(k) for 0 <= k < count, on at most `threads` threads. An exception, that of the first task
/// that has one, is thrown when all are done.
template <class Task> void in_parallel(Index count, int threads, Poll &poll, const Task &task) {
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
        (void)poll.stopped(0);
        lock.lock();
    }
    lock.unlock();
    helpers.clear(); // joins them
    for (const std::exception_ptr &error : errors)
        if (error) std::rethrow_exception(error);
}

} // namespace hinge0
