#pragma once
/// The other losses that the paper names, for comparison: each a value and a prox, which is all
/// that Algorithm 1 needs. As in loss.hpp, u = 1 - y h(x) is the margin deficit and
/// prox(v, t) = argmin_u t loss(u) + (u - v)^2 / 2; of two minimisers the smaller is taken.
#include <cmath>
#include <string_view>
#include <variant>

#include "hinge0/host_device.hpp"

namespace hinge0 {

/// a u^2 + b u + c for u up to `to`; pieces follow each other without gap or jump.
struct QuadraticPiece {
    double to, a, b, c;
    HINGE0_HD double value(double u) const { return (a * u + b) * u + c; }
};

template <int n> HINGE0_HD double piecewise_value(const QuadraticPiece (&pieces)[n], double u) {
    int k = 0;
    while (k + 1 < n && u > pieces[k].to) ++k;
    return pieces[k].value(u);
}

/// The least of the minima of all pieces. Where a piece bends down more than the square bends up,
/// its minimum is at an end, which the neighbouring piece has as well.
template <int n>
HINGE0_HD double piecewise_prox(const QuadraticPiece (&pieces)[n], double v, double t) {
    double best = v, least = HUGE_VAL, from = -HUGE_VAL;
    for (const QuadraticPiece &piece : pieces) {
        if (const double bend = 1.0 + 2.0 * t * piece.a; bend > 0.0) {
            double u = (v - t * piece.b) / bend;
            u = u < from ? from : (u > piece.to ? piece.to : u);
            const double cost = t * piece.value(u) + 0.5 * (u - v) * (u - v);
            if (cost < least) {
                best = u;
                least = cost;
            }
        }
        from = piece.to;
    }
    return best;
}

/// A loss given by its pieces(), each of which ends where the next one starts.
template <class Self> struct PiecewiseLoss {
    HINGE0_HD double value(double u) const {
        const auto form = static_cast<const Self &>(*this).form();
        return piecewise_value(form.pieces, u);
    }
    HINGE0_HD double prox(double v, double t) const {
        const auto form = static_cast<const Self &>(*this).form();
        return piecewise_prox(form.pieces, v, t);
    }
};
template <int n> struct Form { QuadraticPiece pieces[n]; };

/// min(u_+, ceiling)
struct RampLoss : PiecewiseLoss<RampLoss> {
    static constexpr bool convex = false;
    double ceiling = 1.0;
    HINGE0_HD Form<3> form() const {
        return {{{0, 0, 0, 0}, {ceiling, 0, 1, 0}, {HUGE_VAL, 0, 0, ceiling}}};
    }
};

/// min(u_+^2, ceiling^2)
struct TruncatedSquaresLoss : PiecewiseLoss<TruncatedSquaresLoss> {
    static constexpr bool convex = false;
    double ceiling = 1.0;
    HINGE0_HD Form<3> form() const {
        return {{{0, 0, 0, 0}, {ceiling, 1, 0, 0}, {HUGE_VAL, 0, 0, ceiling * ceiling}}};
    }
};

/// max(u, -slope u)
struct PinballLoss : PiecewiseLoss<PinballLoss> {
    static constexpr bool convex = true;
    double slope = 0.5;
    HINGE0_HD Form<2> form() const { return {{{0, 0, -slope, 0}, {HUGE_VAL, 0, 1, 0}}}; }
};

/// The pinball loss, kept at slope * reach for u < -reach.
struct TruncatedPinballLoss : PiecewiseLoss<TruncatedPinballLoss> {
    static constexpr bool convex = false;
    double slope = 0.5, reach = 0.5;
    HINGE0_HD Form<3> form() const {
        return {{{-reach, 0, 0, slope * reach}, {0, 0, -slope, 0}, {HUGE_VAL, 0, 1, 0}}};
    }
};

/// Huber's loss of u_+, quadratic up to `bend`, kept constant above `ceiling`.
struct TruncatedHuberLoss : PiecewiseLoss<TruncatedHuberLoss> {
    static constexpr bool convex = false;
    double bend = 0.5, ceiling = 1.25;
    HINGE0_HD Form<4> form() const {
        return {{{0, 0, 0, 0},
                 {bend, 0.5 / bend, 0, 0},
                 {ceiling, 0, 1, -0.5 * bend},
                 {HUGE_VAL, 0, 0, ceiling - 0.5 * bend}}};
    }
};

/// The smoothly clipped absolute deviation of u_+: slope `knee` up to u = knee, none from
/// width * knee on.
struct TruncatedScadLoss : PiecewiseLoss<TruncatedScadLoss> {
    static constexpr bool convex = false;
    double knee = 0.65, width = 3.7;
    HINGE0_HD Form<4> form() const {
        const double fall = 0.5 / (width - 1.0);
        return {{{0, 0, 0, 0},
                 {knee, 0, knee, 0},
                 {width * knee, -fall, 2 * fall * width * knee, -fall * knee * knee},
                 {HUGE_VAL, 0, 0, 0.5 * (width + 1) * knee * knee}}};
    }
};

/// scale^2 (1 - exp(-u_+^2 / scale^2)), the first smooth loss of the paper's introduction.
struct SmoothExponentialLoss {
    static constexpr bool convex = false;
    double scale = 1.0;
    [[nodiscard]] double value(double u) const;
    [[nodiscard]] double prox(double v, double t) const;
};

/// scale^2 log(1 + u_+^2 / scale^2), the second.
struct SmoothLogLoss {
    static constexpr bool convex = false;
    double scale = 1.0;
    [[nodiscard]] double value(double u) const;
    [[nodiscard]] double prox(double v, double t) const;
};

using OtherLoss =
    std::variant<RampLoss, TruncatedSquaresLoss, PinballLoss, TruncatedPinballLoss,
                 TruncatedHuberLoss, TruncatedScadLoss, SmoothExponentialLoss, SmoothLogLoss>;

/// "ramp", "truncated-squares", "pinball", "truncated-pinball", "truncated-huber",
/// "truncated-scad", "smooth-exponential", "smooth-log".
[[nodiscard]] std::string_view name(const OtherLoss &loss);
[[nodiscard]] bool is_convex(const OtherLoss &loss);

} // namespace hinge0
