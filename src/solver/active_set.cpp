/// Steps of the dual active-set method; letters as in docs/exact.md.
#include "solver/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/combine.hpp"

namespace hinge0 {
namespace {

/// A kept sample counts as violated beyond this, plus rounding; well inside what is certified.
constexpr double violation = 1e-10;
} // namespace

ActiveSet::ActiveSet(ColumnCache &columns, const Vector &y, int threads)
    : columns_(&columns), y_(&y), rho_(std::max(columns.gram().diagonal().mean(), 1e-300)),
      largest_(columns.gram().diagonal().maxCoeff()),
      member_(static_cast<std::size_t>(y.size()), 0), margins_(y.size()), threads_(threads),
      slope_(y.size()) {}

bool ActiveSet::solve(Flags &kept, const GoOn &go_on) {
    for (Index p = 0; p < alpha_.size();) {
        if (kept[static_cast<std::size_t>(gamma_[static_cast<std::size_t>(p)])] != 0) {
            ++p;
            continue;
        }
        give_up(p);
        p = 0; // others may have left with it
    }
    if (gamma_.empty() && !start(kept)) return true; // one class left: a constant classifier
    // |w|^2 / 2 rises with every sample that enters, so none can come back for ever, but for
    // rounding: beyond any plausible number of steps, samples are given up.
    const Index most = 10 * (margins_.size() + 10);
    Index entered = 0;
    bool in_blocks = true;
    const auto next = [&] { return margins_.most_violated(kept, member_, least_margin()); };
    for (Index j = next(); j >= 0; j = next()) {
        if (!go_on(*this, half_norm_squared())) return false;
        const std::vector<Index> block = in_blocks ? entrants(kept) : std::vector<Index>{};
        if (block.size() >= least_block) {
            in_blocks = ++entered <= most && enter_all(block);
            if (in_blocks) continue;
        }
        const Entry entry = ++entered > most ? Entry::impossible : enter(j, go_on);
        if (entry == Entry::stopped) return false;
        if (entry == Entry::impossible) kept[static_cast<std::size_t>(j)] = 0;
    }
    return true;
}

/// Lists a sample whose row the factor has already.
void ActiveSet::join(Index sample, double multiplier) {
    gamma_.push_back(sample);
    held_.push_back(columns_->column(sample));
    member_[static_cast<std::size_t>(sample)] = 1;
    alpha_.conservativeResize(alpha_.size() + 1);
    alpha_(alpha_.size() - 1) = multiplier;
}

/// All margins from alpha and b.
void ActiveSet::add_up_margins() {
    const Vector &y = *y_;
    const Index n = alpha_.size();
    weights_.resize(n);
    for (Index p = 0; p < n; ++p) weights_(p) = y(gamma_[static_cast<std::size_t>(p)]) * alpha_(p);
    combine(held_);
    margins_.set(y, slope_, b_);
}

/// slope_ = the sum of these columns, times weights_.
void ActiveSet::combine(const std::vector<Column> &columns) {
    pointers_.clear();
    for (const Column &column : columns) pointers_.push_back(column.get());
    combine_columns(pointers_.data(), weights_.data(), static_cast<Index>(columns.size()),
                    slope_.size(), threads_, slope_.data());
}

/// One kept sample with alpha = 0 and b on its side: a regular M, from which others can enter.
bool ActiveSet::start(const Flags &kept) {
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
    join(first, 0.0);
    b_ = y(first);
    margins_.set(y, Vector::Zero(y.size()), b_);
    return true;
}

/// A kept sample below it is violated.
double ActiveSet::least_margin() const { return 1.0 - violation - 1e-14 * alpha_.sum(); }

/// y_i y_j (K_ij + rho) for the members i of Gamma.
void ActiveSet::column_over_gamma(Index j, double *out) const {
    const Vector &y = *y_;
    const Column column = columns_->column(j);
    for (std::size_t p = 0; p < gamma_.size(); ++p)
        out[p] = y(gamma_[p]) * y(j) * (column[gamma_[p]] + rho_);
}

void ActiveSet::schur(const std::vector<Index> &samples, Vector &out) const {
    constexpr Index at_once = 512; // columns of q, so that many violators do not need much memory
    const auto n = static_cast<Index>(gamma_.size()), count = static_cast<Index>(samples.size());
    Matrix q;
    Vector part;
    out.resize(count);
    for (Index first = 0; first < count; first += at_once) {
        const Index some = std::min(at_once, count - first);
        Vector signs(some), diagonal(some);
        q.resize(n, some);
        for (Index k = 0; k < some; ++k) {
            const Index j = samples[static_cast<std::size_t>(first + k)];
            signs(k) = (*y_)(j);
            diagonal(k) = own(j);
            for (Index p = 0; p < n; ++p) {
                const auto at = static_cast<std::size_t>(p);
                q(p, k) = (*y_)(gamma_[at]) * signs(k) * (held_[at][j] + rho_);
            }
        }
        factor_.schur(q, signs, diagonal, part);
        out.segment(first, some) = part;
    }
}

ActiveSet::Multipliers ActiveSet::multipliers() const { return {gamma_, held_, alpha_, b_}; }

/// Brings the margins from those of earlier multipliers to the present ones and that of a sample j
/// that is about to enter (none if j < 0). Blocked steps need no margins but that of j, so this is
/// done once for all steps of an entry.
void ActiveSet::move_margins(Multipliers &from, Index j, double multiplier) {
    const Vector &y = *y_;
    const auto n = static_cast<Index>(from.gamma.size());
    weights_.resize(n + 1);
    for (Index p = 0, now = 0; p < n; ++p) { // members have left since, the others are in order
        const Index i = from.gamma[static_cast<std::size_t>(p)];
        const bool stayed = now < alpha_.size() && gamma_[static_cast<std::size_t>(now)] == i;
        weights_(p) = y(i) * ((stayed ? alpha_(now) : 0.0) - from.alpha(p));
        if (stayed) ++now;
    }
    if (j >= 0) from.columns.push_back(columns_->column(j));
    weights_(n) = j >= 0 ? y(j) * multiplier : 0.0;
    combine(from.columns);
    margins_.move(y, slope_, b_ - from.b);
}

/// The member whose alpha reaches 0 before `step`, which is shortened to there; -1 if none does.
Index ActiveSet::blocking_member(double &step, Index except) const {
    Index blocking = -1;
    for (Index p = 0; p < alpha_.size(); ++p)
        if (alpha_(p) < step * direction_.x(p) && direction_.x(p) > 0 && p != except) {
            step = alpha_(p) / direction_.x(p);
            blocking = p;
        }
    return blocking;
}

/// Brings the violated sample j onto its margin; otherwise nothing changes.
ActiveSet::Entry ActiveSet::enter(Index j, const GoOn &go_on) {
    const Vector &y = *y_;
    const double size = own(j);
    double multiplier = 0, margin = margins_(j), dual = half_norm_squared();
    Multipliers at_first = multipliers();
    std::vector<ActiveSet> before; // to return to if j does not enter after members left
    const auto give_back = [&](Entry entry) {
        if (!before.empty()) {
            before.front().work_ = work_;
            *this = std::move(before.front());
        }
        return entry;
    };
    for (;;) {
        count_step();
        q_.resize(alpha_.size());
        column_over_gamma(j, q_.data());
        factor_.solve(q_.data(), y(j), direction_);
        const double s = size - q_.dot(direction_.x) - y(j) * direction_.beta, gap = 1.0 - margin;
        double step = s > dependent * size ? gap / s : std::numeric_limits<double>::infinity();
        const Index blocking = blocking_member(step, -1);
        bool possible = std::isfinite(step);
        if (possible && blocking < 0) // full step: it must join the factor
            possible = factor_.append(direction_, size, y(j));
        if (!possible) return give_back(Entry::impossible);
        if (blocking >= 0 && before.empty()) before.push_back(*this);
        alpha_ -= step * direction_.x;
        b_ -= step * direction_.beta;
        margin += step * s;
        multiplier += step;
        dual += step * (gap - 0.5 * step * s);
        if (blocking < 0) break;
        leave(blocking);
        if (!go_on(*this, dual)) return give_back(Entry::stopped);
    }
    move_margins(at_first, j, multiplier);
    join(j, multiplier);
    return Entry::done;
}

/// Lowers the alpha of a member to 0 while the others stay on their margins, and takes it out.
void ActiveSet::give_up(Index position) {
    const Index sample = gamma_[static_cast<std::size_t>(position)];
    Multipliers at_first = multipliers();
    for (bool blocked = true; blocked;) {
        count_step();
        const Index p = std::find(gamma_.begin(), gamma_.end(), sample) - gamma_.begin();
        q_.setZero(alpha_.size());
        q_(p) = 1;
        factor_.solve(q_.data(), 0.0, direction_);
        double step = direction_.x(p) > 0 ? alpha_(p) / direction_.x(p) : 0.0;
        const Index blocking = blocking_member(step, p);
        alpha_ -= step * direction_.x;
        b_ -= step * direction_.beta;
        blocked = blocking >= 0;
        leave(blocked ? blocking : p);
    }
    move_margins(at_first, -1, 0.0);
}

void ActiveSet::leave(Index position) {
    member_[static_cast<std::size_t>(gamma_[static_cast<std::size_t>(position)])] = 0;
    factor_.remove(position);
    gamma_.erase(gamma_.begin() + position);
    held_.erase(held_.begin() + position);
    const Index after = alpha_.size() - position - 1;
    alpha_.segment(position, after) = alpha_.tail(after).eval();
    alpha_.conservativeResize(alpha_.size() - 1);
}

void ActiveSet::clear() {
    for (const Index i : gamma_) member_[static_cast<std::size_t>(i)] = 0;
    gamma_.clear();
    held_.clear();
    factor_.clear();
    alpha_.resize(0);
}

/// Steps keep margins and balance, but also the rounding of larger multipliers that once were.
bool ActiveSet::is_sound(double rounding) const {
    double balance = 0;
    for (std::size_t p = 0; p < gamma_.size(); ++p)
        balance += (*y_)(gamma_[p]) * alpha_(static_cast<Index>(p));
    return rho_ * std::abs(balance) <= 1e-9 + 1e-13 * rho_ * alpha_.sum() &&
           std::all_of(gamma_.begin(), gamma_.end(),
                       [&](Index i) { return std::abs(margins_(i) - 1.0) <= 1e-9 + rounding; });
}

bool ActiveSet::polish(Flags &kept, Watch &watch) {
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
        if (sound && margins_.most_violated(kept, member_, least_margin()) < 0) return true;
        if (!sound) refine();
        if (!solve(kept, [&](const ActiveSet &, double) { return !watch.stopped(); })) return false;
    }
    refine(); // so ill-conditioned that it never came to rest: good enough, or not
    return is_sound(1e-13 * alpha_.sum());
}

/// The factor of Gamma from nothing; members that depend on the others leave.
void ActiveSet::refactor() {
    const std::vector<Index> members = gamma_;
    const Vector multipliers = alpha_;
    clear();
    for (std::size_t p = 0; p < members.size(); ++p) {
        const Index i = members[p];
        q_.resize(alpha_.size());
        column_over_gamma(i, q_.data());
        factor_.solve(q_.data(), (*y_)(i), direction_);
        if (!factor_.append(direction_, own(i), (*y_)(i))) continue;
        join(i, multipliers(static_cast<Index>(p)));
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
        add_up_margins();
        balance = -weights_.sum();
        for (Index p = 0; p < n; ++p) {
            const Index i = gamma_[static_cast<std::size_t>(p)];
            residual(p) = 1.0 - margins_(i) + rho_ * y(i) * balance;
        }
    }
}

} // namespace hinge0
