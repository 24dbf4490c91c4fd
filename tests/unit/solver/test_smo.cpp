/// Convex losses by SMO, beyond what test_libsvm.cpp compares: many rows, stopping, other back
/// ends.
#include <gtest/gtest.h>

#include "gram/factor/low_rank_system.hpp"
#include "gram/factor/shifted_factor.hpp"
#include "hinge0/solver.hpp"
#include "solver/admm.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

constexpr Loss losses[] = {HingeLoss{}, SquaredHingeLoss{}};

Matrix kernel_matrix(const Dataset &data, const Kernel &kernel) {
    const auto &x = std::get<DenseRows>(data.samples());
    return test::naive_gram(kernel, x, x);
}

/// Weak duality: F at the answer, and the dual's value at its multipliers, hold the minimum between
/// them.
double duality_gap(const Matrix &k, const Vector &y, const Objective &objective,
                   const Solution &s) {
    const Vector alpha = y.cwiseProduct(s.coefficients);
    double dual = alpha.sum() - 0.5 * s.coefficients.dot(k * s.coefficients);
    if (std::holds_alternative<SquaredHingeLoss>(objective.loss))
        dual -= alpha.squaredNorm() / (4 * objective.C);
    return (s.report.objective - dual) / s.report.objective;
}

TEST(Smo, AnswersAreOptimalByDuality) {
    const Dataset data = test::noisy_moons(500, 0.1, 3);
    const Matrix k = kernel_matrix(data, RbfKernel{2});
    for (const Loss &loss : losses)
        for (const double C : {0.1, 4.0, 100.0}) {
            const Objective objective{.loss = loss, .C = C};
            const Solution s =
                Solver(data.samples(), RbfKernel{2}).solve(data.signs(), objective, {});
            EXPECT_EQ(s.report.solver, "smo");
            EXPECT_EQ(s.report.status, Status::converged);
            EXPECT_LT(duality_gap(k, data.signs(), objective, s), 1e-9) << C; // few rows
            EXPECT_TRUE(s.report.certificate.local_minimum);
        }
}

/// Blocks of rows, the cache of columns.
TEST(Smo, ManyRows) {
    const Dataset data(make_moons({.samples = 4200, .noise = 0.2, .flip = 0.1, .seed = 3}));
    const Solver solver(data.samples(), RbfKernel{2});
    const Matrix k = kernel_matrix(data, RbfKernel{2});
    for (const Loss &loss : losses) {
        const Objective objective{.loss = loss, .C = 1};
        const Solution two = solver.solve(data.signs(), objective, {.threads = 2});
        EXPECT_EQ(two.report.status, Status::converged);
        EXPECT_LT(duality_gap(k, data.signs(), objective, two), 1e-4);
        EXPECT_EQ(two.coefficients,
                  solver.solve(data.signs(), objective, {.threads = 1}).coefficients);
    }
}

TEST(Smo, StoppedItIsAFeasiblePoint) {
    const Dataset data(make_moons({.samples = 6000, .noise = 0.2, .flip = 0.1, .seed = 3}));
    const Solver solver(data.samples(), RbfKernel{2});
    for (const Loss &loss : losses) {
        int told = 0; // the second time after 50 ms: at this C it is far from its end then
        const Solution s = solver.solve(data.signs(), {.loss = loss, .C = 1000}, {},
                                        [&](const Progress &) { return told++ < 1; });
        EXPECT_EQ(s.report.status, Status::interrupted);
        EXPECT_NEAR(s.coefficients.sum(), 0, 1e-9);
        EXPECT_GE((data.signs().array() * s.coefficients.array()).minCoeff(), 0);
    }
}

/// The same iterations with the factor of K and with one of low rank.
TEST(LowRankAdmm, GoesWhereTheFactorGoes) {
    const Dataset data = test::noisy_moons(900, 0.1, 4);
    const auto gram = [&](MemoryBudget &memory) {
        return make_gram(data.samples(), RbfKernel{1}, memory);
    };
    MemoryBudget memory;
    Watch watch;
    const auto k = gram(memory);
    ShiftedFactor factor(*k, 1.0, 1, memory, watch);
    LowRankSystem system(*k, 1.0, 1e-9, 1, memory, watch);
    EXPECT_LT(system.rank(), 300);
    const Vector prices = Vector::Ones(900), start = Vector::Zero(900);
    for (const Loss &loss : losses) {
        const Settings settings{.tolerance = 1e-6, .max_iterations = 20000};
        const auto &y = data.signs();
        const AdmmResult a = admm(factor, y, prices, loss, settings, start, watch);
        const AdmmResult b = admm(system, y, prices, loss, settings, start, watch);
        EXPECT_EQ(a.status, Status::converged);
        EXPECT_EQ(b.status, Status::converged);
        EXPECT_LT((a.lambda - b.lambda).norm(), 1e-3 * a.lambda.norm());
    }
}

TEST(LowRankAdmm, IsWhatManyRowsGet) {
    const Dataset data(make_moons({.samples = 17000, .noise = 0.15, .flip = 0.1, .seed = 4}));
    const Solution s = Solver(data.samples(), RbfKernel{1})
                           .solve(data.signs(), {.loss = SquaredHingeLoss{}, .C = 0.5},
                                  {.method = Method::admm, .sigma = 0.1});
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_LT(s.report.objective, 0.5 * s.report.constant_objective);
    ASSERT_FALSE(s.report.notes.empty());
    EXPECT_NE(s.report.notes.front().find("rank"), std::string::npos);
}

} // namespace
} // namespace hinge0
