/// Steps of the dual active-set method; letters as in docs/exact.md.
#include "solver/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinge0 {
namespace {

/// A kept sample counts as violated beyond this; well inside the certificate's tolerance.
constexpr double violation = 1e-10;
/// s_j below this share of K_jj: sample j depends on Gamma to within rounding.
constexpr double dependent = 1e-12;

} // namespace

ActiveSet::ActiveSet(ColumnStore &columns, const Vector &y)
    : columns_(&columns), y_(&y), rho_(std::max(columns.diagonal().mean(), 1e-300)),
      margins_(Vector::Zero(y.size())), slope_(y.size()) {}

bool ActiveSet::solve(std::vector<char> &kept, double bound) {
    // Members that are no longer kept are brought to alpha = 0 first.
    for (Index p = 0; p < static_cast<Index>(gamma_.size());) {
        if (kept[static_cast<std::size_t>(gamma_[static_cast<std::size_t>(p)])] != 0) {
            ++p;
            continue;
        }
        if (!give_up(p)) break; // Gamma is empty
        p = 0;
    }
    if (gamma_.empty() && !start(kept)) return true; // one class is left: the constant classifier
    for (Index j = most_violated(kept); j >= 0; j = most_violated(kept)) {
        if (!enter(j)) kept[static_cast<std::size_t>(j)] = 0;
        if (half_norm_squared() > bound) return false;
    }
    return true;
}

/// The closest look at two samples: the first kept one of each class, solved by hand.
bool ActiveSet::start(const std::vector<char> &kept) {
    const Vector &y = *y_;
    Index first = -1, second = -1;
    for (Index i = 0; i < y.size(); ++i) {
        if (kept[static_cast<std::size_t>(i)] == 0) continue;
        Index &chosen = y(i) > 0 ? first : second;
        // the most violated by the last classifier: likely to stay
        if (chosen < 0 || margins_(i) < margins_(chosen)) chosen = i;
    }
    if (first < 0 || second < 0) return false;
    factor_.clear();
    gamma_.clear();
    alpha_.resize(0);
    margins_.setZero();
    b_ = 0;
    // A single sample of each class: enter() needs a regular M, which one member gives.
    const Index a = columns_->slot(first);
    const double k = columns_->column(a)[first] + rho_;
    column_.half.resize(0);
    if (!factor_.append(column_, k, y(first))) return false;
    gamma_.push_back(first);
    alpha_ = Vector::Zero(1);
    b_ = y(first);
    margins_ = y * y(first);
    return true;
}

Index ActiveSet::most_violated(const std::vector<char> &kept) const {
    Index worst = -1;
    double least = 1.0 - violation * (1.0 + alpha_.cwiseAbs().sum() * 1e-3);
    for (Index i = 0; i < margins_.size(); ++i)
        if (kept[static_cast<std::size_t>(i)] != 0 && margins_(i) < least) {
            least = margins_(i);
            worst = i;
        }
    if (worst >= 0 && std::find(gamma_.begin(), gamma_.end(), worst) != gamma_.end()) return -1;
    return worst;
}

/// x = M^-1 [q_j; y_j] and the slope of every margin when alpha_j grows:
/// Q_ij - Q_iGamma x - y_i beta.
void ActiveSet::direction_of(Index j) {
    const Vector &y = *y_;
    const auto n = static_cast<Index>(gamma_.size());
    const Index slot = columns_->slot(j);
    q_.resize(n);
    for (Index p = 0; p < n; ++p) {
        const Index i = gamma_[static_cast<std::size_t>(p)];
        q_(p) = y(i) * y(j) * (columns_->column(slot)[i] + rho_);
    }
    factor_.solve(q_.data(), y(j), column_);
    weights_.setZero(columns_->held());
    for (Index p = 0; p < n; ++p) {
        const Index i = gamma_[static_cast<std::size_t>(p)];
        weights_(columns_->slot(i)) = -y(i) * column_.x(p);
    }
    weights_(slot) += y(j);
    columns_->combine(weights_, slope_.data());
    slope_ = y.array() * (slope_.array() - column_.beta);
}

/// Brings the violated sample j onto its margin. False if no step does: it cannot be kept.
bool ActiveSet::enter(Index j) {
    const Vector &y = *y_;
    double own = 0; // alpha_j
    for (;;) {
        ++steps_;
        direction_of(j);
        const double s = slope_(j), gap = 1.0 - margins_(j);
        const bool depends = s <= dependent * (columns_->diagonal()(j) + rho_);
        const double full = depends ? std::numeric_limits<double>::infinity() : gap / s;
        double step = full;
        Index blocking = -1;
        for (Index p = 0; p < alpha_.size(); ++p)
            if (column_.x(p) > 0 && alpha_(p) < step * column_.x(p)) {
                step = alpha_(p) / column_.x(p);
                blocking = p;
            }
        if (!std::isfinite(step)) {
            if (own > 0) alpha_ = alpha_; // nothing entered: own is returned below
            return undo(j, own);
        }
        alpha_ -= step * column_.x;
        b_ -= step * column_.beta;
        own += step;
        margins_ += step * slope_;
        if (blocking >= 0) {
            leave(blocking);
            continue;
        }
        if (!factor_.append(column_, columns_->diagonal()(j) + rho_, y(j))) return undo(j, own);
        gamma_.push_back(j);
        alpha_.conservativeResize(alpha_.size() + 1);
        alpha_(alpha_.size() - 1) = own;
        margins_(j) = 1.0;
        return true;
    }
}

} // namespace hinge0
