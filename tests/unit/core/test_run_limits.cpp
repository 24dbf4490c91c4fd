/// One memory budget and one watch for a whole run: what fits, what is refused, who is asked.
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

TEST(MemoryBudget, CountsWhatAllPartsHoldTogether) {
    MemoryBudget budget(1000, 200);
    EXPECT_EQ(budget.left(), 800);
    EXPECT_TRUE(budget.try_take(500));
    EXPECT_FALSE(budget.try_take(301));
    {
        const MemoryShare share(budget, 300, "a part");
        EXPECT_EQ(budget.left(), 0);
        EXPECT_THROW(budget.take(1, "a bit"), OutOfMemory);
    }
    EXPECT_EQ(budget.left(), 300);
    budget.allow(2000);
    EXPECT_EQ(budget.left(), 1300);
    budget.give_back(700);
    EXPECT_EQ(budget.left(), 2000);
}

TEST(MemoryBudget, TellsNeedLimitAndAdvice) {
    MemoryBudget budget(0x1p30, 0x1p29);
    try {
        budget.take(0x1p30, "the whole of it", "take less");
        FAIL() << "there was no room";
    } catch (const OutOfMemory &error) {
        EXPECT_STREQ(error.what(), "the whole of it needs 1.5 GiB, 1 GiB are allowed: take less");
    }
}

TEST(MemoryBudget, WithoutALimitTheMachineIsAsked) {
    MemoryBudget budget;
    EXPECT_TRUE(budget.try_take(1000));
    EXPECT_FALSE(budget.try_take(1e18));
    EXPECT_GT(budget.left(), 0);
    EXPECT_THROW(budget.take(1e18, "the world"), OutOfMemory);
    EXPECT_GT(peak_memory(), 1000000);
}

TEST(Watch, StopsForItsObserverForTimeAndForWhatIsThrown) {
    Watch quiet;
    EXPECT_FALSE(quiet.stopped());
    EXPECT_TRUE(quiet.tell({}));

    Watch refusing([](const Progress &) { return false; });
    EXPECT_TRUE(refusing.stopped());
    EXPECT_FALSE(refusing.out_of_time());
    EXPECT_NO_THROW(refusing.rethrow());

    Watch late({}, 1e-9);
    EXPECT_TRUE(late.stopped());
    EXPECT_TRUE(late.out_of_time());

    Watch angry([](const Progress &) -> bool { throw std::runtime_error("no"); });
    EXPECT_TRUE(angry.stopped());
    EXPECT_THROW(angry.rethrow(), std::runtime_error);
}

TEST(ForEachTile, EveryTileOnceAndErrorsComeThrough) {
    for (const int threads : {1, 3}) {
        std::vector<std::atomic<int>> runs(50);
        for_each_tile(50, threads,
                      [&] { return [&](Index k) { ++runs[static_cast<std::size_t>(k)]; }; });
        for (const auto &count : runs) EXPECT_EQ(count, 1);
        EXPECT_THROW(for_each_tile(50, threads,
                                   [] {
                                       return [](Index k) {
                                           if (k == 20) throw std::bad_alloc();
                                       };
                                   }),
                     std::bad_alloc);
        EXPECT_THROW(for_each_tile(5, threads,
                                   []() -> std::function<void(Index)> { throw std::bad_alloc(); }),
                     std::bad_alloc);
    }
}

} // namespace
} // namespace hinge0
