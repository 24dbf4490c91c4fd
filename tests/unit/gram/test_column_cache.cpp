/// Columns that are kept, shared, forgotten and made anew.
#include <gtest/gtest.h>

#include <thread>

#include "gram/columns/column_cache.hpp"
#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 500;
constexpr double column_bytes = 8.0 * rows;

struct Cached {
    MemoryBudget memory;
    std::unique_ptr<Gram> gram;
    ColumnCache cache;
    Matrix expected;

    explicit Cached(double columns)
        : memory(8.0 * 4 * rows + 40000 + columns * column_bytes),
          gram(make_gram(test::random_rows(rows, 4, 1), RbfKernel{0.2}, memory)),
          cache(*gram, memory) {
        const DenseRows x = test::random_rows(rows, 4, 1);
        expected = test::naive_gram(RbfKernel{0.2}, x, x);
    }
    void expect_column(Index j, const Column &column) const {
        for (Index i = 0; i < rows; ++i) ASSERT_NEAR(column[i], expected(i, j), 1e-12);
    }
};

TEST(ColumnCache, KeepsWhatFitsAndForgetsTheRest) {
    Cached c(40);
    for (int round = 0; round < 2; ++round)
        for (Index j = 0; j < rows; ++j) c.expect_column(j, c.cache.column(j));
    EXPECT_GT(c.cache.made(), rows + 100); // most had to be made twice
    const long made = c.cache.made();
    (void)c.cache.column(rows - 1);
    EXPECT_EQ(c.cache.made(), made); // but not the last one
}

TEST(ColumnCache, AColumnThatSomebodyHoldsOutlivesItsPlace) {
    Cached c(10);
    const Column held = c.cache.column(3);
    for (Index j = 0; j < rows; ++j) (void)c.cache.column(j);
    c.expect_column(3, held);
}

TEST(ColumnCache, RefusesOnlyWhenEverythingIsHeld) {
    Cached c(20);
    std::vector<Column> held;
    try {
        for (Index j = 0; j < rows; ++j) held.push_back(c.cache.column(j));
        FAIL() << "there was room for " << held.size();
    } catch (const OutOfMemory &error) {
        EXPECT_NE(std::string(error.what()).find("one more column"), std::string::npos);
    }
    EXPECT_GE(held.size(), 15U);
    held.clear();
    c.expect_column(100, c.cache.column(100));
}

TEST(ColumnCache, PrefetchMakesTheSameBits) {
    Cached one(rows), other(rows);
    std::vector<Index> some;
    for (Index j = 1; j < rows; j += 3) some.push_back(j);
    one.cache.prefetch(some, 2);
    EXPECT_EQ(one.cache.made(), static_cast<long>(some.size()));
    for (const Index j : some) {
        const Column a = one.cache.column(j), z = other.cache.column(j);
        for (Index i = 0; i < rows; ++i) ASSERT_EQ(a[i], z[i]);
    }
    EXPECT_EQ(one.cache.made(), static_cast<long>(some.size()));
}

/// Threads that ask, hold and let go at once, where most must be forgotten.
TEST(ColumnCache, ServesSeveralThreads) {
    Cached c(30);
    std::vector<std::jthread> threads;
    std::atomic<int> wrong = 0;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&c, &wrong, t] {
            std::mt19937 random(t);
            Column last;
            for (int k = 0; k < 2000; ++k) {
                const auto j = static_cast<Index>(random() % rows);
                const Column column = c.cache.column(j);
                const auto i = static_cast<Index>(random() % rows);
                if (std::abs(column[i] - c.expected(i, j)) > 1e-12) ++wrong;
                if (k % 7 == 0) last = column;
            }
        });
    threads.clear();
    EXPECT_EQ(wrong, 0);
}

/// A column whose values are refused is not served as if it were there.
TEST(ColumnCache, AFailedColumnIsNotServed) {
    DenseRows x = test::random_rows(10, 2, 2);
    x(4, 0) = 1e90;
    MemoryBudget memory;
    x(7, 0) = 1e75;
    const auto gram = make_gram(DenseRows(x * 1e-20), LinearKernel{}, memory);
    ColumnCache cache(*gram, memory);
    EXPECT_NO_THROW((void)cache.column(4));
    DenseRows k = DenseRows::Identity(3, 3);
    k(0, 2) = k(2, 0) = 1e200;
    const auto given = make_gram(k, PrecomputedKernel{}, memory);
    ColumnCache columns(*given, memory);
    EXPECT_THROW((void)columns.column(2), InvalidInput);
    EXPECT_THROW((void)columns.column(2), InvalidInput);
    EXPECT_NO_THROW((void)columns.column(1));
}

} // namespace
} // namespace hinge0
