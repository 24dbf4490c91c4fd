/// First steps of all moves: the directions of enter() and give_up() as columns of matrix products.
#include "solver/first_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {
namespace {

constexpr Index batch = 128; // directions at a time: bounds the memory

/// One direction: members move by -t x, b by -t beta, margins by t slope.
struct Direction {
    Eigen::Ref<const Vector> x;
    Eigen::Ref<const Vector> slope;
    double longest; ///< the step at which the move's own condition is met
    double own;     ///< 1 if the moved sample gains a multiplier, else 0
};

/// How far the direction leads before a member other than `except` reaches alpha = 0.
double step_length(const Direction &d, const Vector &alpha, Index except) {
    double step = d.longest;
    for (Index p = 0; p < alpha.size(); ++p)
        if (p != except && d.x(p) > 0 && alpha(p) < step * d.x(p)) step = alpha(p) / d.x(p);
    return step;
}

class FirstSteps {
public:
    FirstSteps(const ActiveSet &state, const Vector &prices, const std::vector<char> &kept)
        : state_(state), prices_(prices), kept_(kept), y_(state.signs()),
          n_(static_cast<Index>(state.gamma().size())), gamma_columns_(y_.size(), n_),
          costs_(Vector::Constant(y_.size(), HUGE_VAL)) {
        state.factor().inverse(inverse_, border_);
        for (Index p = 0; p < n_; ++p) {
            const Index i = state.gamma()[static_cast<std::size_t>(p)];
            gamma_columns_.col(p) = y_(i) * Eigen::Map<const Vector>(state.column(i), y_.size());
        }
    }

    /// x = M^-1 e_i, until alpha_i = 0.
    void give_up(Index first, Index count) {
        x_ = inverse_.middleCols(first, count);
        compute_slopes(border_.segment(first, count));
        for (Index k = 0; k < count; ++k) {
            const Index p = first + k;
            const Index i = state_.gamma()[static_cast<std::size_t>(p)];
            const Direction d{x_.col(k), slopes_.col(k), state_.alpha()(p) / x_(p, k), 0};
            costs_(i) = cost(d, step_length(d, state_.alpha(), p), i, 0);
        }
    }

    /// x = M^-1 [q_j; y_j], until sample j meets its margin.
    void take_back(const Index *samples, Index count) {
        Matrix q(n_, count), turned(count, n_);
        Vector signs(count);
        for (Index k = 0; k < count; ++k) {
            state_.column_over_gamma(samples[k], q.col(k).data());
            signs(k) = y_(samples[k]);
        }
        turned = q.transpose();
        x_.resize(n_, count);
        blas::multiply_transposed(1.0, {inverse_.data(), n_, n_, n_},
                                  {turned.data(), count, n_, count}, 0.0,
                                  {x_.data(), n_, count, n_});
        x_.noalias() += border_ * signs.transpose();
        const Vector beta = turned * border_ - signs * corner();
        compute_slopes(beta);
        for (Index k = 0; k < count; ++k) {
            const Index j = samples[k];
            slopes_.col(k).array() +=
                y_.array() * y_(j) * Eigen::Map<const Vector>(state_.column(j), y_.size()).array();
            const double s = slopes_(j, k), gap = 1.0 - state_.margins()(j);
            const Direction d{x_.col(k), slopes_.col(k), s > 0 ? gap / s : HUGE_VAL, 1};
            const double step = step_length(d, state_.alpha(), -1);
            if (std::isfinite(step)) costs_(j) = cost(d, step, j, 1);
        }
    }
    [[nodiscard]] const Vector &costs() const noexcept { return costs_; }

private:
    [[nodiscard]] double corner() const { return state_.factor().corner(); }
    /// slopes = -y * (K(:, Gamma) (y x) + beta)
    void compute_slopes(const Vector &beta) {
        slopes_.resize(y_.size(), x_.cols());
        const Matrix transposed = x_.transpose();
        blas::multiply_transposed(-1.0, {gamma_columns_.data(), y_.size(), n_, y_.size()},
                                  {transposed.data(), x_.cols(), n_, x_.cols()}, 0.0,
                                  {slopes_.data(), y_.size(), x_.cols(), y_.size()});
        slopes_.rowwise() -= beta.transpose();
        slopes_.array().colwise() *= y_.array();
    }
    [[nodiscard]] double cost(const Direction &d, double step, Index moved, char keeps) const {
        double sum = 0.5 * (state_.alpha().sum() + step * (d.own - d.x.sum()));
        for (Index i = 0; i < y_.size(); ++i) {
            const char kept = i == moved ? keeps : kept_[static_cast<std::size_t>(i)];
            const double margin = state_.margins()(i) + step * d.slope(i);
            if (kept == 0 && margin < 1.0 - deficit_tolerance) sum += prices_(i);
        }
        return sum;
    }

    const ActiveSet &state_;
    const Vector &prices_;
    const std::vector<char> &kept_;
    const Vector &y_;
    Index n_;
    Matrix gamma_columns_, inverse_, x_, slopes_;
    Vector border_, costs_;
};

} // namespace

Vector costs_after_first_step(const ActiveSet &state, const Vector &prices,
                              const std::vector<char> &kept) {
    FirstSteps steps(state, prices, kept);
    const auto n = static_cast<Index>(state.gamma().size());
    for (Index p = 0; p < n; p += batch) steps.give_up(p, std::min(batch, n - p));
    std::vector<Index> violators;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] == 0) violators.push_back(static_cast<Index>(i));
    const auto count = static_cast<Index>(violators.size());
    for (Index k = 0; k < count; k += batch)
        steps.take_back(violators.data() + k, std::min(batch, count - k));
    return steps.costs();
}

} // namespace hinge0
