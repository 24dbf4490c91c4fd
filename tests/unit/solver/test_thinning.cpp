/// Support vectors that are given up: what is left is exact, and close to what there was.
#include "solver/thinning.hpp"

#include <gtest/gtest.h>

#include "hinge0/dataset.hpp"
#include "hinge0/train.hpp"
#include "solver/near_rows.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 400;
constexpr double thin = 0.3;

bool go_on(const ActiveSet &, double) { return true; }

struct Solved {
    MemoryBudget memory;
    Dataset data{make_moons({.samples = rows, .noise = 0.15, .seed = 3})};
    std::unique_ptr<Gram> gram = make_gram(data.samples(), RbfKernel{8.0}, memory);
    ColumnCache columns{*gram, memory};
    Flags kept = Flags(static_cast<std::size_t>(rows), 1);
    ActiveSet state{columns, data.signs()};
    Watch watch;

    Solved() { EXPECT_TRUE(state.solve(kept, go_on) && state.polish(kept, watch)); }
};

TEST(Thinning, KnowsTheMarginOfAMemberWithoutIt) {
    Solved moons;
    Vector inverse;
    moons.state.factor().inverse_diagonal(inverse);
    int compared = 0;
    for (Index p = 0; p < inverse.size(); ++p) {
        ActiveSet other = moons.state;
        Flags kept = moons.kept;
        const Index row = other.gamma()[static_cast<std::size_t>(p)];
        kept[static_cast<std::size_t>(row)] = 0;
        ASSERT_TRUE(other.solve(kept, go_on));
        std::vector<Index> others = moons.state.gamma();
        std::erase(others, row);
        if (other.gamma() != others) continue; // more than that has changed
        const double expected = 1 - moons.state.alpha()(p) / inverse(p);
        EXPECT_NEAR(other.margins()(row), expected, 1e-8);
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

TEST(Thinning, LeavesFewerMembersOfWhichAllAreNeeded) {
    Solved moons;
    const Margins before = moons.state.margins();
    const std::size_t members = moons.state.gamma().size();
    ASSERT_TRUE(thin_out(moons.state, moons.kept, thin, go_on));
    ASSERT_TRUE(moons.state.polish(moons.kept, moons.watch));
    EXPECT_LT(moons.state.gamma().size(), members);
    EXPECT_TRUE(dispensable(moons.state, thin).empty());
    EXPECT_FALSE(moons.state.is_constant());
    // Who is kept has its margin, and no row comes to the other side.
    for (Index i = 0; i < rows; ++i) {
        const bool kept = moons.kept[static_cast<std::size_t>(i)] != 0;
        EXPECT_GE(moons.state.margins()(i), kept ? 1 - 1e-9 : 1e-3);
    }
}

/// The minimum of the kept rows is one, from wherever it is approached; also where so many leave on
/// the way that the factor is made anew.
TEST(Thinning, StartsFromAnyRows) {
    const Solved moons;
    for (const Index step : {4, 8, 20}) {
        std::vector<Index> some;
        for (Index i = 0; i < rows; i += step) some.push_back(i);
        Solved other;
        other.state = ActiveSet(other.columns, other.data.signs());
        other.state.start_from(some);
        EXPECT_FALSE(other.state.gamma().empty());
        EXPECT_LT(other.state.gamma().size(), some.size());
        ASSERT_TRUE(other.state.solve(other.kept, go_on));
        ASSERT_TRUE(other.state.polish(other.kept, other.watch));
        EXPECT_NEAR(other.state.half_norm_squared(), moons.state.half_norm_squared(),
                    1e-9 * moons.state.half_norm_squared());
        for (Index i = 0; i < rows; ++i)
            EXPECT_NEAR(other.state.margins()(i), moons.state.margins()(i), 1e-7);
    }
}

TEST(Thinning, GivesUpFewerAtATimeOfThoseThatMatter) {
    const std::vector<double> cheap(50, 0.1), dear(50, 0.2);
    std::vector<double> both(10, 0.1);
    both.insert(both.end(), dear.begin(), dear.end());
    EXPECT_EQ(given_up_together(cheap, 240, thin), 41U);
    EXPECT_EQ(given_up_together(dear, 240, thin), 11U);
    EXPECT_EQ(given_up_together(both, 240, thin), 11U);
    EXPECT_EQ(given_up_together(std::span(cheap).first(20), 240, thin), 20U);
    EXPECT_EQ(given_up_together(std::span(dear).first(1), 2, thin), 1U);
    EXPECT_EQ(given_up_together({}, 240, thin), 0U);
}

TEST(Thinning, DoesNothingAtZero) {
    Solved moons;
    EXPECT_TRUE(dispensable(moons.state, 0.0).empty());
}

TEST(Thinning, OfManyRowsIsExactToo) {
    Solved moons;
    const Vector prices = Vector::Ones(rows);
    RowsInMemory all(moons.columns, moons.data.signs(), prices, 0, 1);
    const Vector ones = Vector::Ones(rows);
    const HardMargin full = hard_margin_of_many(
        all, all.keep(ones, 0.5, {.most_of_each = 100}).found, 0.0, 1, moons.watch);
    const HardMargin found = hard_margin_of_many(
        all, all.keep(ones, 0.5, {.most_of_each = 100}).found, thin, 1, moons.watch);
    EXPECT_EQ(full.missed_prices, 0);
    EXPECT_LT(found.h.rows.size(), full.h.rows.size());
    EXPECT_GT(found.missed_prices, 0); // the given up
    EXPECT_LT(found.half_norm_squared, full.half_norm_squared);
}

TEST(Thinning, GivesACertifiedMinimum) {
    const Dataset data(make_moons({.samples = rows, .noise = 0.2, .flip = 0.1, .seed = 4}));
    const Fit all = train(data, RbfKernel{8.0});
    const Fit fewer = train(data, RbfKernel{8.0}, {}, {.thin = thin});
    EXPECT_LT(fewer.report.support_vectors, all.report.support_vectors);
    EXPECT_TRUE(fewer.report.certificate.local_minimum);
}

} // namespace
} // namespace hinge0
