/// beta_1 .. beta_4 at a classifier (c, b), with the multipliers and deficits that it implies
/// (report.hpp, docs/certificate.md), and the prox parameter of Theorem 3.13.
#include "solver/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinge0 {
namespace {

/// Of a kernel value, as a share of the largest.
constexpr double last_digits = 4 * std::numeric_limits<double>::epsilon();

/// alpha_i = -lambda_i: y_i c_i brought into the range of multipliers that the loss knows.
template <ScalarLoss L>
Vector implied_multipliers(const Vector &y, const Vector &prices, const L &, const Vector &c) {
    Vector alpha = (y.array() * c.array()).max(0.0);
    if (std::isfinite(L::largest_slope))
        for (Index i = 0; i < alpha.size(); ++i)
            // a multiplier within rounding of its bound is at the bound
            if (const double bound = L::largest_slope * prices(i); alpha(i) > bound * (1 - 1e-12))
                alpha(i) = bound;
    return alpha;
}

/// Theorem 3.13: gamma = min(2 C_i / lambda_i^2 over the support, u_i^2 / (2 C_i) over violators),
/// a hair less because the prox takes 0 at its threshold. Any gamma serves a convex loss.
template <ScalarLoss L>
double prox_parameter(const Vector &prices, const L &, const Vector &alpha, const Vector &u,
                      const Others &others) {
    if constexpr (L::convex) return 1.0;
    double gamma = others.gamma;
    for (Index i = 0; i < u.size(); ++i) {
        if (alpha(i) > 0) gamma = std::min(gamma, 2.0 * prices(i) / (alpha(i) * alpha(i)));
        if (u(i) > 0) gamma = std::min(gamma, u(i) * u(i) / (2.0 * prices(i)));
    }
    return std::isfinite(gamma) ? gamma * (1.0 - 1e-9) : 1.0;
}

/// Of a row without a multiplier: its deficit, but one within the tolerance is none.
double slack(double deficit) { return deficit > 0 && deficit <= deficit_tolerance ? 0 : deficit; }

/// |y'alpha|. Large multipliers nearly cancel here: with doubles the sum could round to zero.
double imbalance(const Vector &y, const Vector &alpha) {
    return static_cast<double>(std::fabs(y.cast<long double>().dot(alpha.cast<long double>())));
}

/// The prox leaves the others where they are: violators by the choice of gamma.
template <ScalarLoss L>
Certificate certify(const Vector &y, const Vector &prices, const L &loss, const Vector &c,
                    const Vector &deficit, const Others &others) {
    const auto m = static_cast<double>(y.size() + others.rows);
    const Vector alpha = implied_multipliers(y, prices, loss, c);
    Vector u(y.size());
    for (Index i = 0; i < u.size(); ++i) {
        u(i) = loss.nearest(deficit(i), alpha(i) / prices(i));
        if (alpha(i) == 0) u(i) = slack(u(i));
    }
    Certificate result;
    result.gamma = prox_parameter(prices, loss, alpha, u, others);
    double moved = 0;
    for (Index i = 0; i < u.size(); ++i) {
        const double step =
            u(i) - loss.prox(u(i) + result.gamma * alpha(i), result.gamma * prices(i));
        moved += step * step;
    }
    result.stationarity =
        (c.array() - y.array() * alpha.array()).matrix().norm() / (1.0 + c.norm() + alpha.norm());
    result.balance = imbalance(y, alpha) / m;
    result.feasibility =
        std::sqrt((u - deficit).squaredNorm() + others.squared_offsets) / std::sqrt(m);
    result.proximal = std::sqrt(moved) / (1.0 + std::sqrt(u.squaredNorm() + others.squared_slacks));
    result.worst_deficit = others.worst_offset;
    if (y.size() > 0)
        result.worst_deficit = std::max(result.worst_deficit, (u - deficit).cwiseAbs().maxCoeff());
    result.local_minimum = result.worst() <= certificate_tolerance &&
                           result.worst_deficit <= certificate_tolerance &&
                           result.balance * m <= certificate_tolerance * (1.0 + alpha.sum());
    return result;
}

} // namespace

void Others::add(const Others &more) {
    rows += more.rows;
    violators += more.violators;
    right += more.right;
    missed_prices += more.missed_prices;
    for (std::size_t side = 0; side < 2; ++side) class_prices[side] += more.class_prices[side];
    squared_slacks += more.squared_slacks;
    squared_offsets += more.squared_offsets;
    worst_offset = std::max(worst_offset, more.worst_offset);
    gamma = std::min(gamma, more.gamma);
    largest = std::max(largest, more.largest);
}

Others others_of(const Vector &y, const Vector &prices, const Vector &h) {
    Others all;
    all.rows = y.size();
    for (Index i = 0; i < y.size(); ++i) {
        const double deficit = 1.0 - y(i) * h(i), u = slack(deficit);
        all.right += (h(i) > 0.0) == (y(i) > 0.0) ? 1 : 0;
        all.class_prices[y(i) > 0 ? 1 : 0] += prices(i);
        all.squared_slacks += u * u;
        all.squared_offsets += (u - deficit) * (u - deficit);
        all.worst_offset = std::max(all.worst_offset, std::abs(u - deficit));
        if (!(u > 0)) continue;
        ++all.violators;
        all.missed_prices += prices(i);
        all.gamma = std::min(all.gamma, u * u / (2.0 * prices(i)));
    }
    return all;
}

void evaluate(const Vector &y, const Vector &prices, const Loss &loss, const Vector &c,
              const Vector &Kc, double b, double largest, Report &report, const Others &others) {
    const Vector h = Kc.array() + b;
    const Vector deficit = 1.0 - y.array() * h.array();
    report.bias = b;
    report.half_norm_squared = 0.5 * c.dot(Kc);
    report.violators = (deficit.array() > deficit_tolerance).count() + others.violators;
    report.support_vectors = (c.array() != 0.0).count();
    const auto right = ((h.array() > 0.0) == (y.array() > 0.0)).count() + others.right;
    report.train_accuracy =
        static_cast<double>(right) / static_cast<double>(y.size() + others.rows);
    const double positive = (y.array() > 0).select(prices, 0.0).sum();
    const double negative = prices.sum() - positive;
    std::visit(
        [&](const auto &l) {
            double cost = others.missed_prices;
            for (Index i = 0; i < y.size(); ++i)
                if (deficit(i) > deficit_tolerance) cost += prices(i) * l.value(deficit(i));
            report.objective = report.half_norm_squared + cost;
            report.constant_objective =
                l.constant(negative + others.class_prices[0], positive + others.class_prices[1]);
            report.certificate = certify(y, prices, l, c, deficit, others);
        },
        loss);
    // Kernel values have the error of their last digits. Where multipliers are so large that this
    // shows in h, nothing is claimed: who computes more exactly would find another h.
    const double rounding = last_digits * c.lpNorm<1>() * largest;
    if (!(rounding <= certificate_tolerance)) report.certificate.local_minimum = false;
}

} // namespace hinge0
