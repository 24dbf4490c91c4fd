/// Steps of the dual active-set method; letters as in docs/exact.md.
#include "solver/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gram/tile_map.hpp"

namespace hinge0 {
namespace {

/// A kept sample counts as violated beyond this, plus rounding; well inside what is certified.
constexpr double violation = 1e-10;
/// s_j below this share of K_jj: sample j depends on Gamma to within rounding.
constexpr double dependent = 1e-11;

} // namespace

ActiveSet::ActiveSet(ColumnStore &columns, const Vector &y)
    : columns_(&columns), y_(&y), rho_(std::max(columns.diagonal().mean(), 1e-300)),
      member_(static_cast<std::size_t>(y.size()), 0), margins_(Vector::Zero(y.size())),
      slope_(y.size()) {}

bool ActiveSet::solve(std::vector<char> &kept, const GoOn &go_on) {
    for (Index p = 0; p < alpha_.size();) {
        if (kept[static_cast<std::size_t>(gamma_[static_cast<std::size_t>(p)])] != 0) {
            ++p;
            continue;
        }
        give_up(p);
        p = 0; // others may have left with it
    }
    if (gamma_.empty() && !start(kept)) return true; // one class left: a constant classifier
    for (Index j = most_violated(kept); j >= 0; j = most_violated(kept)) {
        if (!go_on(*this)) return false;
        if (!enter(j)) kept[static_cast<std::size_t>(j)] = 0;
    }
    return true;
}

/// One kept sample with alpha = 0 and b on its side: a regular M, from which others can enter.
bool ActiveSet::start(const std::vector<char> &kept) {
    const Vector &y = *y_;
    Index chosen[2] = {-1, -1};
    for (Index i = 0; i < y.size(); ++i) {
        Index &of_class = chosen[y(i) > 0 ? 1 : 0];
        if (kept[static_cast<std::size_t>(i)] != 0 &&
            (of_class < 0 || margins_(i) < margins_(of_class)))
            of_class = i;
    }
    if (chosen[0] < 0 || chosen[1] < 0) return false;
    const Index first = chosen[1];
    factor_.clear();
    direction_.half.resize(0);
    (void)factor_.append(direction_, own(first), y(first));
    gamma_.assign(1, first);
    pointers_.assign(1, columns_->column(first));
    member_[static_cast<std::size_t>(first)] = 1;
    alpha_ = Vector::Zero(1);
    b_ = y(first);
    margins_ = y * b_;
    return true;
}

Index ActiveSet::most_violated(const std::vector<char> &kept) const {
    Index worst = -1;
    double least = 1.0 - violation - 1e-14 * alpha_.sum();
    for (Index i = 0; i < margins_.size(); ++i)
        if (margins_(i) < least && kept[static_cast<std::size_t>(i)] != 0 &&
            member_[static_cast<std::size_t>(i)] == 0) {
            least = margins_(i);
            worst = i;
        }
    return worst;
}

void ActiveSet::column_over_gamma(Index j, double *out) const {
    const Vector &y = *y_;
    const double *const column = columns_->column(j);
    for (std::size_t p = 0; p < gamma_.size(); ++p)
        out[p] = y(gamma_[p]) * y(j) * (column[gamma_[p]] + rho_);
}

Matrix ActiveSet::joined_columns() const {
    Matrix joined(margins_.size(), alpha_.size());
    for (Index p = 0; p < alpha_.size(); ++p)
        joined.col(p) =
            Eigen::Map<const Vector>(pointers_[static_cast<std::size_t>(p)], margins_.size());
    return joined;
}

void ActiveSet::schur(const std::vector<Index> &samples, Vector &out) const {
    const auto n = static_cast<Index>(gamma_.size()), count = static_cast<Index>(samples.size());
    Matrix q(n, count);
    Vector signs(count), diagonal(count);
    for (Index k = 0; k < count; ++k) {
        const Index j = samples[static_cast<std::size_t>(k)];
        signs(k) = (*y_)(j);
        diagonal(k) = own(j);
        for (Index p = 0; p < n; ++p) {
            const Index i = gamma_[static_cast<std::size_t>(p)];
            q(p, k) = (*y_)(i) * (*y_)(j) * (pointers_[static_cast<std::size_t>(p)][j] + rho_);
        }
    }
    factor_.schur(q, signs, diagonal, out);
}

/// slope_ = y * (K(:, j) y_j - K(:, Gamma) (y x) - beta): how the margins move when alpha_j grows
/// and the members follow; without the first term (j < 0) when they only follow a member.
void ActiveSet::slopes(double constant, Index j) {
    const Vector &y = *y_;
    const auto n = static_cast<Index>(gamma_.size());
    weights_.resize(n + 1);
    for (Index p = 0; p < n; ++p)
        weights_(p) = -y(gamma_[static_cast<std::size_t>(p)]) * direction_.x(p);
    weights_(n) = j >= 0 ? y(j) : 0.0;
    if (j >= 0) pointers_.push_back(columns_->column(j));
    combine_columns(pointers_.data(), weights_.data(), static_cast<Index>(pointers_.size()),
                    slope_.size(), slope_.data());
    if (j >= 0) pointers_.pop_back();
    slope_ = y.array() * (slope_.array() - constant);
}

/// The member whose alpha reaches 0 before `step`, which is shortened to there; -1 if none does.
Index ActiveSet::blocking_member(double &step, Index except) const {
    Index blocking = -1;
    for (Index p = 0; p < alpha_.size(); ++p)
        if (p != except && direction_.x(p) > 0 && alpha_(p) < step * direction_.x(p)) {
            step = alpha_(p) / direction_.x(p);
            blocking = p;
        }
    return blocking;
}

/// Brings the violated sample j onto its margin. False, and nothing changed, if no step does.
bool ActiveSet::enter(Index j) {
    const Vector &y = *y_;
    const double size = own(j);
    double multiplier = 0;         // alpha_j
    std::vector<ActiveSet> before; // to return to if j proves impossible after members left
    for (;;) {
        count_step();
        q_.resize(alpha_.size());
        column_over_gamma(j, q_.data());
        factor_.solve(q_.data(), y(j), direction_);
        slopes(direction_.beta, j);
        const double s = slope_(j), gap = 1.0 - margins_(j);
        double step = s > dependent * size ? gap / s : std::numeric_limits<double>::infinity();
        const Index blocking = blocking_member(step, -1);
        bool possible = std::isfinite(step);
        if (possible && blocking < 0) // full step: it must join the factor
            possible = factor_.append(direction_, size, y(j));
        if (!possible) {
            if (!before.empty()) {
                before.front().work_ = work_;
                *this = std::move(before.front());
            }
            return false;
        }
        if (blocking >= 0 && before.empty()) before.push_back(*this);
        alpha_ -= step * direction_.x;
        b_ -= step * direction_.beta;
        margins_ += step * slope_;
        multiplier += step;
        if (blocking >= 0) {
            leave(blocking);
            continue;
        }
        gamma_.push_back(j);
        pointers_.push_back(columns_->column(j));
        member_[static_cast<std::size_t>(j)] = 1;
        alpha_.conservativeResize(alpha_.size() + 1);
        alpha_(alpha_.size() - 1) = multiplier;
        return true;
    }
}

/// Lowers the alpha of a member to 0 while the others stay on their margins, and takes it out.
void ActiveSet::give_up(Index position) {
    const Index sample = gamma_[static_cast<std::size_t>(position)];
    for (;;) {
        count_step();
        Index p = std::find(gamma_.begin(), gamma_.end(), sample) - gamma_.begin();
        q_.setZero(alpha_.size());
        q_(p) = 1;
        factor_.solve(q_.data(), 0.0, direction_);
        double step = direction_.x(p) > 0 ? alpha_(p) / direction_.x(p) : 0.0;
        const Index blocking = blocking_member(step, p);
        slopes(direction_.beta, -1);
        alpha_ -= step * direction_.x;
        b_ -= step * direction_.beta;
        margins_ += step * slope_;
        leave(blocking >= 0 ? blocking : p);
        if (blocking < 0) return;
    }
}

void ActiveSet::leave(Index position) {
    member_[static_cast<std::size_t>(gamma_[static_cast<std::size_t>(position)])] = 0;
    factor_.remove(position);
    gamma_.erase(gamma_.begin() + position);
    pointers_.erase(pointers_.begin() + position);
    const Index after = alpha_.size() - position - 1;
    alpha_.segment(position, after) = alpha_.tail(after).eval();
    alpha_.conservativeResize(alpha_.size() - 1);
}

bool ActiveSet::is_sound() const {
    return std::all_of(gamma_.begin(), gamma_.end(),
                       [this](Index i) { return std::abs(margins_(i) - 1.0) <= 1e-9; });
}

bool ActiveSet::polish(std::vector<char> &kept, Poll &poll) {
    for (int round = 0; round < 8; ++round) {
        refine();
        bool sound = is_sound();
        if (!sound) {
            refactor();
            refine();
        }
        for (Index p = alpha_.size() - 1; p >= 0; --p)
            if (alpha_(p) < 0) {
                sound = false;
                leave(p);
            }
        if (sound && most_violated(kept) < 0) return true;
        if (!sound) refine();
        if (!solve(kept, [&](const ActiveSet &) { return !poll.stopped(0); })) return false;
    }
    return true;
}

/// The factor of Gamma from nothing; members that depend on the others leave.
void ActiveSet::refactor() {
    const std::vector<Index> members = gamma_;
    const Vector multipliers = alpha_;
    gamma_.clear();
    pointers_.clear();
    factor_.clear();
    alpha_.resize(0);
    std::fill(member_.begin(), member_.end(), char{0});
    for (std::size_t p = 0; p < members.size(); ++p) {
        const Index i = members[p];
        q_.resize(alpha_.size());
        column_over_gamma(i, q_.data());
        factor_.solve(q_.data(), (*y_)(i), direction_);
        if (!factor_.append(direction_, own(i), (*y_)(i))) continue;
        gamma_.push_back(i);
        pointers_.push_back(columns_->column(i));
        member_[static_cast<std::size_t>(i)] = 1;
        alpha_.conservativeResize(alpha_.size() + 1);
        alpha_(alpha_.size() - 1) = multipliers(static_cast<Index>(p));
    }
}

void ActiveSet::refine() {
    const Vector &y = *y_;
    const Index n = alpha_.size();
    if (n == 0) return;
    Vector residual = Vector::Ones(n);
    double balance = 0;
    alpha_.setZero();
    b_ = 0;
    for (int round = 0; round < 3; ++round) {
        factor_.solve(residual.data(), balance, direction_);
        alpha_ += direction_.x;
        b_ += direction_.beta;
        weights_.resize(n);
        for (Index p = 0; p < n; ++p)
            weights_(p) = y(gamma_[static_cast<std::size_t>(p)]) * alpha_(p);
        balance = -weights_.sum();
        combine_columns(pointers_.data(), weights_.data(), n, slope_.size(), slope_.data());
        margins_ = y.array() * (slope_.array() + b_);
        for (Index p = 0; p < n; ++p) {
            const Index i = gamma_[static_cast<std::size_t>(p)];
            residual(p) = 1.0 - margins_(i) + rho_ * y(i) * balance;
        }
    }
}

} // namespace hinge0
