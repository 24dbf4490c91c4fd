/// The quick sums of verify() against the library's exp.
#include "model/quick/quick_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hinge0 {
namespace {

TEST(QuickSum, IsThePlainOneToElevenDigits) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    constexpr Index features = 3;
    for (const Index count : {1, 7, 8, 29}) {
        std::vector<double> z(static_cast<std::size_t>(features * count)), c;
        for (double &value : z) value = normal(random);
        for (Index j = 0; j < count; ++j) c.push_back(normal(random));
        for (const double gamma : {1e-9, 0.3, 20.0, 1e9}) {
            const double x[features] = {normal(random), normal(random), normal(random)};
            std::vector<double> scratch(c.size());
            QuickSum found{};
            quick_sum({z.data(), c.data(), count, features, gamma}, x, scratch.data(), found);
            double value = 0, size = 0;
            for (Index j = 0; j < count; ++j) {
                double d2 = 0;
                for (Index f = 0; f < features; ++f) {
                    const double apart = x[f] - z[static_cast<std::size_t>(f * count + j)];
                    d2 += apart * apart;
                }
                const double part = c[static_cast<std::size_t>(j)] * std::exp(-gamma * d2);
                value += part;
                size += std::fabs(part);
            }
            EXPECT_NEAR(found.value, value, 1e-11 * size + 1e-300) << count << ' ' << gamma;
            EXPECT_NEAR(found.size, size, 1e-11 * size + 1e-300);
        }
    }
}

} // namespace
} // namespace hinge0
