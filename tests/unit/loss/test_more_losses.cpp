/// The other losses: their formulas, and a prox that no point of a fine grid beats.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hinge0/more_losses.hpp"

namespace hinge0 {
namespace {

const std::vector<OtherLoss> every_loss{
    RampLoss{},           TruncatedSquaresLoss{}, PinballLoss{},           TruncatedPinballLoss{},
    TruncatedHuberLoss{}, TruncatedScadLoss{},    SmoothExponentialLoss{}, SmoothLogLoss{}};

double value(const OtherLoss &loss, double u) {
    return std::visit([&](const auto &l) { return l.value(u); }, loss);
}
double prox(const OtherLoss &loss, double v, double t) {
    return std::visit([&](const auto &l) { return l.prox(v, t); }, loss);
}

TEST(MoreLosses, AreTheFormulasOfTheLiterature) {
    const auto plus = [](double u) { return std::max(u, 0.0); };
    const std::map<std::string, std::function<double(double)>> formulas{
        {"ramp", [&](double u) { return std::min(plus(u), 1.0); }},
        {"truncated-squares", [&](double u) { return std::min(plus(u) * plus(u), 1.0); }},
        {"pinball", [](double u) { return std::max(u, -0.5 * u); }},
        {"truncated-pinball", [&](double u) { return plus(u) + std::min(0.5 * plus(-u), 0.25); }},
        {"truncated-huber",
         [&](double u) {
             const double t = std::min(plus(u), 1.25);
             return t <= 0.5 ? t * t : t - 0.25;
         }},
        {"truncated-scad",
         [&](double u) {
             const double t = plus(u), knee = 0.65, a = 3.7;
             if (t <= knee) return knee * t;
             if (t <= a * knee) return (2 * a * knee * t - t * t - knee * knee) / (2 * (a - 1));
             return (a + 1) * knee * knee / 2;
         }},
        {"smooth-exponential", [&](double u) { return 1 - std::exp(-plus(u) * plus(u)); }},
        {"smooth-log", [&](double u) { return std::log(1 + plus(u) * plus(u)); }},
    };
    ASSERT_EQ(formulas.size(), every_loss.size());
    for (const OtherLoss &loss : every_loss) {
        const auto &formula = formulas.at(std::string(name(loss)));
        for (double u = -3; u <= 5; u += 0.01)
            ASSERT_NEAR(value(loss, u), formula(u), 1e-14) << name(loss) << " " << u;
    }
}

TEST(MoreLosses, ProxIsNeverBeatenByAGrid) {
    for (const OtherLoss &loss : every_loss)
        for (double t = 0.01; t < 300; t *= 2.3)
            for (double v = -4; v <= 8; v += 0.173) {
                const auto cost = [&](double u) {
                    return t * value(loss, u) + (u - v) * (u - v) / 2;
                };
                const double best = cost(prox(loss, v, t));
                for (double u = -5; u <= 9; u += 0.01)
                    ASSERT_LE(best, cost(u) + 1e-12 * (1 + t))
                        << name(loss) << " " << v << " " << t;
                ASSERT_LE(best, cost(0.0) + 1e-12 * (1 + t)) << name(loss) << " " << v << " " << t;
            }
}

TEST(MoreLosses, ProxIsStationaryToRounding) {
    for (const OtherLoss &loss : {OtherLoss(SmoothExponentialLoss{}), OtherLoss(SmoothLogLoss{2}),
                                  OtherLoss(SmoothExponentialLoss{0.3})})
        for (double t = 0.01; t < 300; t *= 2.3)
            for (double v = 0.013; v <= 8; v += 0.173) {
                const double u = prox(loss, v, t), h = 1e-6 * u;
                const double slope = (value(loss, u + h) - value(loss, u - h)) / (2 * h);
                ASSERT_NEAR(t * slope + u - v, 0.0, 1e-8 * (1 + t)) << name(loss) << v << " " << t;
            }
}

/// Where a loss is flat the prox is v itself, so that a sample without influence has multiplier 0.
TEST(MoreLosses, FlatPartsAreLeftExactlyAlone) {
    for (const OtherLoss &loss : every_loss) {
        const bool below = !std::holds_alternative<PinballLoss>(loss);
        EXPECT_EQ(prox(loss, -3.7, 0.9) == -3.7, below) << name(loss);
        EXPECT_EQ(is_convex(loss), !below) << name(loss);
    }
    for (const OtherLoss &loss : {OtherLoss(RampLoss{}), OtherLoss(TruncatedSquaresLoss{}),
                                  OtherLoss(TruncatedHuberLoss{}), OtherLoss(TruncatedScadLoss{})})
        EXPECT_EQ(prox(loss, 7.3, 0.9), 7.3) << name(loss);
}

TEST(MoreLosses, RampProxJumpsWhereTheLiteratureSays) {
    // t < 2 ceiling: soft threshold t up to ceiling + t/2; else 0 up to sqrt(2 t ceiling)
    EXPECT_EQ(prox(RampLoss{}, 0.9, 1.0), 0.0);
    EXPECT_DOUBLE_EQ(prox(RampLoss{}, 1.49, 1.0), 0.49);
    EXPECT_EQ(prox(RampLoss{}, 1.51, 1.0), 1.51);
    EXPECT_EQ(prox(RampLoss{}, 2.82, 4.0), 0.0);
    EXPECT_EQ(prox(RampLoss{}, 2.84, 4.0), 2.84);
}

} // namespace
} // namespace hinge0
