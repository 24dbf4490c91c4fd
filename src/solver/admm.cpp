/// The loop of Algorithm 1 and its four updates; letters as in the paper (docs/math.md).
#include "solver/admm.hpp"

#include <random>

namespace hinge0 {
namespace {

/// The iterate, its product Kc, and buffers, all taken before the loop.
struct State {
    Iterate it;
    Vector Kc, eta, target, omega;
    Vector support; ///< multipliers that are exactly 0 off the working set: the returned ones

    explicit State(const Vector &start)
        : it{Vector::Zero(start.size()), 0.0, Vector::Zero(start.size()), start},
          Kc(Vector::Zero(start.size())), eta(start.size()), target(start.size()),
          omega(start.size()), support(Vector::Zero(start.size())) {}
};

/// What the iteration asks of a loss.
template <class L>
concept ProximableLoss = requires(const L &loss, double s) {
    { loss.value(s) } -> std::same_as<double>;
    { loss.prox(s, s) } -> std::same_as<double>;
};

template <ProximableLoss L> class Admm {
public:
    Admm(ShiftedSystem &factor, const Vector &y, const Vector &prices, const L &loss,
         const Settings &settings)
        : factor_(factor), y_(y), prices_(prices), loss_(loss), sigma_(settings.sigma),
          iota_(settings.iota), m_(static_cast<double>(y.size())) {}

    /// (4.8)-(4.10): u = prox(eta), eta = 1 - y*(Kc) - b y - lambda / sigma
    void update_u(State &s) const {
        s.eta = 1.0 - (y_.array() * (s.Kc.array() + s.it.b) + s.it.lambda.array() / sigma_);
        for (Index i = 0; i < s.eta.size(); ++i)
            s.it.u(i) = loss_.prox(s.eta(i), prices_(i) / sigma_);
    }
    /// (4.11): (K + I/sigma) c = y*xi; then K c = y*xi - c/sigma needs no product with K
    [[nodiscard]] bool update_c(State &s, Watch &watch) const {
        s.target = y_.array() * (1.0 - s.it.u.array() - s.it.lambda.array() / sigma_) - s.it.b;
        if (!factor_.solve(s.target, s.it.c, watch)) return false;
        s.Kc = s.target - s.it.c / sigma_;
        return true;
    }
    /// (4.7c), (4.12): with lambda^k, as the iteration (not the printed formula) has it
    void update_b(State &s) const {
        s.it.b = (y_.array() * (1.0 - s.it.u.array() - s.it.lambda.array() / sigma_) - s.Kc.array())
                     .sum() /
                 m_;
    }
    /// (4.13): lambda += iota sigma omega; for l0 it is 0 off the working set {0 < eta <=
    /// threshold}
    void update_lambda(State &s) const {
        s.omega = s.it.u.array() + y_.array() * (s.Kc.array() + s.it.b) - 1.0;
        s.it.lambda += iota_ * sigma_ * s.omega;
        if constexpr (!std::same_as<L, L0Loss>) {
            s.support = sigma_ * (s.it.u - s.eta); // in -C_i * subgradient(u_i), zeros exact
        } else {
            for (Index i = 0; i < s.eta.size(); ++i)
                if (s.it.u(i) != 0.0 || s.eta(i) == 0.0) s.it.lambda(i) = 0.0;
            s.support = s.it.lambda;
        }
    }
    /// What must fall below the tolerance: the four residuals, with beta_1 taken without |lambda|
    /// in its denominator. That is a little stricter than the paper prints and what its authors
    /// ran, so that runs end where theirs did (support vectors whose multiplier fades are gone by
    /// then).
    [[nodiscard]] double stopping_value(const State &s, const Residuals &beta) const {
        const double full = 1.0 + s.it.c.norm() + s.it.lambda.norm();
        const double strict = beta.stationarity * full / (1.0 + s.it.c.norm());
        return std::max(strict, beta.worst());
    }
    /// beta_1 .. beta_4 (Section 5)
    [[nodiscard]] Residuals residuals(const State &s) const {
        const auto &[c, b, u, lambda] = s.it;
        double moved = 0;
        for (Index i = 0; i < u.size(); ++i) {
            const double step = u(i) - loss_.prox(u(i) - lambda(i) / sigma_, prices_(i) / sigma_);
            moved += step * step;
        }
        return {.stationarity = (c.array() + y_.array() * lambda.array()).matrix().norm() /
                                (1.0 + c.norm() + lambda.norm()),
                .balance = std::abs(y_.dot(lambda)) / m_,
                .feasibility = s.omega.norm() / std::sqrt(m_),
                .proximal = std::sqrt(moved) / (1.0 + u.norm())};
    }
    [[nodiscard]] double objective(const State &s) const {
        double loss = 0;
        for (Index i = 0; i < s.it.u.size(); ++i) loss += prices_(i) * loss_.value(s.it.u(i));
        return 0.5 * s.it.c.dot(s.Kc) + loss;
    }

private:
    ShiftedSystem &factor_;
    const Vector &y_, &prices_;
    L loss_;
    double sigma_, iota_, m_;
};

/// The iterate to return: the one that converged, else the best that has a support vector.
class Best {
public:
    void offer(const State &s, const Residuals &beta, bool converged) {
        const bool has_support = (s.support.array() != 0.0).any();
        if (!s.support.allFinite() || !std::isfinite(s.it.b)) return; // overflow is no iterate
        if (!converged && (!has_support || !(beta.worst() < worst_))) return;
        worst_ = beta.worst();
        result.lambda = s.support;
        result.u = s.it.u;
        result.b = s.it.b;
        result.residuals = beta;
    }
    AdmmResult result;

private:
    double worst_ = std::numeric_limits<double>::infinity();
};

template <ProximableLoss L>
AdmmResult iterate(const Admm<L> &step, State &s, const Settings &settings, Watch &watch) {
    Best best;
    AdmmResult &result = best.result;
    result.lambda = s.support;
    result.u = Vector::Ones(s.it.u.size());
    const auto stopped = [&] {
        result.status = watch.out_of_time() ? Status::time_limit : Status::interrupted;
        return result;
    };
    for (int k = 1; k <= settings.max_iterations; ++k) {
        step.update_u(s);
        if (!step.update_c(s, watch)) return stopped();
        step.update_b(s);
        step.update_lambda(s);
        const Residuals beta = step.residuals(s);
        const bool converged = step.stopping_value(s, beta) < settings.tolerance;
        best.offer(s, beta, converged);
        result.iterations = k;
        const bool go_on = watch.tell({.stage = Progress::Stage::iterate,
                                       .done = static_cast<double>(k) / settings.max_iterations,
                                       .iteration = k,
                                       .objective = watch.has_observer() ? step.objective(s) : 0.0,
                                       .support_vectors = (s.it.lambda.array() != 0.0).count(),
                                       .bias = s.it.b,
                                       .iterate = &s.it,
                                       .residuals = &beta});
        if (converged) {
            result.status = Status::converged;
            return result;
        }
        if (!go_on) return stopped();
    }
    return result;
}

} // namespace

template <class Losses>
AdmmResult admm(ShiftedSystem &factor, const Vector &y, const Vector &prices, const Losses &loss,
                const Settings &settings, const Vector &start, Watch &watch) {
    State state(start);
    return std::visit(
        [&](const auto &l) {
            return iterate(Admm(factor, y, prices, l, settings), state, settings, watch);
        },
        loss);
}
template AdmmResult admm(ShiftedSystem &, const Vector &, const Vector &, const Loss &,
                         const Settings &, const Vector &, Watch &);
template AdmmResult admm(ShiftedSystem &, const Vector &, const Vector &, const OtherLoss &,
                         const Settings &, const Vector &, Watch &);

Vector start_multipliers(const Vector &prices, const Settings &settings, const Loss &loss,
                         bool &moved) {
    std::mt19937_64 generator(settings.seed);
    const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
    const double sigma = settings.sigma;
    moved = false;
    Vector lambda(prices.size());
    for (Index i = 0; i < lambda.size(); ++i) {
        lambda(i) = uniform();
        // At c = 0, b = 0 the sample enters the working set iff 0 < 1 - lambda/sigma <= threshold.
        // From small multipliers it cannot when the threshold is below 1, that is sigma > 2 C_i.
        if (!std::holds_alternative<L0Loss>(loss) || sigma <= 2.0 * prices(i)) continue;
        lambda(i) = sigma * (1.0 - std::sqrt(2.0 * prices(i) / sigma) * (1.0 - lambda(i)));
        moved = true;
    }
    return lambda;
}

} // namespace hinge0
