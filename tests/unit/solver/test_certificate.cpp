/// The certificate of classifiers made by hand.
#include "solver/certificate.hpp"

#include <gtest/gtest.h>

namespace hinge0 {
namespace {

/// That of multipliers alpha whose samples all have margin 1.
Certificate certificate_of(const Vector &y, const Vector &alpha) {
    Report report;
    evaluate(y, Vector::Ones(y.size()), L0Loss{}, y.cwiseProduct(alpha), y, 0.0, 1.0, report);
    return report.certificate;
}

TEST(Certificate, HoldsForBalancedMultipliersOnTheMargin) {
    const Certificate found = certificate_of(Vector{{1, 1, -1}}, Vector{{1, 2, 3}});
    EXPECT_TRUE(found.local_minimum);
    EXPECT_EQ(found.balance, 0.0);
}

TEST(Certificate, SeesAnImbalanceThatDoublesRoundAway) {
    const Certificate found = certificate_of(Vector{{1, 1, -1}}, Vector{{1e16, 1, 1e16}});
    EXPECT_FALSE(found.local_minimum);
    EXPECT_NEAR(found.balance, 1.0 / 3, 1e-12);
}

} // namespace
} // namespace hinge0
