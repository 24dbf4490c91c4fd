/// The hard-margin SVM by near rows, held against the active set over all rows.
#include "solver/near_rows.hpp"

#include <gtest/gtest.h>

#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"
#include "hinge0/solver.hpp"
#include "solver/active_set.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 9000; // the first near ones are not half of them

struct Moons {
    MemoryBudget memory;
    Dataset data;
    std::unique_ptr<Gram> gram;
    ColumnCache columns;
    Flags kept;

    Moons()
        : data(make_moons({.samples = rows, .noise = 0.05, .seed = 5})),
          gram(make_gram(data.samples(), RbfKernel{4.0}, memory)), columns(*gram, memory),
          kept(static_cast<std::size_t>(rows), 1) {
        for (std::size_t i = 0; i < kept.size(); i += 7) kept[i] = 0;
    }
};

void expect_same(const HardMargin &found, const ActiveSet &expected) {
    EXPECT_TRUE(found.solved);
    EXPECT_NEAR(found.half_norm_squared, expected.half_norm_squared(),
                1e-7 * expected.half_norm_squared());
    const double apart =
        (found.margins.values() - expected.margins().values()).cwiseAbs().maxCoeff();
    EXPECT_LT(apart, 1e-6);
}

/// With a guess that is of no use the near rows are wrong at first, and grow.
TEST(NearRows, LeadToTheSolutionForAllRowsFromAnyGuess) {
    Moons moons;
    Watch watch;
    const Vector &y = moons.data.signs();
    ActiveSet expected(moons.columns, y);
    Flags kept = moons.kept;
    const auto go_on = [](const ActiveSet &, double) { return true; };
    ASSERT_TRUE(expected.solve(kept, go_on) && expected.polish(kept, watch));
    const Vector useless = Vector::LinSpaced(rows, 0, 1);
    for (const Vector &guess : {useless, expected.margins().values()}) {
        const HardMargin one =
            hard_margin_of_many(moons.columns, y, moons.kept, guess, 4096, 1, watch);
        expect_same(one, expected);
        const HardMargin three =
            hard_margin_of_many(moons.columns, y, moons.kept, guess, 4096, 3, watch);
        EXPECT_EQ(one.alpha, three.alpha);
        EXPECT_EQ(one.margins.values(), three.margins.values());
    }
}

TEST(NearRows, OneClassIsAConstantClassifier) {
    Moons moons;
    Watch watch;
    const Vector &y = moons.data.signs();
    for (Index i = 0; i < rows; ++i) moons.kept[static_cast<std::size_t>(i)] = y(i) > 0 ? 1 : 0;
    const Vector guess = Vector::Ones(rows);
    EXPECT_TRUE(
        hard_margin_of_many(moons.columns, y, moons.kept, guess, 4096, 1, watch).gamma.empty());
}

TEST(NearRows, NothingKeptIsAConstantClassifier) {
    Moons moons;
    Watch watch;
    std::fill(moons.kept.begin(), moons.kept.end(), 0);
    const HardMargin found = hard_margin_of_many(moons.columns, moons.data.signs(), moons.kept,
                                                 Vector::Ones(rows), 4096, 1, watch);
    EXPECT_TRUE(found.solved && found.gamma.empty());
}

TEST(NearRows, StopsWhenAsked) {
    Moons moons;
    Watch watch;
    watch.stop();
    const HardMargin found = hard_margin_of_many(moons.columns, moons.data.signs(), moons.kept,
                                                 Vector::Ones(rows), 4096, 1, watch);
    EXPECT_FALSE(found.solved);
}

TEST(NearRows, TheWorkingSetCanBeChosenOrLeftOut) {
    const Dataset data(make_moons({.samples = 3000, .noise = 0.2, .flip = 0.1, .seed = 2}));
    const Solver solver(data.samples(), RbfKernel{2.0});
    const auto fit = [&](Index working_set) {
        return solver.solve(data.signs(), {}, {.working_set = working_set});
    };
    const Solution all = fit(0), some = fit(200);
    EXPECT_EQ(fit(automatic_working_set).coefficients, all.coefficients); // few rows
    EXPECT_EQ(fit(3000).coefficients, all.coefficients);
    EXPECT_NE(some.coefficients, all.coefficients);
    EXPECT_TRUE(some.report.certificate.local_minimum);
    EXPECT_NEAR(some.report.train_accuracy, all.report.train_accuracy, 0.02);
    EXPECT_THROW((void)fit(1), InvalidInput);
    EXPECT_THROW((void)fit(-2), InvalidInput);
}

/// All of it together: samples, blocks, near rows, certificate.
TEST(NearRows, AFitOfManyRowsIsCertified) {
    const Dataset data(make_moons({.samples = 20000, .noise = 0.2, .flip = 0.1, .seed = 2}));
    const Solver solver(data.samples(), RbfKernel{2.0});
    Settings settings;
    const Solution two = solver.solve(data.signs(), {}, settings);
    EXPECT_EQ(two.report.status, Status::converged);
    EXPECT_TRUE(two.report.certificate.local_minimum);
    EXPECT_GT(two.report.train_accuracy, 0.85);
    EXPECT_LT(two.report.support_vectors, 60);
    settings.threads = 1;
    EXPECT_EQ(solver.solve(data.signs(), {}, settings).coefficients, two.coefficients);
}

} // namespace
} // namespace hinge0
