/// Blocks against naive formulas, the tiled factor against its definition, equal bits for threads.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "gram/factor/low_rank_system.hpp"
#include "gram/factor/shifted_factor.hpp"
#include "gram/ridge_gram.hpp"
#include "gram/row_set.hpp"
#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

std::vector<Index> all_of(Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) rows[static_cast<std::size_t>(i)] = i;
    return rows;
}

Matrix block_of(const Kernel &kernel, const Samples &a, const Samples &z) {
    const FeatureSpace space(kernel, z);
    const RowSet left = space.prepare(a, 0, row_count(a)),
                 right = space.prepare(z, 0, row_count(z));
    Matrix out(row_count(a), row_count(z));
    kernel_block(space, left, 0, space.right(right, all_of(right.count)), 0,
                 {out.data(), out.rows(), out.cols(), out.rows()});
    return out;
}

double largest_difference(const Matrix &a, const Matrix &b) {
    return (a - b).cwiseAbs().maxCoeff();
}

TEST(KernelBlock, DenseMatchesDefinition) {
    const DenseRows a = test::random_rows(37, 6, 1), z = test::random_rows(21, 6, 2);
    for (const Kernel &kernel : test::every_kernel(6))
        EXPECT_LT(largest_difference(block_of(kernel, a, z), test::naive_gram(kernel, a, z)), 1e-12)
            << name(kernel);
}

TEST(KernelBlock, DistanceKernelsStayAccurateFarFromTheOrigin) {
    const DenseRows a = test::random_rows(30, 4, 3, 1e6);
    const Kernel rbf = RbfKernel{0.5};
    EXPECT_LT(largest_difference(block_of(rbf, a, a), test::naive_gram(rbf, a, a)), 1e-9);
}

/// One outlier once took the digits of all rows with it.
TEST(KernelBlock, AnOutlierCostsOrdinaryRowsNothing) {
    DenseRows a = test::random_rows(60, 3, 4);
    a(7, 1) = 1e16;
    for (const Kernel &kernel : test::every_kernel(3)) {
        if (name(kernel) == "linear" || name(kernel) == "poly") continue;
        EXPECT_LT(largest_difference(block_of(kernel, a, a), test::naive_gram(kernel, a, a)), 1e-12)
            << name(kernel);
    }
}

// Few features: stored densely; many features and few values: stored sparse. Both sides may be
// given dense or sparse, and the left may have features that the right has not.
TEST(KernelBlock, SparseMatchesDense) {
    for (const Index features : {40, 2000}) {
        const SparseRows a = test::random_sparse_rows(19, features, 0.01, 4);
        const SparseRows z = test::random_sparse_rows(23, features, 0.01, 5);
        const DenseRows dense_a(a), dense_z(z);
        for (const Kernel &kernel : test::every_kernel(static_cast<int>(features))) {
            const Matrix expected = test::naive_gram(kernel, dense_a, dense_z);
            EXPECT_LT(largest_difference(block_of(kernel, a, z), expected), 1e-9) << name(kernel);
            EXPECT_LT(largest_difference(block_of(kernel, dense_a, z), expected), 1e-9);
            EXPECT_LT(largest_difference(block_of(kernel, a, dense_z), expected), 1e-9);
        }
    }
}

/// Large features in common, a small difference: |a|^2 + |z|^2 - 2 a.z would be rounding.
TEST(KernelBlock, SparseRowsThatNearlyCoincide) {
    SparseRows x = test::random_sparse_rows(2, 4000, 0.01, 6);
    SparseRows twin(2, 4000);
    for (Index i = 0; i < 2; ++i) {
        twin.startVec(i);
        for (SparseRows::InnerIterator it(x, 0); it; ++it)
            twin.insertBack(i, it.col()) = 1e6 * it.value() + (i == 1 ? 0.01 : 0.0);
    }
    twin.finalize();
    const Kernel kernel = ExponentialKernel{1.0};
    const DenseRows dense(twin);
    EXPECT_LT(
        largest_difference(block_of(kernel, twin, twin), test::naive_gram(kernel, dense, dense)),
        1e-8);
}

TEST(KernelBlock, HugeFeatureNumbersCostNothing) {
    SparseRows x(2, 2147483647);
    x.startVec(0);
    x.insertBack(0, 5) = 1.0;
    x.startVec(1);
    x.insertBack(1, 2147483646) = 2.0;
    x.finalize();
    EXPECT_NEAR(block_of(RbfKernel{0.1}, x, x)(0, 1), std::exp(-0.5), 1e-12);
}

