/// Goldfarb-Idnani steps by principal pivots; see docs/exact.md, "Trying a move".
#include "solver/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge0/report.hpp"
#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// More steps than this are left to the active set.
constexpr int most_steps = 1024;
/// A rate below this share of K_jj is rounding: the sample depends on the others.
constexpr double dependent = 1e-9;
constexpr double violation = 1e-9;
/// So many violated samples enter at once: of more, most would have to leave again.
constexpr std::ptrdiff_t most_at_once = 4;
/// And only if there are not more samples for each member: a crowd of violated ones comes and goes.
constexpr Index crowd = 10;

} // namespace

Trial::Trial(Tableau &tableau, const Vector &prices)
    : tableau_(tableau), prices_(prices.size()), inputs_(PivotBlock::most), outputs_(prices.size()),
      rates_(tableau.movable()), in_force_(Vector::Ones(tableau.members())),
      hindrance_(Vector::Zero(prices.size() - tableau.movable())),
      below_(static_cast<std::size_t>(hindrance_.size())) {
    for (Index at = 0; at < prices.size(); ++at) prices_(at) = prices(tableau.sample(at));
}

void Trial::reset(const Move &move, End end) {
    for (Index k = 0; k < pivots_.size(); ++k) { // what the last trial left behind
        const Index at = pivots_.position(k);
        if (is_member(at))
            in_force_(at) = 1.0;
        else if (at >= tableau_.movable())
            hindrance_(at - tableau_.movable()) = 0.0;
    }
    pivots_.clear();
    columns_.clear();
    steps_ = 0;
    followed_ = end == End::early ? tableau_.movable() : tableau_.members();
    outputs_.head(tableau_.movable()) = tableau_.outputs().head(tableau_.movable());
    drop_ = move.drop >= 0 ? tableau_.position(move.drop) : -1;
    take_ = move.take >= 0 ? tableau_.position(move.take) : -1;
}

double Trial::objective_after(const Move &move, double bound, End end) {
    reset(move, end);
    double found = 0;
    if (end == End::proven && tableau_.size() <= crowd * tableau_.members()) {
        if (jump(bound, found)) return found;
        reset(move, end);
    }
    if (drop_ >= 0 && shift(drop_, -1.0, infinity, end) != Outcome::done) return -infinity;
    // Until a member is dropped, the sample to be taken is the only one that is violated.
    for (Index j = drop_ < 0 ? take_ : most_violated(); j >= 0; j = most_violated()) {
        if (least(half_norm_squared(), end) >= bound) return infinity;
        const Outcome outcome = shift(j, 1.0, bound, end);
        if (outcome != Outcome::done) return outcome == Outcome::too_much ? infinity : -infinity;
    }
    find_margins(tableau_.members(), tableau_.movable());
    return half_norm_squared() + price();
}

/// Follows the move in large steps: the most violated samples enter together, then members with
/// negative multipliers leave, again and again. Every round ends in the solution of its own
/// constraints; false if |w|^2 / 2 does not rise from one to the next, or something else goes
/// wrong.
bool Trial::jump(double bound, double &found) {
    changing_.clear();
    if (drop_ >= 0) changing_.push_back(drop_);
    if (take_ >= 0) changing_.push_back(take_);
    for (double last = -infinity; !changing_.empty();) {
        if (!change_all() || !drop_negative()) return false;
        const double now = half_norm_squared();
        if (!(now > last)) return false;
        last = now;
        found = infinity;
        if (now >= bound) return true;
        list_violated();
    }
    find_margins(tableau_.members(), tableau_.movable());
    found = half_norm_squared() + price();
    return true;
}

bool Trial::change_all() {
    return std::all_of(changing_.begin(), changing_.end(),
                       [this](Index at) { return ++steps_ <= most_steps && change_sides(at); });
}

/// Puts all that is in force on its margin, and lets go who has a negative multiplier, until none
/// has.
bool Trial::drop_negative() {
    const Index n = tableau_.members();
    for (int round = 0; round < 10; ++round) {
        const Index k = pivots_.size();
        PivotBlock::Row target(k); // 0 for the multipliers of dropped ones, 1 for others' margins
        for (Index r = 0; r < k; ++r) {
            const Index at = pivots_.position(r);
            target(r) = (is_member(at) ? 0.0 : 1.0) - tableau_.outputs()(at);
        }
        pivots_.solve(target.data(), inputs_.data());
        find_margins(0, n); // here, multipliers
        changing_.clear();
        for (Index p = 0; p < n; ++p)
            if (outputs_(p) * in_force_(p) < 0) changing_.push_back(p);
        for (Index r = 0; r < k; ++r)
            if (!is_member(pivots_.position(r)) && inputs_(r) < 0)
                changing_.push_back(pivots_.position(r));
        if (changing_.empty()) return true;
        if (!change_all()) return false;
    }
    return false;
}

