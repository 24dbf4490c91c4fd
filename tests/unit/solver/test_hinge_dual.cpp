/// The hinge SVM's dual by blocks, held against pairs over all rows and the optimality conditions.
#include "solver/hinge_dual.hpp"

#include <gtest/gtest.h>

#include "hinge0/dataset.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 1200;
constexpr double price = 2.0, eps = 1e-5;
constexpr long enough = 1000000;

/// Overlapping moons with wrong labels: several hundred support vectors, many at their bound.
struct Moons {
    MemoryBudget memory;
    Dataset data;
    std::unique_ptr<Gram> gram;
    ColumnCache columns;

    explicit Moons(double limit = 0)
        : memory(limit), data(make_moons({.samples = rows, .noise = 0.3, .flip = 0.1, .seed = 3})),
          gram(make_gram(data.samples(), RbfKernel{2.0}, memory)), columns(*gram, memory) {}
    [[nodiscard]] HingeDual dual() const {
        return {data.signs(), Vector::Constant(data.size(), price)};
    }
};

/// alpha is 0 beyond the margin, at its bound below it, anything on it; and it balances.
void expect_optimal(const HingeDual &dual, const Vector &signs) {
    const Vector margins = dual.margins();
    for (Index i = 0; i < margins.size(); ++i) {
        const double alpha = dual.alpha()(i);
        if (alpha < price) {
            ASSERT_GE(margins(i), 1 - eps);
        }
        if (alpha > 0) {
            ASSERT_LE(margins(i), 1 + eps);
        }
    }
    EXPECT_NEAR(signs.dot(dual.alpha()), 0.0, 1e-9);
}

TEST(HingeDual, BlocksLeadToTheSolutionThatPairsFind) {
    Moons moons;
    Watch watch;
    HingeDual pairs = moons.dual(), blocks = moons.dual();
    pairs.solve_by_pairs(moons.columns, eps, enough, watch);
    blocks.solve_by_blocks(moons.columns, eps, enough, 1, watch);
    expect_optimal(pairs, moons.data.signs());
    expect_optimal(blocks, moons.data.signs());
    EXPECT_LT((pairs.margins() - blocks.margins()).cwiseAbs().maxCoeff(), 1e-2);
}

TEST(HingeDual, BlocksDoNotDependOnTheThreads) {
    Moons moons;
    Watch watch;
    HingeDual one = moons.dual(), three = moons.dual();
    one.solve_by_blocks(moons.columns, 0.02, enough, 1, watch);
    three.solve_by_blocks(moons.columns, 0.02, enough, 3, watch);
    EXPECT_EQ(one.alpha(), three.alpha());
}

TEST(HingeDual, BlocksAndPairsMakeDoWithRoomForFewColumns) {
    Moons all, few(8.0 * rows * 60);
    Watch watch;
    HingeDual blocks = few.dual(), pairs = few.dual(), expected = all.dual();
    blocks.solve_by_blocks(few.columns, eps, enough, 2, watch);
    expect_optimal(blocks, few.data.signs());
    pairs.solve_by_pairs(few.columns, eps, enough, watch);
    expected.solve_by_pairs(all.columns, eps, enough, watch);
    EXPECT_EQ(pairs.alpha(), expected.alpha());
    EXPECT_GT(few.columns.made(), all.columns.made());
}

TEST(HingeDual, GoesOnFromHalfThePrices) {
    Moons moons;
    Watch watch;
    HingeDual dual(moons.data.signs(), Vector::Constant(rows, price / 2));
    dual.solve_by_blocks(moons.columns, 0.02, enough, 1, watch);
    dual.double_prices();
    dual.solve_by_blocks(moons.columns, eps, enough, 1, watch);
    expect_optimal(dual, moons.data.signs());
}

TEST(HingeDual, StopsWhenAsked) {
    Moons moons;
    Watch watch;
    watch.stop();
    HingeDual dual = moons.dual();
    dual.solve_by_blocks(moons.columns, eps, enough, 1, watch);
    EXPECT_EQ(dual.alpha().sum(), 0.0);
}

} // namespace
} // namespace hinge0
