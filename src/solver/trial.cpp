/// Goldfarb-Idnani steps by principal pivots; see docs/exact.md, "Trying a move".
#include "solver/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gram/tile_map.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// More steps than this are left to the active set.
constexpr int most_steps = 1024;
/// A rate below this share of K_jj is rounding: the sample depends on the others.
constexpr double dependent = 1e-9;
constexpr double violation = 1e-9;

} // namespace

Trial::Trial(Tableau &tableau, const Vector &prices, const std::vector<char> &kept)
    : tableau_(tableau), prices_(prices.size()), inputs_(PivotBlock::most), rates_(prices.size()),
      in_force_(Vector::Ones(tableau.members())),
      hindrance_(Vector::Zero(prices.size() - tableau.members())) {
    for (Index at = 0; at < prices.size(); ++at) {
        prices_(at) = prices(tableau.sample(at));
        if (kept[static_cast<std::size_t>(tableau.sample(at))] != 0) continue;
        given_up_.push_back(at);
        hindrance_(at - tableau.members()) = infinity;
    }
}

void Trial::reset(const Move &move) {
    const Index n = tableau_.members();
    for (Index k = 0; k < pivots_.size(); ++k) { // what the last trial left behind
        const Index at = pivots_.position(k);
        if (is_member(at))
            in_force_(at) = 1.0;
        else
            hindrance_(at - n) = 0.0;
    }
    if (take_ >= 0) hindrance_(take_ - n) = infinity;
    pivots_.clear();
    steps_ = 0;
    outputs_ = tableau_.outputs();
    drop_ = move.drop >= 0 ? tableau_.position(move.drop) : -1;
    take_ = move.take >= 0 ? tableau_.position(move.take) : -1;
    if (take_ >= 0) hindrance_(take_ - n) = 0.0;
}

double Trial::objective_after(const Move &move, double bound, End end) {
    reset(move);
    if (drop_ >= 0 && shift(drop_, -1.0, infinity, end) != Outcome::done) return -infinity;
    for (Index j = most_violated(); j >= 0; j = most_violated()) {
        if (least(half_norm_squared(), end) >= bound) return infinity;
        const Outcome outcome = shift(j, 1.0, bound, end);
        if (outcome != Outcome::done) return outcome == Outcome::too_much ? infinity : -infinity;
    }
    return half_norm_squared() + price();
}

/// Raises (sign 1) the multiplier of a violated sample until it meets its margin, or lowers
/// (sign -1) that of a member to 0. Others whose multiplier reaches 0 on the way change sides.
Trial::Outcome Trial::shift(Index at, double sign, double bound, End end) {
    double own = 0;                    // the input of a sample from outside
    double dual = half_norm_squared(); // the dual objective, which rises with every step up
    if (sign < 0 && !change_sides(at)) return Outcome::unknown;
    for (;;) {
        if (++steps_ > most_steps) return Outcome::unknown;
        const Index pivot = pivots_.find(at);
        find_direction(at, sign, pivot);
        const double rate = pivot < 0 ? rates_(at) : input_rates_(pivot);
        const double gap = pivot < 0 ? 1.0 - outputs_(at) : -inputs_(pivot);
        double step = infinity;
        if (sign < 0)
            step = outputs_(at);
        else if (rate > (pivot < 0 ? dependent * tableau_.own(at) : 0.0))
            step = gap / rate;
        const Index blocking = blocking_position(step, at);
        if (!std::isfinite(step)) return Outcome::unknown;
        advance(step);
        own += step;
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

/// The rates of all inputs and outputs when the multiplier at a position changes at the rate `sign`
/// and all constraints in force stay met.
void Trial::find_direction(Index at, double sign, Index pivot) {
    const Index k = pivots_.size();
    columns_.clear();
    for (Index c = 0; c < k; ++c) columns_.push_back(tableau_.column(pivots_.position(c)));
    weights_.resize(k + (pivot < 0 ? 1 : 0));
    if (pivot >= 0) {
        input_rates_ = sign * pivots_.inverse().col(pivot);
    } else {
        columns_.push_back(tableau_.column(at));
        PivotBlock::Row target(k);
        for (Index r = 0; r < k; ++r) target(r) = -sign * columns_.back()[pivots_.position(r)];
        input_rates_.noalias() = pivots_.inverse() * target;
        weights_(k) = sign;
    }
    weights_.head(k) = input_rates_;
    combine_columns(columns_.data(), weights_.data(), weights_.size(), rates_.size(),
                    rates_.data());
    work_ += static_cast<double>(weights_.size() * rates_.size());
}

/// The position whose multiplier reaches 0 before `step`, which is shortened to there; -1 if none.
Index Trial::blocking_position(double &step, Index except) const {
    Index blocking = -1;
    const auto consider = [&](Index at, double multiplier, double rate) {
        if (!(multiplier + step * rate < 0) || rate >= 0) return; // the first is rarely true
        step = std::max(multiplier, 0.0) / -rate;
        blocking = at;
    };
    for (Index p = 0; p < in_force_.size(); ++p) consider(p, outputs_(p), rates_(p) * in_force_(p));
    for (Index k = 0; k < pivots_.size(); ++k) {
        const Index at = pivots_.position(k);
        if (!is_member(at) && at != except) consider(at, inputs_(k), input_rates_(k));
    }
    return blocking;
}

void Trial::advance(double step) {
    outputs_ += step * rates_;
    inputs_.head(pivots_.size()) += step * input_rates_;
}

/// Members are dropped, outsiders added; those changed before go back. False if what is then in
/// force depends on each other.
bool Trial::change_sides(Index at) {
    const Index pivot = pivots_.find(at), n = tableau_.members();
    if (pivot < 0) {
        PivotBlock::Row row(pivots_.size());
        for (Index k = 0; k < row.size(); ++k) row(k) = tableau_.column(pivots_.position(k))[at];
        if (!pivots_.add(at, tableau_.column(at), row)) return false;
        inputs_(pivots_.size() - 1) = 0.0;
    } else {
        const double last = inputs_(pivots_.size() - 1);
        if (!pivots_.remove(pivot)) return false;
        inputs_(pivot) = last; // remove() moved the last one there
    }
    if (is_member(at))
        in_force_(at) = pivot < 0 ? 0.0 : 1.0;
    else
        hindrance_(at - n) = pivot < 0 ? infinity : 0.0;
    return true;
}

Index Trial::most_violated() const {
    const Index n = tableau_.members(), others = hindrance_.size();
    const double *const margins = outputs_.data() + n;
    double least = 1.0 - violation;
    for (Index i = 0; i < others; ++i) least = std::min(least, margins[i] + hindrance_(i));
    Index worst = -1;
    if (least < 1.0 - violation)
        for (Index i = 0; worst < 0; ++i)
            if (margins[i] + hindrance_(i) == least) worst = n + i;
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
    double sum = 0;
    for (const Index at : given_up_)
        if (at != take_ && outputs_(at) < 1.0 - deficit_tolerance) sum += prices_(at);
    const Index pivot = drop_ >= 0 ? pivots_.find(drop_) : -1;
    if (pivot >= 0 && inputs_(pivot) < -deficit_tolerance) sum += prices_(drop_);
    return sum;
}

} // namespace hinge0