void Trial::list_violated() {
    const Index first = tableau_.movable();
    find_margins(first, outputs_.size());
    const Index listed = loops.list_below(outputs_.data() + first, hindrance_.data(),
                                          hindrance_.size(), 1.0 - violation, below_.data());
    changing_.clear();
    for (Index k = 0; k < listed; ++k)
        changing_.push_back(first + below_[static_cast<std::size_t>(k)]);
    if (std::ssize(changing_) > most_at_once) {
        const auto by_margin = [this](Index a, Index b) { return outputs_(a) < outputs_(b); };
        std::nth_element(changing_.begin(), changing_.begin() + most_at_once, changing_.end(),
                         by_margin);
        changing_.resize(most_at_once);
    }
    for (Index k = 0; k < pivots_.size(); ++k) {
        const Index at = pivots_.position(k);
        if (is_member(at) && at != drop_ && inputs_(k) < -violation) changing_.push_back(at);
    }
    if (take_ < 0 || pivots_.find(take_) >= 0) return;
    find_margins(take_, take_ + 1); // it had to leave
    if (outputs_(take_) < 1.0 - violation) changing_.push_back(take_);
}

/// Raises (sign 1) the multiplier of a violated sample until it meets its margin, or lowers
/// (sign -1) that of a member to 0. Others whose multiplier reaches 0 on the way change sides.
Trial::Outcome Trial::shift(Index at, double sign, double bound, End end) {
    double own = 0; // the input of a sample from outside
    double margin = outputs_(at);
    double dual = half_norm_squared(); // the dual objective, which rises with every step up
    if (sign < 0 && !change_sides(at)) return Outcome::unknown;
    for (;;) {
        if (++steps_ > most_steps) return Outcome::unknown;
        const Index pivot = pivots_.find(at);
        const double rate = find_direction(at, sign, pivot);
        const double gap = pivot < 0 ? 1.0 - margin : -inputs_(pivot);
        double step = infinity;
        if (sign < 0)
            step = outputs_(at);
        else if (rate > (pivot < 0 ? dependent * tableau_.own(at) : 0.0))
            step = gap / rate;
        const Index blocking = blocking_position(step, at);
        if (!std::isfinite(step)) return Outcome::unknown;
        advance(step);
        own += step;
        margin += step * rate;
        dual += step * (gap - 0.5 * step * rate);
        if (blocking < 0) break;
        if (sign > 0 && least(dual, end) >= bound) return Outcome::too_much;
        if (!change_sides(blocking)) return Outcome::unknown;
    }
    if (sign < 0) return Outcome::done;
    const bool from_outside = pivots_.find(at) < 0;
    if (!change_sides(at)) return Outcome::unknown;
    if (from_outside) inputs_(pivots_.size() - 1) = own;
    return Outcome::done;
}

/// The rates of all inputs and followed outputs when the multiplier at a position changes at the
/// rate `sign` and all constraints in force stay met.
double Trial::find_direction(Index at, double sign, Index pivot) {
    const Index k = pivots_.size();
    weights_.resize(k + (pivot < 0 ? 1 : 0));
    double rate = 0;
    if (pivot >= 0) {
        input_rates_ = sign * pivots_.inverse_column(pivot);
        rate = input_rates_(pivot);
    } else {
        const double *const own = tableau_.column(at);
        PivotBlock::Row target(k);
        for (Index r = 0; r < k; ++r) target(r) = -sign * own[pivots_.position(r)];
        input_rates_.resize(k);
        pivots_.solve(target.data(), input_rates_.data());
        for (Index r = 0; r < k; ++r)
            rate += columns_[static_cast<std::size_t>(r)][at] * input_rates_(r);
        rate += sign * own[at];
        columns_.push_back(own);
        weights_(k) = sign;
    }
    weights_.head(k) = input_rates_;
    loops.combine_columns(columns_.data(), weights_.data(), weights_.size(), 0, followed_,
                          rates_.data());
    if (pivot < 0) columns_.pop_back();
    work_ += static_cast<double>(weights_.size() * followed_);
    return rate;
}

