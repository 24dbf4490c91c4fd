#pragma once
/// Losses of the margin deficit u = 1 - y h(x); u <= 0 costs nothing.
#include <cmath>
#include <concepts>
#include <string_view>
#include <variant>

#include "hinge0/host_device.hpp"

namespace hinge0 {

struct Interval {
    double low, high;
};

/// value(u); prox(v, t) = argmin_u t loss(u) + (u - v)^2 / 2; subgradient(u), the interval in which
/// alpha = -lambda / C lies at a stationary point; nearest(s, alpha), the point nearest to s whose
/// subgradient holds alpha: where a sample with that multiplier ought to be; constant(a, z), the
/// smallest loss of a constant classifier when the classes weigh a and z.
template <class L>
concept ScalarLoss = requires(const L &loss, double s) {
    { loss.value(s) } -> std::same_as<double>;
    { loss.prox(s, s) } -> std::same_as<double>;
    { loss.subgradient(s) } -> std::same_as<Interval>;
    { loss.nearest(s, s) } -> std::same_as<double>;
    { loss.constant(s, s) } -> std::same_as<double>;
    { L::largest_slope } -> std::convertible_to<double>;
};

/// 1 if u > 0, else 0: the number of margin violations (paper, eq. 1.3).
/// The prox is two-valued at v = sqrt(2t); it takes 0 there, as the paper does (eq. 3.5).
struct L0Loss {
    static constexpr bool convex = false;
    static constexpr double largest_slope = HUGE_VAL;
    HINGE0_HD double value(double u) const { return u > 0.0 ? 1.0 : 0.0; }
    HINGE0_HD double prox(double v, double t) const {
        return v > 0.0 && v <= std::sqrt(2.0 * t) ? 0.0 : v;
    }
    HINGE0_HD Interval subgradient(double u) const { return {0.0, u == 0.0 ? HUGE_VAL : 0.0}; }
    HINGE0_HD double nearest(double s, double alpha) const { return alpha > 0.0 ? 0.0 : s; }
    HINGE0_HD double constant(double a, double z) const { return a < z ? a : z; }
};

/// max(u, 0)
struct HingeLoss {
    static constexpr bool convex = true;
    static constexpr double largest_slope = 1.0;
    HINGE0_HD double value(double u) const { return u > 0.0 ? u : 0.0; }
    HINGE0_HD double prox(double v, double t) const { return v > t ? v - t : (v > 0.0 ? 0.0 : v); }
    HINGE0_HD Interval subgradient(double u) const {
        return {u > 0.0 ? 1.0 : 0.0, u < 0.0 ? 0.0 : 1.0};
    }
    HINGE0_HD double nearest(double s, double alpha) const {
        if (alpha <= 0.0) return s < 0.0 ? s : 0.0;
        return alpha >= 1.0 && s > 0.0 ? s : 0.0;
    }
    HINGE0_HD double constant(double a, double z) const { return 2.0 * (a < z ? a : z); }
};

/// max(u, 0)^2
struct SquaredHingeLoss {
    static constexpr bool convex = true;
    static constexpr double largest_slope = HUGE_VAL;
    HINGE0_HD double value(double u) const { return u > 0.0 ? u * u : 0.0; }
    HINGE0_HD double prox(double v, double t) const { return v > 0.0 ? v / (1.0 + 2.0 * t) : v; }
    HINGE0_HD Interval subgradient(double u) const {
        const double slope = u > 0.0 ? 2.0 * u : 0.0;
        return {slope, slope};
    }
    HINGE0_HD double nearest(double s, double alpha) const {
        if (alpha > 0.0) return 0.5 * alpha;
        return s < 0.0 ? s : 0.0;
    }
    HINGE0_HD double constant(double a, double z) const { return 4.0 * a * z / (a + z); }
};

using Loss = std::variant<L0Loss, HingeLoss, SquaredHingeLoss>;

/// "l0", "hinge", "squared-hinge".
[[nodiscard]] std::string_view name(const Loss &loss);
/// Throws InvalidInput naming the known losses.
[[nodiscard]] Loss make_loss(std::string_view name);

} // namespace hinge0
