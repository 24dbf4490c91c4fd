/// Properties that every loss must have: prox unbeaten, multiplier in the subgradient.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hinge0/error.hpp"
#include "hinge0/loss.hpp"

namespace hinge0 {
namespace {

template <class L> class LossTest : public testing::Test {};
using Losses = testing::Types<L0Loss, HingeLoss, SquaredHingeLoss>;
TYPED_TEST_SUITE(LossTest, Losses);

TYPED_TEST(LossTest, ProxIsNeverBeatenByAGrid) {
    const TypeParam loss;
    for (double t = 0.01; t < 4; t *= 1.7)
        for (double v = -3; v <= 3; v += 0.037) {
            const auto cost = [&](double u) { return t * loss.value(u) + (u - v) * (u - v) / 2; };
            const double best = cost(loss.prox(v, t));
            for (double u = -4; u <= 4; u += 0.01)
                ASSERT_LE(best, cost(u) + 1e-12) << v << " " << t;
            ASSERT_LE(best, cost(0.0) + 1e-12);
        }
}

TYPED_TEST(LossTest, ProxStepLiesInTheSubgradient) {
    const TypeParam loss;
    rc::check([&] {
        const double v = *rc::gen::inRange(-30000, 30000) / 10000.0;
        const double t = *rc::gen::inRange(1, 40000) / 10000.0;
        const double u = loss.prox(v, t), slope = (v - u) / t;
        const Interval range = loss.subgradient(u);
        RC_ASSERT(slope >= range.low - 1e-9 && slope <= range.high + 1e-9);
    });
}

TYPED_TEST(LossTest, NearestHoldsTheMultiplier) {
    const TypeParam loss;
    for (double s = -2; s <= 2; s += 0.05)
        for (const double alpha : {0.0, 0.3, 1.0}) {
            const Interval range = loss.subgradient(loss.nearest(s, alpha));
            EXPECT_GE(alpha, range.low - 1e-12);
            EXPECT_LE(alpha, range.high + 1e-12);
        }
}

TYPED_TEST(LossTest, ConstantIsTheBestConstantClassifier) {
    const TypeParam loss;
    for (const double positive : {0.5, 1.0, 4.0}) {
        double best = HUGE_VAL;
        for (double b = -1.5; b <= 1.5; b += 0.0005)
            best = std::min(best, positive * loss.value(1 - b) + 2.0 * loss.value(1 + b));
        for (const double b : {-1.0, 1.0})
            best = std::min(best, positive * loss.value(1 - b) + 2.0 * loss.value(1 + b));
        EXPECT_NEAR(loss.constant(2.0, positive), best, 1e-5);
    }
}

TEST(Loss, L0ProxTakesZeroAtTheThreshold) {
    EXPECT_EQ(L0Loss{}.prox(1.0, 0.5), 0.0);
    EXPECT_GT(L0Loss{}.prox(1.0 + 1e-12, 0.5), 1.0);
    EXPECT_EQ(L0Loss{}.prox(-1.0, 0.5), -1.0);
}

TEST(Loss, Names) {
    for (const char *text : {"l0", "hinge", "squared-hinge"})
        EXPECT_EQ(name(make_loss(text)), text);
    EXPECT_THROW((void)make_loss("ramp"), InvalidInput);
}

} // namespace
} // namespace hinge0
