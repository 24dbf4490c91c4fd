/// Margins of rows that a hinge SVM has not seen, beside those of SVMs that really have not.
#include "solver/left_out.hpp"

#include <gtest/gtest.h>

#include "hinge0/dataset.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 160;
constexpr double eps = 1e-8;

struct Moons {
    MemoryBudget memory;
    Dataset data{make_moons({.samples = rows, .noise = 0.2, .flip = 0.15, .seed = 7})};
    std::unique_ptr<Gram> gram;
    ColumnCache columns;
    Watch watch;

    explicit Moons(const Kernel &kernel)
        : gram(make_gram(data.samples(), kernel, memory)), columns(*gram, memory) {}
    HingePoint hinge(const Vector &prices) {
        HingePath path;
        return path.point(columns, data.signs(), prices, eps, 1, watch);
    }
    /// The SVM in which row i has no part.
    HingePoint without(Index i, Vector prices) {
        prices(i) = 0;
        return hinge(prices);
    }
};

/// Whether all rows but one are at the same bounds, or between them.
bool has_same_bounds(const Vector &one, const Vector &other, double price, Index apart_from) {
    const auto kind = [&](double alpha) { return alpha == 0 ? 0 : alpha < price ? 1 : 2; };
    for (Index i = 0; i < one.size(); ++i)
        if (i != apart_from && kind(one(i)) != kind(other(i))) return false;
    return true;
}

void compare(const Kernel &kernel, double price) {
    Moons moons(kernel);
    const Vector prices = Vector::Constant(rows, price);
    const HingePoint point = moons.hinge(prices);
    const Vector found = left_out_margins(moons.columns, point, prices);
    int support = 0, exact = 0, same_side = 0;
    for (Index i = 0; i < rows; ++i) {
        if (point.alpha(i) == 0) {
            EXPECT_EQ(found(i), point.margins(i));
            continue;
        }
        EXPECT_LE(found(i), point.margins(i));
        const HingePoint without = moons.without(i, prices);
        const double real = without.margins(i);
        ++support;
        if (has_same_bounds(point.alpha, without.alpha, price, i)) {
            EXPECT_NEAR(found(i), real, 5e-3);
            ++exact;
        }
        same_side += std::abs(real) < 0.1 || (found(i) > 0) == (real > 0) ? 1 : 0;
    }
    ASSERT_GT(support, 20);
    EXPECT_GE(same_side, 0.95 * support);
    EXPECT_GT(exact, 0);
}

TEST(LeftOut, IsWhatTheSvmWithoutTheRowSays) {
    compare(RbfKernel{1.0}, 1.0);
    compare(RbfKernel{8.0}, 1.0);
    compare(LinearKernel{}, 1.0); // more free rows than dimensions: dependent ones
}

TEST(LeftOut, SeesThroughARowThatKeepsItself) {
    Moons moons(RbfKernel{8.0});
    const Vector prices = Vector::Constant(rows, 100.0);
    const HingePoint point = moons.hinge(prices);
    const Vector found = left_out_margins(moons.columns, point, prices);
    const auto wrong = [](const Vector &margins) { return (margins.array() < -0.5).count(); };
    EXPECT_LT(wrong(point.margins), rows / 20); // at this price nearly all labels are learned
    EXPECT_GT(wrong(found), rows / 10);
}

TEST(LeftOut, KnowsARowThatNothingSpans) {
    Moons moons(RbfKernel{1.0});
    const Vector prices = Vector::Constant(rows, 1e-3); // everybody is at the bound
    const HingePoint point = moons.hinge(prices);
    const Vector found = left_out_margins(moons.columns, point, prices);
    for (Index i = 0; i < rows; ++i)
        EXPECT_NEAR(found(i), point.margins(i), point.alpha(i) + 1e-12);
}

} // namespace
} // namespace hinge0
