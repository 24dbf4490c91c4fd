/// Distances from products of sparse rows: those that plain sums give, near rows included.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "gram/row_set.hpp"

namespace hinge0 {
namespace {

constexpr Index features = 41; // not a multiple of anything
constexpr double gamma = 0.05;

/// One value in eight; row 1 is row 0 again, row 2 nearly, row 3 is zero.
DenseRows some_rows(Index count) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    DenseRows rows = DenseRows::Zero(count, features);
    for (Index i = 0; i < count; ++i)
        for (Index f = 0; f < features; ++f)
            if (random() % 8 == 0) rows(i, f) = normal(random);
    rows.row(1) = rows.row(0);
    rows.row(2) = rows.row(0);
    rows(2, 5) += 1e-7;
    rows.row(3).setZero();
    return rows;
}

std::vector<Index> all_of(Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

void expect_exact(const Samples &samples, const DenseRows &plain, const RowSet &set,
                  const FeatureSpace &space, Index count) {
    const RightRows right = space.right(set, all_of(count));
    Matrix found(plain.rows(), count);
    kernel_block(space, set, 0, right, 0, {found.data(), plain.rows(), count, plain.rows()});
    for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < plain.rows(); ++i) {
            const double d2 = (plain.row(i) - plain.row(j)).squaredNorm();
            ASSERT_NEAR(found(i, j), std::exp(-gamma * d2), 1e-14) << i << ' ' << j;
            ASSERT_EQ(found(i, j), i < count ? found(j, i) : found(i, j));
        }
    // From the middle on, as part of a larger block.
    Matrix part(3, count - 5);
    kernel_block(space, set, 9, right, 5, {part.data(), 3, count - 5, 3});
    EXPECT_EQ(part, found.block(9, 5, 3, count - 5));
    EXPECT_EQ(row_count(samples), plain.rows());
}

TEST(SparseProducts, GiveThePlainDistances) {
    const DenseRows plain = some_rows(83);
    const SparseRows sparse = plain.sparseView();
    for (const Samples &samples : {Samples(plain), Samples(sparse)}) {
        const FeatureSpace space(RbfKernel{gamma}, samples);
        ASSERT_TRUE(space.is_dense() && space.has_sparse_products());
        const RowSet set = space.prepare(samples, 0, plain.rows());
        for (const Index count : {7, 8, 64, 75}) expect_exact(samples, plain, set, space, count);
        const RowSet picked = space.subset(set, all_of(40));
        expect_exact(DenseRows(plain.topRows(40)), plain.topRows(40), picked, space, 33);
    }
}

TEST(SparseProducts, AreNotUsedWhereTheyWouldLoseDigits) {
    const DenseRows rows = some_rows(50);
    const auto uses = [](const Kernel &kernel, const DenseRows &samples) {
        return FeatureSpace(kernel, samples).has_sparse_products();
    };
    EXPECT_TRUE(uses(RbfKernel{gamma}, rows));
    EXPECT_FALSE(uses(LaplacianKernel{gamma}, rows));
    EXPECT_FALSE(uses(RbfKernel{gamma}, DenseRows(rows.leftCols(20)))); // few features
    DenseRows full = rows;
    full.array() += 0.1; // no value is 0
    EXPECT_FALSE(uses(RbfKernel{gamma}, full));
    DenseRows far = rows;
    far.col(0).array() += 1e3; // all far from 0, near each other
    EXPECT_FALSE(uses(RbfKernel{gamma}, far));
}

TEST(SparseProducts, OfNearRowsAreSummedUpDirectly) {
    const DenseRows plain = some_rows(20);
    const FeatureSpace space(RbfKernel{1e12}, plain);
    const RowSet set = space.prepare(plain, 0, 20);
    const RightRows right = space.right(set, all_of(3));
    Matrix found(3, 3);
    kernel_block(space, set, 0, right, 0, {found.data(), 3, 3, 3});
    EXPECT_EQ(found(0, 1), 1.0);
    const double d2 = (plain.row(0) - plain.row(2)).squaredNorm(); // 1e-14, of squares of about 5
    EXPECT_NEAR(found(0, 2), std::exp(-1e12 * d2), 1e-12);
}

} // namespace
} // namespace hinge0
