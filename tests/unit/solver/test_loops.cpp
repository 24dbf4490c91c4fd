/// The loops of every instruction set that this machine can run, held against plain sums.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double eps = 1e-12;

/// Sizes around those of registers and blocks.
const std::vector<Index> sizes{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 103, 200};

class LoopsTest : public testing::TestWithParam<const Loops *> {
protected:
    const Loops &run = *GetParam();
    std::mt19937_64 random{7};

    Vector vector(Index n) {
        std::uniform_real_distribution<double> value(-1, 1);
        return Vector::NullaryExpr(n, [&] { return value(random); });
    }
    Matrix matrix(Index rows, Index cols) {
        std::uniform_real_distribution<double> value(-1, 1);
        return Matrix::NullaryExpr(rows, cols, [&] { return value(random); });
    }
};

TEST_P(LoopsTest, CombineOnlyTheRowsAskedFor) {
    for (const Index n : sizes)
        for (const Index count : {Index{0}, Index{1}, Index{4}, Index{7}}) {
            const Matrix a = matrix(n + 3, count);
            const Vector w = vector(count);
            std::vector<const double *> columns;
            for (Index k = 0; k < count; ++k) columns.push_back(a.col(k).data());
            Vector out = Vector::Constant(n + 3, 5.0);
            run.combine_columns(columns.data(), w.data(), count, 2, n + 2, out.data());
            const Vector expected = a * w;
            for (Index i = 0; i < n; ++i) EXPECT_NEAR(out(i + 2), expected(i + 2), eps);
            EXPECT_EQ(out(0), 5.0);
            EXPECT_EQ(out(1), 5.0);
            EXPECT_EQ(out(n + 2), 5.0);
        }
}

TEST_P(LoopsTest, SolveWithALowerTriangle) {
    for (const Index n : sizes) {
        Matrix lower = matrix(n + 5, n) / 4; // what is above the diagonal is not read
        for (Index i = 0; i < n; ++i) lower(i, i) = 2;
        const Matrix clean = lower.topRows(n).triangularView<Eigen::Lower>();
        const Vector right = vector(n);
        Vector x = right;
        run.solve_lower(lower.data(), n + 5, n, x.data());
        EXPECT_LE((clean * x - right).norm(), eps * (1 + x.norm()));
        x = right;
        run.solve_lower_transposed(lower.data(), n + 5, n, x.data());
        EXPECT_LE((clean.transpose() * x - right).norm(), eps * (1 + x.norm()));
    }
}

TEST_P(LoopsTest, MultiplyAndUpdateMatrices) {
    for (const Index n : sizes)
        for (const Index cols : {Index{0}, Index{1}, Index{6}, Index{8}}) {
            Matrix a = matrix(n + 2, cols);
            const Matrix before = a;
            const Vector x = vector(cols), u = vector(n);
            Vector out(n), back(cols);
            run.multiply(a.data(), n + 2, n, cols, x.data(), out.data());
            EXPECT_LE((out - before.topRows(n) * x).norm(), eps);
            run.multiply_transposed(a.data(), n + 2, n, cols, u.data(), back.data());
            EXPECT_LE((back - before.topRows(n).transpose() * u).norm(), eps);
            run.add_outer(a.data(), n + 2, n, cols, u.data(), x.data());
            EXPECT_LE((a.topRows(n) - before.topRows(n) - u * x.transpose()).norm(), eps);
            EXPECT_EQ(a.bottomRows(2), before.bottomRows(2));
        }
}

TEST_P(LoopsTest, Rotate) {
    for (const Index n : sizes) {
        const Vector a = vector(n), b = vector(n);
        Vector left = a, right = b;
        run.rotate(left.data(), right.data(), n, 0.6, 0.8);
        EXPECT_LE((left - 0.6 * a - 0.8 * b).norm(), eps);
        EXPECT_LE((right - 0.6 * b + 0.8 * a).norm(), eps);
    }
}

