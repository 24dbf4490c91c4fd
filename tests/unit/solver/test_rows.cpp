/// What every implementation of Rows must do; today there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "hinge0/dataset.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 70000; // more than one piece of a pass

struct Moons {
    MemoryBudget memory;
    Dataset data{make_moons({.samples = rows, .noise = 0.2, .flip = 0.1, .seed = 4})};
    std::unique_ptr<Gram> gram = make_gram(data.samples(), RbfKernel{2.0}, memory);
    ColumnCache columns{*gram, memory};
    Vector prices = Vector::LinSpaced(rows, 1, 2);
    RowsInMemory all{columns, data.signs(), prices, 7, 2};
    std::vector<Index> every = std::vector<Index>(static_cast<std::size_t>(rows));
    Expansion h{.rows = {5, 900, 60000}, .weights = Eigen::Vector3d(1, -1, 0.5), .bias = 0.1};

    Moons() { std::iota(every.begin(), every.end(), Index{0}); }
    [[nodiscard]] Vector margins() const {
        return data.signs().cwiseProduct(all.decisions(h, every));
    }
};

TEST(Rows, ASampleIsABeginningOfOneOrderWithTheClassesShares) {
    Moons moons;
    const std::vector<Index> small = moons.all.sample(100), large = moons.all.sample(5000);
    EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
    EXPECT_EQ(std::set<Index>(large.begin(), large.end()).size(), large.size());
    EXPECT_NEAR(moons.all.signs(small).sum(), 0, 2);
    EXPECT_NE(small,
              RowsInMemory(moons.columns, moons.data.signs(), moons.prices, 8, 1).sample(100));
}

TEST(Rows, APartHasWhatBelongsToItsRows) {
    Moons moons;
    const std::vector<Index> some{7, 3, 69999};
    const Part part = moons.all.part(some);
    EXPECT_EQ(part.y, moons.data.signs()(some));
    EXPECT_EQ(part.prices, moons.prices(some));
    EXPECT_EQ(part.columns->rows(), 3);
    double whole = 0;
    moons.gram->block(std::span(some).first(1), std::span(some).last(1), 1, &whole);
    EXPECT_EQ(part.columns->column(2)[0], whole);
}

TEST(Rows, APassSumsUpWhatMissesItsMargin) {
    Moons moons;
    Watch watch;
    const Vector margins = moons.margins();
    double missed = 0;
    Index violators = 0;
    for (Index i = 0; i < rows; ++i)
        if (margins(i) < 1 - 1e-6) {
            missed += moons.prices(i);
            ++violators;
        }
    const Score score = moons.all.score(moons.h, {}, watch);
    EXPECT_EQ(score.missed_prices, missed);
    EXPECT_EQ(score.violators, violators);
    EXPECT_TRUE(score.found.empty());
}

TEST(Rows, TheKeptThatAreNearestAreFound) {
    Moons moons;
    Watch watch;
    const Vector margins = moons.margins();
    const Score kept = moons.all.keep(moons.h, 0.2, {.most_of_each = 10}, watch);
    ASSERT_EQ(kept.found.size(), 20U);
    const double last = margins(kept.found).maxCoeff();
    EXPECT_GE(margins(kept.found).minCoeff(), 0.2);
    EXPECT_EQ(moons.all.signs(kept.found).sum(), 0);
    std::vector<Index> near = kept.found;
    std::sort(near.begin(), near.end());
    const Score others =
        moons.all.score(moons.h, {.bound = last, .most_of_each = rows, .except = near}, watch);
    for (const Index i : others.found) {
        EXPECT_TRUE(margins(i) >= 0.2 && margins(i) < last);
        EXPECT_FALSE(std::binary_search(near.begin(), near.end(), i));
    }
}

TEST(Rows, APassThatIsStoppedKeepsWhatItHasComeTo) {
    Moons moons;
    Watch watch;
    watch.stop();
    const Score score = moons.all.keep(moons.h, -10, {.most_of_each = rows}, watch);
    EXPECT_GT(score.found.size(), 1000U);
    EXPECT_LT(score.found.size(), static_cast<std::size_t>(rows));
}

} // namespace
} // namespace hinge0