/// The margins of some samples outside, from the inputs.
void Trial::find_margins(Index first, Index end) {
    const Index k = pivots_.size();
    columns_.push_back(tableau_.outputs().data());
    weights_.resize(k + 1);
    weights_.head(k) = inputs_.head(k);
    weights_(k) = 1.0;
    loops.combine_columns(columns_.data(), weights_.data(), k + 1, first, end, outputs_.data());
    columns_.pop_back();
    work_ += static_cast<double>((k + 1) * (end - first));
}

/// The position whose multiplier reaches 0 before `step`, which is shortened to there; -1 if none.
Index Trial::blocking_position(double &step, Index except) const {
    Index blocking =
        loops.shorten(outputs_.data(), rates_.data(), in_force_.data(), in_force_.size(), &step);
    for (Index k = 0; k < pivots_.size(); ++k) {
        const Index at = pivots_.position(k);
        const double rate = input_rates_(k);
        if (is_member(at) || at == except || !(inputs_(k) + step * rate < 0) || rate >= 0) continue;
        step = std::max(inputs_(k), 0.0) / -rate;
        blocking = at;
    }
    return blocking;
}

void Trial::advance(double step) {
    outputs_.head(followed_) += step * rates_.head(followed_);
    inputs_.head(pivots_.size()) += step * input_rates_;
}

/// Members are dropped, outsiders added; those changed before go back. False if what is then in
/// force depends on each other.
bool Trial::change_sides(Index at) {
    const Index pivot = pivots_.find(at);
    if (pivot < 0) {
        PivotBlock::Row row(pivots_.size());
        for (Index k = 0; k < row.size(); ++k) row(k) = columns_[static_cast<std::size_t>(k)][at];
        const double least = is_member(at) ? 0.0 : dependent * tableau_.own(at);
        if (!pivots_.add(at, tableau_.column(at), row, least)) return false;
        columns_.push_back(tableau_.column(at));
        inputs_(pivots_.size() - 1) = 0.0;
    } else {
        const double last = inputs_(pivots_.size() - 1);
        if (!pivots_.remove(pivot)) return false;
        inputs_(pivot) = last; // remove() moved the last one there
        columns_[static_cast<std::size_t>(pivot)] = columns_.back();
        columns_.pop_back();
    }
    if (is_member(at))
        in_force_(at) = pivot < 0 ? 0.0 : 1.0;
    else if (at >= tableau_.movable())
        hindrance_(at - tableau_.movable()) = pivot < 0 ? infinity : 0.0;
    return true;
}

Index Trial::most_violated() {
    const Index first = tableau_.movable(), others = hindrance_.size();
    find_margins(first, outputs_.size());
    const double *const margins = outputs_.data() + first;
    double least = loops.least_sum(margins, hindrance_.data(), others);
    Index worst = -1;
    if (least < 1.0 - violation)
        worst = first + loops.find_sum(margins, hindrance_.data(), others, least);
    else
        least = 1.0 - violation;
    if (take_ >= 0 && pivots_.find(take_) < 0) { // not in yet, or out again
        find_margins(take_, take_ + 1);
        if (outputs_(take_) < least) worst = take_;
        least = std::min(least, outputs_(take_));
    }
    for (Index k = 0; k < pivots_.size(); ++k) {
        const Index at = pivots_.position(k);
        if (is_member(at) && at != drop_ && 1.0 + inputs_(k) < least) {
            least = 1.0 + inputs_(k);
            worst = at;
        }
    }
    return worst;
}

double Trial::half_norm_squared() const {
    double sum = outputs_.head(tableau_.members()).dot(in_force_);
    for (Index k = 0; k < pivots_.size(); ++k)
        if (!is_member(pivots_.position(k))) sum += inputs_(k);
    return 0.5 * sum;
}

/// The prices of those not kept that miss their margin.
double Trial::price() const {
    const Index n = tableau_.members();
    constexpr double bound = 1.0 - deficit_tolerance;
    double sum =
        loops.sum_below(outputs_.data() + n, prices_.data() + n, tableau_.violators(), bound);
    if (take_ >= 0 && outputs_(take_) < bound) sum -= prices_(take_);
    const Index pivot = drop_ >= 0 ? pivots_.find(drop_) : -1;
    if (pivot >= 0 && inputs_(pivot) < -deficit_tolerance) sum += prices_(drop_);
    return sum;
}

} // namespace hinge0