TEST(KernelBlock, SymmetricAndPositiveSemidefinite) {
    const DenseRows x = test::random_rows(60, 3, 6);
    for (const Kernel &kernel : test::every_kernel(3)) {
        const Matrix k = block_of(kernel, x, x);
        EXPECT_EQ(k, Matrix(k.transpose())) << name(kernel);
        const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
        EXPECT_GT(values.minCoeff(), -1e-6 * values.maxCoeff()) << name(kernel);
    }
}

/// A value is that of its two rows, whatever stands around them.
TEST(KernelBlock, ValuesDoNotDependOnTheirNeighbours) {
    const DenseRows x = test::random_rows(61, 9, 7);
    const std::vector<Index> some{60, 3, 17, 18, 19, 40, 41, 42, 43, 44, 45, 46};
    for (const Kernel &kernel : test::every_kernel(9)) {
        const Matrix whole = block_of(kernel, x, x);
        const DenseRows part = x(some, Eigen::all);
        EXPECT_EQ(block_of(kernel, part, part), Matrix(whole(some, some))) << name(kernel);
    }
}

TEST(KernelBlock, RefusesValuesThatAreTooLargeNamingTheRows) {
    DenseRows x = test::random_rows(5, 3, 7);
    x(3, 1) = 1e200;
    const auto message = [&](const Kernel &kernel) {
        try {
            (void)block_of(kernel, x, x);
        } catch (const InvalidInput &e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(message(RbfKernel{}), "accepted"); // as far as can be: the value is 0
    EXPECT_NE(message(LinearKernel{}).find("of row 4 and row 1 is"), std::string::npos);
    EXPECT_NE(message(PolynomialKernel{}).find("too large for the kernel matrix"),
              std::string::npos);
    EXPECT_NE(message(InverseMultiquadricKernel{.coef0 = 0.1, .beta = 200}).find("row 1 and row 1"),
              std::string::npos);
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
        Watch watch;
        ASSERT_TRUE(factor.factor(watch));
        Vector x = rhs;
        ASSERT_TRUE(factor.solve(x.data(), watch));
        EXPECT_LT((a * x - rhs).norm(), 1e-10 * static_cast<double>(m) * (1 + rhs.norm()));
        if (first.size() == 0) first = x;
        EXPECT_EQ(first, x) << threads << " threads";
    }
}

TEST(ShiftedFactor, RefusesAnIndefiniteMatrixAndTooLittleMemory) {
    DenseRows k(2, 2);
    k << 1, 2, 2, 1;
    MemoryBudget memory, little(1000);
    Watch watch;
    const auto gram = make_gram(k, PrecomputedKernel{}, memory);
    EXPECT_THROW(ShiftedFactor(*gram, 0.1, 1, memory, watch), NumericalError);
    EXPECT_THROW(check_semidefinite(*gram, 1, memory, watch), NumericalError);
    EXPECT_NO_THROW(ShiftedFactor(*gram, 2.0, 1, memory, watch));
    EXPECT_THROW(ShiftedFactor(*gram, 2.0, 1, little, watch), OutOfMemory);
}

TEST(ShiftedFactor, SolvesForEveryKernel) {
    const DenseRows x = test::random_rows(300, 4, 10);
    const Vector c = test::random_rows(300, 1, 11);
    MemoryBudget memory;
    Watch watch;
    for (const Kernel &kernel : test::every_kernel(4)) {
        const Matrix k = test::naive_gram(kernel, x, x);
        const auto gram = make_gram(x, kernel, memory);
        ShiftedFactor factor(*gram, 0.5, 2, memory, watch);
        Vector out(300);
        ASSERT_TRUE(factor.solve(c, out, watch));
        const Vector residual = k * out + 0.5 * out - c;
        EXPECT_LT(residual.norm(), 1e-9 * (1 + k.norm() * out.norm())) << name(kernel);
    }
}

TEST(ShiftedFactor, StopsWhenToldAndHoldsBackWhatTheObserverThrows) {
    MemoryBudget memory;
    const auto gram = make_gram(test::random_rows(3000, 4, 12), RbfKernel{}, memory);
    Watch never([](const Progress &) { return false; });
    EXPECT_THROW(ShiftedFactor(*gram, 0.5, 2, memory, never), Interrupted);
    Watch angry([](const Progress &) -> bool { throw std::runtime_error("no more"); });
    EXPECT_THROW(ShiftedFactor(*gram, 0.5, 2, memory, angry), Interrupted);
    EXPECT_THROW(angry.rethrow(), std::runtime_error);
}

/// The matrix that the factor stands for, and what it leaves out.
TEST(LowRankSystem, IsAsNearToTheKernelMatrixAsItSays) {
    const DenseRows x = test::random_rows(5000, 2, 13);
    const RbfKernel kernel{0.3};
    MemoryBudget memory;
    Watch watch;
    const auto gram = make_gram(x, kernel, memory);
    for (const double error : {1e-2, 1e-6}) {
        LowRankSystem system(*gram, 0.5, error, 2, memory, watch);
        EXPECT_LE(system.largest_error(), error);
        EXPECT_LT(system.rank(), 400);
        const Vector c = test::random_rows(5000, 1, 14);
        Vector out(5000), product(5000);
        ASSERT_TRUE(system.solve(c, out, watch));
        gram->apply(all_of(5000), all_of(5000), out, 2, product);
        // |K - GG'| <= its trace <= m times its largest entry
        const double most = 5000 * system.largest_error() * out.norm();
        EXPECT_LE((product + 0.5 * out - c).norm(), most + 1e-9 * c.norm());
    }
}

/// K + I/2 of random rows, and a right-hand side.
struct Equation {
    MemoryBudget memory{};
    Watch watch{};
    std::unique_ptr<Gram> gram;
    Vector right, out;

    Equation(int rows, int features, double gamma)
        : gram(make_gram(test::random_rows(rows, features, 15), RbfKernel{gamma}, memory)),
          right(test::random_rows(rows, 1, 16)), out(rows) {}
};

TEST(LowRankSystem, OfAFullRankIsTheFactor) {
    Equation e(300, 4, 2);
    ShiftedFactor factor(*e.gram, 0.5, 1, e.memory, e.watch);
    LowRankSystem system(*e.gram, 0.5, 1e-14, 1, e.memory, e.watch);
    ASSERT_TRUE(factor.solve(e.right, e.out, e.watch));
    const Vector expected = e.out;
    ASSERT_TRUE(system.solve(e.right, e.out, e.watch));
    EXPECT_LT((e.out - expected).norm(), 1e-9 * expected.norm());
}

TEST(LowRankSystem, HasTheSameBitsForAnyNumberOfThreads) {
    Equation e(9000, 3, 0.3);
    Vector first;
    for (const int threads : {1, 3}) {
        LowRankSystem system(*e.gram, 0.5, 1e-3, threads, e.memory, e.watch);
        ASSERT_TRUE(system.solve(e.right, e.out, e.watch));
        if (first.size() == 0) first = e.out;
        EXPECT_EQ(first, e.out);
    }
}

TEST(LowRankSystem, TakesAsManyColumnsAsFitAndCanBeStopped) {
    MemoryBudget little(2e6), memory;
    Watch watch, never([](const Progress &) { return false; });
    const auto gram = make_gram(test::random_rows(1000, 8, 19), RbfKernel{1}, memory);
    const LowRankSystem system(*gram, 0.5, 1e-6, 1, little, watch);
    EXPECT_LT(system.rank(), 200);
    EXPECT_GT(system.largest_error(), 1e-6);
    EXPECT_THROW(LowRankSystem(*gram, 0.5, 1e-6, 1, memory, never), Interrupted);
}

TEST(RidgeGram, AddsToTheDiagonalWhereverItIsAskedFor) {
    const DenseRows x = test::random_rows(40, 3, 20);
    MemoryBudget memory;
    const auto gram = make_gram(x, RbfKernel{1}, memory);
    const Vector ridge = Vector::LinSpaced(40, 1, 2);
    const RidgeGram ridged(*gram, ridge);
    Matrix expected = test::naive_gram(RbfKernel{1}, x, x);
    expected.diagonal() += ridge;
    const std::vector<Index> rows{7, 3, 7, 39}, columns{3, 0, 7};
    Matrix block(4, 3);
    ridged.block(rows, columns, 1, block.data());
    EXPECT_LT(largest_difference(block, expected(rows, columns)), 1e-12);
    const Vector w = Vector::LinSpaced(3, -1, 2);
    Vector out(4);
    ridged.apply(rows, columns, w, 1, out);
    EXPECT_LT((out - expected(rows, columns) * w).norm(), 1e-12);
    const std::vector<Index> some{5, 2};
    const auto part = ridged.part(some, memory);
    EXPECT_EQ(part->diagonal(), Vector(ridged.diagonal()(some)));
    Matrix small(2, 2);
    part->block(all_of(2), all_of(2), 1, small.data());
    EXPECT_LT(largest_difference(small, expected(some, some)), 1e-12);
}

} // namespace
} // namespace hinge0