TEST_P(LoopsTest, FindTheLeastAndTheGreatest) {
    for (const Index n : sizes) {
        const Vector a = vector(n);
        Vector closed = Vector::Zero(n);
        for (Index i = 0; i < n; i += 3) closed(i) = inf;
        const double least = run.least_sum(a.data(), closed.data(), n);
        const double greatest = run.greatest_difference(a.data(), closed.data(), n);
        double low = inf, high = -inf;
        Index first = -1;
        for (Index i = 0; i < n; ++i) {
            if (a(i) + closed(i) < low) {
                low = a(i);
                first = i;
            }
            high = std::max(high, a(i) - closed(i));
        }
        EXPECT_EQ(least, low);
        EXPECT_EQ(greatest, high);
        EXPECT_EQ(run.find_sum(a.data(), closed.data(), n, least), n > 1 ? first : n - 1);
        EXPECT_EQ(run.find_sum(a.data(), closed.data(), n, 3.0), -1);
        std::vector<Index> listed(static_cast<std::size_t>(n)), below;
        for (Index i = 0; i < n; ++i)
            if (a(i) + closed(i) < 0.1) below.push_back(i);
        listed.resize(static_cast<std::size_t>(
            run.list_below(a.data(), closed.data(), n, 0.1, listed.data())));
        EXPECT_EQ(listed, below);
        double sum = 0;
        for (Index i = 0; i < n; ++i) sum += a(i) < 0.1 ? a(n - 1 - i) : 0.0;
        const Vector weights = a.reverse();
        EXPECT_NEAR(run.sum_below(a.data(), weights.data(), n, 0.1), sum, eps);
    }
}

TEST_P(LoopsTest, ShortenAStepToTheFirstThatReachesZero) {
    for (const Index n : sizes) {
        const Vector values = vector(n).cwiseAbs(), rates = vector(n);
        Vector in_force = Vector::Ones(n);
        for (Index i = 0; i < n; i += 4) in_force(i) = 0;
        for (const double longest : {inf, 0.3}) {
            double expected = longest, step = longest;
            Index first = -1;
            for (Index i = 0; i < n; ++i)
                if (in_force(i) > 0 && rates(i) < 0 && values(i) / -rates(i) < expected) {
                    expected = values(i) / -rates(i);
                    first = i;
                }
            EXPECT_EQ(run.shorten(values.data(), rates.data(), in_force.data(), n, &step), first);
            EXPECT_EQ(step, expected);
        }
    }
    const double below = -1e-12, falls = -1, one = 1; // rounding: not a step backwards
    double step = 1;
    EXPECT_EQ(run.shorten(&below, &falls, &one, 1, &step), 0);
    EXPECT_EQ(step, 0);
}

TEST_P(LoopsTest, WeighPairs) {
    for (const Index n : sizes) {
        const Vector f = vector(n), column = vector(n) / 4, diagonal = Vector::Ones(n);
        Vector closed = Vector::Zero(n), gains(n), moved = f;
        for (Index i = 0; i < n; i += 5) closed(i) = inf;
        double best = 0;
        const Index at = run.pair_gains(f.data(), closed.data(), column.data(), diagonal.data(),
                                        1.0, -0.2, n, gains.data(), &best);
        double largest = 0;
        for (Index i = 0; i < n; ++i) {
            const double gap = f(i) + 0.2;
            const double gain = gap * gap / (2 - 2 * column(i));
            EXPECT_NEAR(gains(i), closed(i) > 0 || gap <= 0 ? 0.0 : gain, eps);
            largest = std::max(largest, gains(i));
        }
        EXPECT_EQ(best, largest);
        const auto is_first = [](const Vector &values, Index where, double value) {
            return where < values.size() && values(where) == value &&
                   (values.head(where).array() != value).all();
        };
        EXPECT_TRUE(n == 0 || is_first(gains, at, largest)) << n;
        const Extremes found = run.add_difference(f.data(), column.data(), 0.5, closed.data(),
                                                  column.data(), n, moved.data());
        EXPECT_LE((moved - 1.5 * f + 0.5 * column).norm(), eps);
        if (n < 2) continue; // of 0 and 1 rows none may rise
        const Vector above = moved + closed, below = moved - column;
        EXPECT_EQ(found.least, above.minCoeff());
        EXPECT_TRUE(is_first(above, found.at, found.least)) << n;
        EXPECT_EQ(found.greatest, below.maxCoeff());
    }
}

INSTANTIATE_TEST_SUITE_P(AllInstructionSets, LoopsTest, testing::ValuesIn(usable_loops()),
                         [](const auto &variant) { return std::to_string(variant.index); });

} // namespace
} // namespace hinge0
