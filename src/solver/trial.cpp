/// Goldfarb-Idnani steps by principal pivots; see docs/exact.md, "Trying a move".
#include "solver/trial.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gram/tile_map.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// More changes than this are left to the active set.
constexpr std::size_t most_pivots = 64;
/// A rate below this share of K_jj is rounding: the sample depends on the others.
constexpr double dependent = 1e-9;
constexpr double violation = 1e-9;

} // namespace

Trial::Trial(Tableau &tableau, const Vector &prices, const std::vector<char> &kept)
    : tableau_(tableau), prices_(prices), kept_before_(kept), roles_(kept.size(), Role::outside),
      rates_(prices.size()) {
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] == 0) given_up_.push_back(static_cast<Index>(i));
}

void Trial::reset(const Move &move) {
    for (const Pivot &pivot : pivots_)
        role(pivot.sample) = Role::outside;
    for (const Index i : tableau_.state().gamma()) role(i) = Role::member;
    pivots_.clear();
    outputs_ = tableau_.outputs();
    kept_ = kept_before_;
    if (move.drop >= 0) kept_[static_cast<std::size_t>(move.drop)] = 0;
    if (move.take >= 0) kept_[static_cast<std::size_t>(move.take)] = 1;
}

double Trial::objective_after(const Move &move, double bound) {
    reset(move);
    if (move.drop >= 0 && !shift(move.drop, -1.0)) return -infinity;
    for (Index j = most_violated(); j >= 0; j = most_violated()) {
        if (half_norm_squared() + price() >= bound) return infinity;
        if (!shift(j, 1.0)) return -infinity;
    }
    return half_norm_squared() + price();
}

/// Raises (sign 1) the multiplier of a violated sample until it meets its margin, or lowers
/// (sign -1) that of a member to 0. Others whose multiplier reaches 0 on the way are dropped.
bool Trial::shift(Index sample, double sign) {
    const double size = tableau_.state().own(sample);
    double own = 0; // the input of a sample from outside
    if (sign < 0) change_sides(sample);
    for (;;) {
        if (pivots_.size() > most_pivots) return false;
        const Index at = position_of(sample);
        find_direction(sample, sign, at);
        double step = infinity;
        if (sign < 0) {
            step = outputs_(sample);
        } else {
            const double rate = at < 0 ? rates_(sample) : inputs_(at);
            const double gap = at < 0 ? 1.0 - outputs_(sample)
                                      : -pivots_[static_cast<std::size_t>(at)].input;
            if (rate > dependent * size || at >= 0) step = rate > 0 ? gap / rate : infinity;
        }
        const Index blocking = blocking_sample(step, sample);
        if (!std::isfinite(step)) return false;
        advance(step);
        own += step;
        if (blocking >= 0) {
            change_sides(blocking);
            continue;
        }
        if (sign > 0) change_sides(sample);
        if (sign > 0 && at < 0) pivots_.back().input = own;
        return true;
    }
}

/// The rates of all inputs and outputs when the multiplier of `sample` changes at the rate `sign`
/// and all constraints in force stay met.
void Trial::find_direction(Index sample, double sign, Index position) {
    const auto k = static_cast<Index>(pivots_.size());
    Matrix block(k, k); // B over the pivots
    Vector target = Vector::Zero(k);
    columns_.clear();
    for (Index c = 0; c < k; ++c) {
        columns_.push_back(tableau_.column(pivots_[static_cast<std::size_t>(c)].sample));
        for (Index r = 0; r < k; ++r)
            block(r, c) = columns_.back()[pivots_[static_cast<std::size_t>(r)].sample];
    }
    if (position >= 0) {
        target(position) = sign;
    } else {
        columns_.push_back(tableau_.column(sample));
        for (Index r = 0; r < k; ++r)
            target(r) = -sign * columns_.back()[pivots_[static_cast<std::size_t>(r)].sample];
    }
    inputs_ = k > 0 ? Vector(block.partialPivLu().solve(target)) : target;
    weights_.resize(static_cast<Index>(columns_.size()));
    weights_.head(k) = inputs_;
    if (position < 0) weights_(k) = sign;
    combine_columns(columns_.data(), weights_.data(), weights_.size(), rates_.size(),
                    rates_.data());
    work_ += static_cast<double>(weights_.size() * rates_.size());
}

Index Trial::position_of(Index sample) const {
    for (std::size_t k = 0; k < pivots_.size(); ++k)
        if (pivots_[k].sample == sample) return static_cast<Index>(k);
    return -1;
}

/// The sample whose multiplier reaches 0 before `step`, which is shortened to there; -1 if none.
Index Trial::blocking_sample(double &step, Index except) const {
    Index blocking = -1;
    const auto consider = [&](Index sample, double multiplier, double rate) {
        if (sample == except || !(rate < 0) || multiplier >= -step * rate) return;
        step = std::max(multiplier, 0.0) / -rate;
        blocking = sample;
    };
    for (const Index i : tableau_.state().gamma())
        if (role(i) == Role::member) consider(i, outputs_(i), rates_(i));
    for (std::size_t k = 0; k < pivots_.size(); ++k)
        if (role(pivots_[k].sample) == Role::added)
            consider(pivots_[k].sample, pivots_[k].input, inputs_(static_cast<Index>(k)));
    return blocking;
}

void Trial::advance(double step) {
    outputs_ += step * rates_;
    for (std::size_t k = 0; k < pivots_.size(); ++k)
        pivots_[k].input += step * inputs_(static_cast<Index>(k));
}

/// Members are dropped, outsiders added; those changed before go back.
void Trial::change_sides(Index sample) {
    Role &now = role(sample);
    if (now == Role::member || now == Role::outside) {
        pivots_.push_back({sample, 0.0});
        now = now == Role::member ? Role::dropped : Role::added;
    } else {
        pivots_.erase(pivots_.begin() + position_of(sample));
        now = now == Role::dropped ? Role::member : Role::outside;
    }
}

Index Trial::most_violated() const {
    Index worst = -1;
    double least = 1.0 - violation;
    for (Index i = 0; i < outputs_.size(); ++i)
        if (outputs_(i) < least && kept_[static_cast<std::size_t>(i)] != 0 &&
            role(i) == Role::outside) {
            least = outputs_(i);
            worst = i;
        }
    for (const Pivot &pivot : pivots_)
        if (role(pivot.sample) == Role::dropped && 1.0 + pivot.input < least &&
            kept_[static_cast<std::size_t>(pivot.sample)] != 0) {
            least = 1.0 + pivot.input;
            worst = pivot.sample;
        }
    return worst;
}

double Trial::half_norm_squared() const {
    double sum = 0;
    for (const Index i : tableau_.state().gamma())
        if (role(i) == Role::member) sum += outputs_(i);
    for (const Pivot &pivot : pivots_)
        if (role(pivot.sample) == Role::added) sum += pivot.input;
    return 0.5 * sum;
}

/// The prices of those not kept that miss their margin.
double Trial::price() const {
    double sum = 0;
    for (const Index i : given_up_)
        if (kept_[static_cast<std::size_t>(i)] == 0 && outputs_(i) < 1.0 - deficit_tolerance)
            sum += prices_(i);
    for (const Pivot &pivot : pivots_)
        if (role(pivot.sample) == Role::dropped && pivot.input < -deficit_tolerance &&
            kept_[static_cast<std::size_t>(pivot.sample)] == 0)
            sum += prices_(pivot.sample);
    return sum;
}

} // namespace hinge0
