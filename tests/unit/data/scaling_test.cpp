/// Scaling: against sums done in long double, at the ends of the number range, and its refusals.
#include <cmath>
#include <random>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

SparseRows sparse(const DenseRows &rows) { return rows.sparseView(); }

TEST(Scaling, BringsFeaturesToMeanZeroAndDeviationOne) {
    DenseRows rows(4, 2);
    rows << 1, 10, 2, 20, 3, 30, 6, 60;
    const Scaling scaling = standard_scaling(rows);
    EXPECT_DOUBLE_EQ(scaling.mean[0], 3);
    EXPECT_DOUBLE_EQ(scaling.scale[0], std::sqrt(3.5));
    EXPECT_DOUBLE_EQ(scaling.scale[1], 10 * std::sqrt(3.5));
    const DenseRows result = dense(scaled(scaling, rows));
    EXPECT_NEAR(result.colwise().sum().norm(), 0, 1e-14);
    EXPECT_NEAR((result.colwise().squaredNorm().array() - 4).matrix().norm(), 0, 1e-14);
}

TEST(Scaling, AgreesWithLongDoubleFarFromTheOrigin) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    DenseRows rows(1000, 1);
    for (double &x : rows.reshaped()) x = 1e9 + normal(random);
    long double sum = 0, squares = 0;
    for (const double x : rows.reshaped()) sum += x;
    for (const double x : rows.reshaped()) squares += (x - sum / 1000) * (x - sum / 1000);
    const Scaling scaling = standard_scaling(rows);
    EXPECT_DOUBLE_EQ(scaling.mean[0], static_cast<double>(sum / 1000));
    EXPECT_NEAR(scaling.scale[0], static_cast<double>(std::sqrt(squares / 1000)), 1e-13);
}

TEST(Scaling, SparseEqualsDense) {
    std::mt19937_64 random(8);
    DenseRows rows = DenseRows::Zero(50, 7);
    for (double &x : rows.reshaped())
        if (random() % 3 == 0) x = static_cast<double>(random() % 1000) - 300;
    const Scaling a = standard_scaling(rows), b = standard_scaling(sparse(rows));
    EXPECT_LT((a.mean - b.mean).norm(), 1e-12);
    EXPECT_LT((a.scale - b.scale).norm(), 1e-12);
    EXPECT_EQ(dense(scaled(a, rows)), dense(scaled(a, sparse(rows))));
    EXPECT_TRUE(std::holds_alternative<DenseRows>(scaled(a, sparse(rows))));
}

TEST(Scaling, ConstantFeaturesAreOnlyShifted) {
    DenseRows rows(3, 4);
    rows << 0, 5, 0.1, 1e300, 0, 5, 0.1, 1e300, 0, 5, 0.1, 1e300;
    const Scaling scaling = standard_scaling(rows);
    EXPECT_EQ(scaling.scale, Vector::Ones(4));
    EXPECT_LT(dense(scaled(scaling, rows)).leftCols(3).norm(), 1e-15);
    EXPECT_EQ(standard_scaling(sparse(rows)).scale, Vector::Ones(4));
    EXPECT_EQ(standard_scaling(rows.topRows(1).eval()).scale, Vector::Ones(4));
}

TEST(Scaling, HoldsAtTheEndsOfTheRange) {
    DenseRows rows(4, 2);
    rows << 1.7e308, 5e-324, -1.7e308, 0, -1.7e308, 0, -1.7e308, 0;
    const Scaling scaling = standard_scaling(rows);
    ASSERT_TRUE(scaling.mean.allFinite() && scaling.scale.allFinite());
    EXPECT_DOUBLE_EQ(scaling.mean[0], -0.85e308);
    const DenseRows result = dense(scaled(scaling, rows)); // 1.7e308 - mean overflows
    EXPECT_NEAR(result(0, 0), std::sqrt(3.0), 1e-12);
    EXPECT_TRUE(result.allFinite());
}

TEST(Scaling, EmptyScalingCopies) {
    const DenseRows rows = DenseRows::Random(3, 2);
    EXPECT_EQ(dense(scaled({}, rows)), rows);
    EXPECT_TRUE(std::holds_alternative<SparseRows>(scaled({}, sparse(rows))));
}

TEST(Scaling, MissingSparseColumnsAreZeros) {
    Scaling scaling{Vector::Constant(3, 1.0), Vector::Constant(3, 2.0)};
    const DenseRows rows = DenseRows::Ones(2, 2);
    DenseRows expected(2, 3);
    expected << 0, 0, -0.5, 0, 0, -0.5;
    EXPECT_EQ(dense(scaled(scaling, sparse(rows))), expected);
}

TEST(Scaling, Refuses) {
    const Scaling scaling{Vector::Zero(2), Vector::Constant(2, 1e-300)};
    const auto refusal = [&](const Samples &samples) {
        return message_of<InvalidInput>([&] { static_cast<void>(scaled(scaling, samples)); });
    };
    EXPECT_EQ(refusal(DenseRows(DenseRows::Ones(1, 3))),
              "the data has 3 features, but the scaling is for 2");
    EXPECT_EQ(refusal(sparse(DenseRows::Ones(1, 3))),
              "the data has 3 features, but the scaling is for 2");
    EXPECT_EQ(refusal(DenseRows(DenseRows::Ones(1, 1))),
              "the data has 1 features, but the scaling is for 2");
    DenseRows rows = DenseRows::Zero(3, 2);
    rows(2, 1) = 1e300;
    EXPECT_EQ(refusal(rows), "feature 2 of row 3 is not finite after scaling");
    EXPECT_EQ(
        message_of<InvalidInput>([] { static_cast<void>(standard_scaling(DenseRows(0, 2))); }),
        "the data has no rows");
}

TEST(Scaling, RefusesDenseRowsThatDoNotFit) {
    const SparseRows rows(1'000'000, 1);
    const Scaling scaling{Vector::Zero(100'000), Vector::Ones(100'000)};
    const std::string message =
        message_of<OutOfMemory>([&] { static_cast<void>(scaled(scaling, rows)); });
    EXPECT_TRUE(message.starts_with("scaling to dense rows needs 745 GiB, ")) << message;
}

} // namespace
