/// Sample weights: 2 is the row twice, 0 is no row, to the last bit; and verify agrees.
#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace hinge0 {
namespace {

struct Case {
    Loss loss;
    Kernel kernel;
};

/// Rows with weights 0 to 3, and the same rows repeated so often, in another order.
struct Twins {
    Dataset weighted, repeated;
    Vector weight;
};

Twins twins(unsigned seed) {
    const DenseRows x = test::random_rows(40, 3, seed);
    std::vector<int> labels, copies;
    std::vector<Index> rows;
    Vector weight(x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
        labels.push_back(x(i, 0) + 0.7 * x(i, 1) * x(i, 2) > 0 ? 1 : -1);
        weight(i) = static_cast<double>((i * 7 + static_cast<Index>(seed)) % 4);
    }
    for (Index i = x.rows() - 1; i >= 0; --i)
        for (int k = 0; k < static_cast<int>(weight(i)); ++k) {
            rows.push_back(i);
            copies.push_back(labels[static_cast<std::size_t>(i)]);
        }
    return {test::dataset(x, labels), test::dataset(DenseRows(x(rows, Eigen::all)), copies),
            weight};
}

TEST(Weights, AreRepetitionToTheLastBit) {
    for (const Case &c : {Case{L0Loss{}, RbfKernel{0.4}}, Case{HingeLoss{}, RbfKernel{0.4}},
                          Case{SquaredHingeLoss{}, LinearKernel{}}, Case{L0Loss{}, LinearKernel{}}})
        for (unsigned seed = 0; seed < 4; ++seed) {
            const Twins pair = twins(seed);
            const Objective plain{.loss = c.loss, .C = 2};
            Objective weights = plain;
            weights.sample_weight = pair.weight;
            test::Trainer one(pair.weighted, c.kernel), two(pair.repeated, c.kernel);
            const Solution a = one.solve(weights), z = two.solve(plain);
            EXPECT_EQ(a.bias, z.bias);
            EXPECT_NEAR(a.report.objective, z.report.objective, 1e-12 * z.report.objective);
            EXPECT_NEAR(a.report.constant_objective, z.report.constant_objective, 1e-12);
            // the coefficient of a group is the sum over its rows, however it is dealt out
            EXPECT_NEAR(a.coefficients.cwiseAbs().sum(), z.coefficients.cwiseAbs().sum(), 1e-9);
            const Verification checked = verify(one.model(a, weights), pair.weighted, pair.weight);
            EXPECT_NEAR(checked.objective, a.report.objective, 1e-9 * a.report.objective);
            EXPECT_EQ(checked.certificate.local_minimum, a.report.certificate.local_minimum);
            EXPECT_EQ(checked.violators, a.report.violators);
            EXPECT_EQ(static_cast<Index>(z.violators.size()), z.report.violators);
            EXPECT_EQ(verify(two.model(z, plain), pair.repeated).violators, z.report.violators);
        }
}

TEST(Weights, OfZeroLeaveRowsOutOfAKernelMatrix) {
    const DenseRows x = test::random_rows(30, 2, 5);
    std::vector<int> labels;
    std::vector<Index> kept;
    Vector weight(30);
    for (Index i = 0; i < 30; ++i) {
        labels.push_back(x(i, 0) > 0 ? 1 : -1);
        weight(i) = i % 3 == 0 ? 0 : 1;
        if (weight(i) > 0) kept.push_back(i);
    }
    const DenseRows K = x * x.transpose();
    std::vector<int> part;
    part.reserve(kept.size());
    for (const Index i : kept) part.push_back(labels[static_cast<std::size_t>(i)]);
    test::Trainer all(test::dataset(K, labels), PrecomputedKernel{});
    test::Trainer some(test::dataset(DenseRows(K(kept, kept)), part), PrecomputedKernel{});
    const Solution a = all.solve({.sample_weight = weight}), z = some.solve({});
    EXPECT_EQ(Vector(a.coefficients(kept)), z.coefficients);
    EXPECT_EQ(a.bias, z.bias);
    EXPECT_EQ(a.report.train_accuracy, z.report.train_accuracy);
}

TEST(Weights, MayChangeFromSolveToSolve) {
    const Twins pair = twins(1);
    const RbfKernel kernel{0.4};
    test::Trainer once(pair.weighted, kernel);
    const Solution plain = once.solve({});
    const Solution weighted = once.solve({.sample_weight = pair.weight});
    EXPECT_EQ(once.solve({}).coefficients, plain.coefficients);
    EXPECT_EQ(
        test::Trainer(pair.weighted, kernel).solve({.sample_weight = pair.weight}).coefficients,
        weighted.coefficients);
}

} // namespace
} // namespace hinge0
