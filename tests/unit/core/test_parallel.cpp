/// Tasks on several threads: each runs once, errors come through, the watch is asked meanwhile.
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/parallel.hpp"

namespace hinge0 {
namespace {

TEST(Parallel, EveryTaskRunsOnce) {
    Watch watch;
    for (const int threads : {1, 2, 5}) {
        std::vector<std::atomic<int>> runs(100);
        in_parallel(100, threads, watch, [&](Index k) { ++runs[static_cast<std::size_t>(k)]; });
        for (const auto &count : runs) EXPECT_EQ(count, 1) << threads << " threads";
    }
    in_parallel(0, 3, watch, [](Index) { FAIL() << "there is no task"; });
}

/// What a task works on may still be in the cache of the core that had it in the last round.
TEST(Parallel, EachMemberHasItsOwnTasksFirst) {
    Shares shares(8, 3);
    EXPECT_EQ(shares.next(1), 1);
    EXPECT_EQ(shares.next(2), 2);
    EXPECT_EQ(shares.next(1), 4);
    EXPECT_EQ(shares.next(1), 7);
    EXPECT_EQ(shares.next(1), 5); // it has none left: those of the next member
    EXPECT_EQ(shares.next(1), 0);
    EXPECT_EQ(shares.next(0), 3);
    EXPECT_EQ(shares.next(2), 6);
    for (std::size_t member = 0; member < 3; ++member) EXPECT_EQ(shares.next(member), -1);
}

TEST(Parallel, ATeamHasManyRounds) {
    Watch watch;
    Team team(3);
    Index sum = 0; // of tasks that were done, each round after all of the one before
    for (Index round = 0; round < 300; ++round) {
        std::atomic<Index> done = 0;
        const Index count = round % 5;
        team.run(count, watch, [&](Index k) { done += sum + k; });
        EXPECT_EQ(done, count * sum + count * (count - 1) / 2);
        sum += count;
    }
    EXPECT_THROW(team.run(2, watch, [](Index) { throw std::runtime_error("one"); }),
                 std::runtime_error);
    std::atomic<int> runs = 0;
    team.run(4, watch, [&](Index) { ++runs; });
    EXPECT_EQ(runs, 4);
}

TEST(Parallel, TheFirstErrorComesThroughAndTheOthersStillRun) {
    Watch watch;
    for (const int threads : {1, 3}) {
        std::atomic<int> runs = 0;
        try {
            in_parallel(10, threads, watch, [&](Index k) {
                ++runs;
                if (k == 4 || k == 7) throw std::runtime_error("task " + std::to_string(k));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error &error) {
            EXPECT_STREQ(error.what(), "task 4");
        }
        EXPECT_EQ(runs, 10);
    }
}

/// The calling thread has nothing left to do, but only it may ask whether to go on.
TEST(Parallel, WorkOnOtherThreadsCanBeStopped) {
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const std::thread::id caller = std::this_thread::get_id();
    Watch watch([&](const Progress &) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return seconds() < 0.1;
    });
    std::atomic<bool> other_is_at_work = false, other_was_stopped = false;
    in_parallel(2, 2, watch, [&](Index) {
        const bool is_caller = std::this_thread::get_id() == caller;
        if (!is_caller) other_is_at_work = true;
        // Steps, not seconds: a machine may stand still for a while.
        for (int step = 0; step < 30000; ++step) {
            if (is_caller ? other_is_at_work.load() : watch.stopped()) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (!is_caller) other_was_stopped = watch.stopped();
    });
    EXPECT_TRUE(watch.was_stopped());
    EXPECT_TRUE(other_was_stopped);
}

} // namespace
} // namespace hinge0
