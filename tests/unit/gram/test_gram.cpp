/// Tiles against naive formulas, the tiled factor against its definition, equal bits for threads.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "gram/gram.hpp"
#include "gram/row_set.hpp"
#include "gram/tiled_cholesky.hpp"
#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

Matrix tile_of(const Kernel &kernel, const Samples &a, const Samples &z) {
    const FeatureSpace space(kernel, z);
    const RowSet left = space.prepare(a, 0, row_count(a)),
                 right = space.prepare(z, 0, row_count(z));
    Matrix out(row_count(a), row_count(z));
    kernel_tile(space, left, 0, right, 0, {out.data(), out.rows(), out.cols(), out.rows()});
    return out;
}

double largest_difference(const Matrix &a, const Matrix &b) {
    return (a - b).cwiseAbs().maxCoeff();
}

TEST(KernelTile, DenseMatchesDefinition) {
    const DenseRows a = test::random_rows(37, 6, 1), z = test::random_rows(21, 6, 2);
    for (const Kernel &kernel : test::every_kernel(6))
        EXPECT_LT(largest_difference(tile_of(kernel, a, z), test::naive_gram(kernel, a, z)), 1e-7)
            << name(kernel);
}

TEST(KernelTile, DistanceKernelsStayAccurateFarFromTheOrigin) {
    const DenseRows a = test::random_rows(30, 4, 3, 1e6);
    const Kernel rbf = RbfKernel{0.5};
    EXPECT_LT(largest_difference(tile_of(rbf, a, a), test::naive_gram(rbf, a, a)), 1e-9);
}

// Few features: stored densely; many features and few values: stored sparse. Both sides may be
// given dense or sparse, and the left may have features that the right has not.
TEST(KernelTile, SparseMatchesDense) {
    for (const Index features : {40, 2000}) {
        const SparseRows a = test::random_sparse_rows(19, features, 0.01, 4);
        const SparseRows z = test::random_sparse_rows(23, features, 0.01, 5);
        const DenseRows dense_a(a), dense_z(z);
        for (const Kernel &kernel : test::every_kernel(static_cast<int>(features))) {
            const Matrix expected = test::naive_gram(kernel, dense_a, dense_z);
            EXPECT_LT(largest_difference(tile_of(kernel, a, z), expected), 1e-7) << name(kernel);
            EXPECT_LT(largest_difference(tile_of(kernel, dense_a, z), expected), 1e-7);
            EXPECT_LT(largest_difference(tile_of(kernel, a, dense_z), expected), 1e-7);
        }
    }
}

TEST(KernelTile, HugeFeatureNumbersCostNothing) {
    SparseRows x(2, 2147483647);
    x.startVec(0);
    x.insertBack(0, 5) = 1.0;
    x.startVec(1);
    x.insertBack(1, 2147483646) = 2.0;
    x.finalize();
    EXPECT_NEAR(tile_of(RbfKernel{0.1}, x, x)(0, 1), std::exp(-0.5), 1e-12);
}

TEST(KernelTile, SymmetricAndPositiveSemidefinite) {
    const DenseRows x = test::random_rows(60, 3, 6);
    for (const Kernel &kernel : test::every_kernel(3)) {
        const Matrix k = tile_of(kernel, x, x);
        EXPECT_LT(largest_difference(k, k.transpose()), 1e-12) << name(kernel);
        const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
        EXPECT_GT(values.minCoeff(), -1e-6 * values.maxCoeff()) << name(kernel);
    }
}

TEST(FeatureSpace, RefusesValuesThatOverflowTheKernel) {
    DenseRows x = test::random_rows(5, 3, 7);
    x(3, 1) = 1e200;
    for (const Kernel &kernel : {Kernel(RbfKernel{}), Kernel(PolynomialKernel{})}) {
        try {
            (void)tile_of(kernel, x, x);
            ADD_FAILURE() << "accepted";
        } catch (const InvalidInput &e) {
            EXPECT_NE(std::string(e.what()).find("too large for the kernel"), std::string::npos);
        }
    }
}

class Cholesky : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Cholesky, testing::Values(1, 2, 255, 256, 257, 700));

TEST_P(Cholesky, SolvesWithTheSameBitsForAnyNumberOfThreads) {
    const Index m = GetParam();
    const Matrix half = test::random_rows(m, m, 8);
    const Matrix a = half * half.transpose() + Matrix::Identity(m, m);
    const Vector rhs = test::random_rows(m, 1, 9);
    Vector first;
    for (const int threads : {1, 2, 3}) {
        TiledCholesky factor(m, threads);
        for (Index i = 0; i < factor.tile_count(); ++i)
            for (Index j = 0; j <= i; ++j) {
                const blas::Block block = factor.block(i, j);
                Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(block.data, block.rows, block.cols,
                                                            Eigen::OuterStride<>(block.stride)) =
                    a.block(i * TiledCholesky::tile, j * TiledCholesky::tile, block.rows,
                            block.cols);
            }
        Poll poll({});
        ASSERT_TRUE(factor.factor(poll));
        Vector x = rhs;
        ASSERT_TRUE(factor.solve(x.data(), poll));
        EXPECT_LT((a * x - rhs).norm(), 1e-10 * static_cast<double>(m) * (1 + rhs.norm()));
        if (first.size() == 0) first = x;
        EXPECT_EQ(first, x) << threads << " threads";
    }
}

TEST(DenseGram, FactorRefusesAnIndefiniteMatrixAndTooLittleMemory) {
    DenseRows k(2, 2);
    k << 1, 2, 2, 1;
    const auto gram = make_dense_gram(k, PrecomputedKernel{}, 0);
    Poll poll({});
    EXPECT_THROW(gram->factor(0.1, 0, poll, poll), NumericalError);
    try {
        gram->factor(2.0, 1000, poll, poll);
    } catch (const OutOfMemory &) {
        FAIL() << "the memory is already there";
    }
    const auto other = make_dense_gram(k, LinearKernel{}, 0);
    EXPECT_THROW(other->factor(0.1, 1000, poll, poll), OutOfMemory);
}

TEST(DenseGram, AppliesAndSolvesForEveryKernel) {
    const DenseRows x = test::random_rows(300, 4, 10);
    const Vector c = test::random_rows(300, 1, 11);
    std::vector<Index> some{3, 77, 299};
    for (const Kernel &kernel : test::every_kernel(4)) {
        const Matrix k = test::naive_gram(kernel, x, x);
        const auto gram = make_dense_gram(x, kernel, 0);
        Vector out(300);
        gram->apply(some, Vector(c(some)), out);
        EXPECT_LT((out - k(Eigen::all, some) * c(some)).norm(), 1e-6) << name(kernel);
        Poll poll({});
        gram->factor(0.5, 0, poll, poll);
        ASSERT_TRUE(gram->solve(c, out, poll));
        const Vector residual = k * out + 0.5 * out - c;
        EXPECT_LT(residual.norm(), 1e-5 * (1 + k.norm() * out.norm())) << name(kernel);
    }
}

TEST(DenseGram, StopsWhenTold) {
    const auto gram = make_dense_gram(test::random_rows(3000, 4, 12), RbfKernel{}, 0);
    Poll never([](double) { return false; });
    Poll poll({});
    EXPECT_THROW(gram->factor(0.5, 0, poll, never), Interrupted);
}

} // namespace
} // namespace hinge0
