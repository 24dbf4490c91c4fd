/// The hard-margin SVM by near rows, held against the active set over all rows.
#include "solver/near_rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"
#include "hinge0/solver.hpp"
#include "solver/active_set.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 9000; // the first near ones are not half of them

struct Moons {
    MemoryBudget memory;
    Dataset data;
    std::unique_ptr<Gram> gram;
    ColumnCache columns;
    Vector prices = Vector::Ones(rows);
    Flags kept;
    Watch watch;

    Moons()
        : data(make_moons({.samples = rows, .noise = 0.05, .seed = 5})),
          gram(make_gram(data.samples(), RbfKernel{4.0}, memory)), columns(*gram, memory),
          kept(static_cast<std::size_t>(rows), 1) {
        for (std::size_t i = 0; i < kept.size(); i += 7) kept[i] = 0;
    }
    /// Where a guess says who is near.
    HardMargin solve(Vector guess, int threads = 1) {
        for (Index i = 0; i < rows; ++i)
            if (kept[static_cast<std::size_t>(i)] == 0) guess(i) = -1;
        RowsInMemory all(columns, data.signs(), prices, 0, threads);
        return hard_margin_of_many(all, all.keep(guess, 0, {.most_of_each = 2048}).found, 0.0,
                                   threads, watch);
    }
    [[nodiscard]] Vector margins(const Expansion &h) const {
        Vector values(rows);
        std::vector<Index> every(static_cast<std::size_t>(rows));
        std::iota(every.begin(), every.end(), Index{0});
        gram->apply(every, h.rows, h.weights, 1, values);
        return data.signs().array() * (values.array() + h.bias);
    }
};

/// With a guess that is of no use the near rows are wrong at first, and grow.
TEST(NearRows, LeadToTheSolutionForAllRowsFromAnyGuess) {
    Moons moons;
    ActiveSet expected(moons.columns, moons.data.signs());
    Flags kept = moons.kept;
    const auto go_on = [](const ActiveSet &, double) { return true; };
    ASSERT_TRUE(expected.solve(kept, go_on) && expected.polish(kept, moons.watch));
    const Vector useless = Vector::LinSpaced(rows, 0, 1);
    for (const Vector &guess : {useless, expected.margins().values()}) {
        const HardMargin one = moons.solve(guess);
        EXPECT_TRUE(one.solved);
        EXPECT_NEAR(one.half_norm_squared, expected.half_norm_squared(),
                    1e-7 * expected.half_norm_squared());
        const Vector apart = moons.margins(one.h) - expected.margins().values();
        EXPECT_LT(apart.cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_EQ(one.missed_prices, expected.margins().missed_prices(moons.prices));
        EXPECT_EQ(one.alpha, moons.solve(guess, 3).alpha);
    }
}

TEST(NearRows, OneClassIsAConstantClassifier) {
    Moons moons;
    const Vector &y = moons.data.signs();
    for (Index i = 0; i < rows; ++i) moons.kept[static_cast<std::size_t>(i)] = y(i) > 0 ? 1 : 0;
    EXPECT_TRUE(moons.solve(Vector::Ones(rows)).h.rows.empty());
}

TEST(NearRows, NothingKeptIsAConstantClassifier) {
    Moons moons;
    std::fill(moons.kept.begin(), moons.kept.end(), 0);
    const HardMargin found = moons.solve(Vector::Ones(rows));
    EXPECT_TRUE(found.solved && found.h.rows.empty());
}

/// It is given a moment, and then there is a minimum: that of the rows which it came to.
TEST(NearRows, StoppedTheyHaveAMinimum) {
    Moons moons;
    moons.watch.stop();
    const auto begin = std::chrono::steady_clock::now();
    const HardMargin found = moons.solve(Vector::Ones(rows));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    ASSERT_FALSE(found.h.rows.empty());
    const Vector margins = moons.margins(found.h);
    EXPECT_LT((margins(found.h.rows).array() - 1.0).abs().maxCoeff(), 1e-9);
    EXPECT_GT(found.alpha.minCoeff(), 0.0);
    EXPECT_NEAR(found.h.weights.sum(), 0.0, 1e-9 * found.alpha.sum());
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

/// Wherever a fit is stopped: what it returns is a minimum.
TEST(NearRows, AFitOfManyRowsThatIsStoppedIsCertified) {
    const Dataset data(make_moons({.samples = 20000, .noise = 0.2, .flip = 0.1, .seed = 2}));
    const Solver solver(data.samples(), RbfKernel{2.0});
    for (const int after : {0, 1, 2, 4, 8}) {
        int told = 0;
        const Solution found =
            solver.solve(data.signs(), {}, {}, [&](const Progress &) { return told++ < after; });
        EXPECT_GT(found.report.support_vectors, 0);
        EXPECT_TRUE(found.report.certificate.local_minimum);
        EXPECT_TRUE(after > 0 || found.report.status == Status::interrupted);
    }
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
