/// Names of the other losses, and the prox of the two smooth ones, which has no closed form.
#include "hinge0/more_losses.hpp"

namespace hinge0 {
namespace {

/// The zero of f in [low, high], f(low) <= 0 <= f(high) or the other way round, to rounding error:
/// secant steps with Illinois' halving, every third step a bisection, which alone would end it.
template <class F> double zero(const F &f, double low, double high) {
    double at_low = f(low), at_high = f(high);
    for (int k = 1; k < 200; ++k) {
        double middle = 0.5 * (low + high);
        if (k % 3 != 0) {
            const double secant = low - at_low * (high - low) / (at_high - at_low);
            if (secant > low && secant < high) middle = secant;
        }
        if (middle <= low || middle >= high) break;
        const double at_middle = f(middle);
        if (at_middle == 0.0) return middle;
        if ((at_middle < 0.0) == (at_low < 0.0)) {
            low = middle;
            at_low = at_middle;
            at_high *= 0.5;
        } else {
            high = middle;
            at_high = at_middle;
            at_low *= 0.5;
        }
        if (high - low <= 1e-15 * high) break;
    }
    return 0.5 * (low + high);
}

/// A smooth loss as formulas of u > 0. Its curvature falls from 2 to its least value at
/// `flattest`, then rises to 0.
struct Exponential {
    double s2;
    [[nodiscard]] double value(double u) const { return -s2 * std::expm1(-u * u / s2); }
    [[nodiscard]] double slope(double u) const { return 2 * u * std::exp(-u * u / s2); }
    [[nodiscard]] double curvature(double u) const {
        return (2 - 4 * u * u / s2) * std::exp(-u * u / s2);
    }
    [[nodiscard]] double flattest() const { return std::sqrt(1.5 * s2); }
};
struct Logarithmic {
    double s2;
    [[nodiscard]] double value(double u) const { return s2 * std::log1p(u * u / s2); }
    [[nodiscard]] double slope(double u) const { return 2 * u / (1 + u * u / s2); }
    [[nodiscard]] double curvature(double u) const {
        const double z = u * u / s2;
        return 2 * (1 - z) / ((1 + z) * (1 + z));
    }
    [[nodiscard]] double flattest() const { return std::sqrt(3 * s2); }
};

/// For v > 0 the minimiser of q(u) = t loss(u) + (u - v)^2 / 2 is in [0, v], where q' goes from
/// -v to t loss'(v) >= 0. q'' is positive except perhaps around `flattest`; if it is negative
/// there, q may have one minimum on each side, and the lower is taken.
template <class Smooth> double smooth_prox(const Smooth &loss, double v, double t) {
    if (v <= 0.0) return v;
    const auto slope = [&](double u) { return t * loss.slope(u) + u - v; };
    const auto bend = [&](double u) { return 1.0 + t * loss.curvature(u); };
    const auto cost = [&](double u) { return t * loss.value(u) + 0.5 * (u - v) * (u - v); };
    const double middle = loss.flattest();
    if (bend(middle) >= 0.0) return zero(slope, 0.0, v);
    if (v <= middle || slope(middle) >= 0.0) {
        // below the middle there is one; another may be beyond the end of the dent
        const double low = zero(slope, 0.0, v <= middle ? v : middle);
        double far = middle;
        while (far < v && bend(far) < 0.0) far *= 1.25;
        if (far >= v && bend(v) < 0.0) return low;
        const double end = zero(bend, middle, far < v ? far : v);
        if (end >= v || slope(end) >= 0.0) return low;
        const double high = zero(slope, end, v);
        return cost(high) < cost(low) ? high : low;
    }
    const double high = zero(slope, middle, v);
    const double begin = zero(bend, 0.0, middle); // of the dent
    if (slope(begin) < 0.0) return high;
    const double low = zero(slope, 0.0, begin);
    return cost(high) < cost(low) ? high : low;
}

struct NameOf {
    std::string_view operator()(const RampLoss &) const { return "ramp"; }
    std::string_view operator()(const TruncatedSquaresLoss &) const { return "truncated-squares"; }
    std::string_view operator()(const PinballLoss &) const { return "pinball"; }
    std::string_view operator()(const TruncatedPinballLoss &) const { return "truncated-pinball"; }
    std::string_view operator()(const TruncatedHuberLoss &) const { return "truncated-huber"; }
    std::string_view operator()(const TruncatedScadLoss &) const { return "truncated-scad"; }
    std::string_view operator()(const SmoothExponentialLoss &) const {
        return "smooth-exponential";
    }
    std::string_view operator()(const SmoothLogLoss &) const { return "smooth-log"; }
};

} // namespace

double SmoothExponentialLoss::value(double u) const {
    return u > 0.0 ? Exponential{scale * scale}.value(u) : 0.0;
}
double SmoothExponentialLoss::prox(double v, double t) const {
    return smooth_prox(Exponential{scale * scale}, v, t);
}
double SmoothLogLoss::value(double u) const {
    return u > 0.0 ? Logarithmic{scale * scale}.value(u) : 0.0;
}
double SmoothLogLoss::prox(double v, double t) const {
    return smooth_prox(Logarithmic{scale * scale}, v, t);
}

std::string_view name(const OtherLoss &loss) { return std::visit(NameOf{}, loss); }
bool is_convex(const OtherLoss &loss) {
    return std::visit([](const auto &l) { return l.convex; }, loss);
}

} // namespace hinge0
