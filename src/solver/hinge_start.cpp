/// SMO with second-order working-set selection (Fan, Chen and Lin 2005).
#include "solver/hinge_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The path begins where prices times kernel values are at most this: nearly all multipliers are at
/// their bounds there.
constexpr double first_price = 0.25;
/// Solutions that are remembered: the ends of paths which two threads walk, and some more.
constexpr std::size_t most_remembered = 4;

/// The columns that were used, at hand without asking the cache.
class AtHand {
public:
    explicit AtHand(ColumnCache &cache)
        : cache_(cache), columns_(static_cast<std::size_t>(cache.rows())),
          most_(static_cast<Index>(cache.capacity() / 2 / sizeof(double)) / cache.rows()) {}
    /// Lives until the next limit().
    const double *operator()(Index j) {
        Column &column = columns_[static_cast<std::size_t>(j)];
        if (!column) {
            column = cache_.column(j);
            ++held_;
        }
        return column.get();
    }
    /// Lets go of all when they are many, so that the cache can forget some.
    void limit() {
        if (held_ <= most_) return;
        std::fill(columns_.begin(), columns_.end(), nullptr);
        held_ = 0;
    }

private:
    ColumnCache &cache_;
    std::vector<Column> columns_;
    Index most_, held_ = 0;
};

} // namespace

HingeDual::HingeDual(Vector y, Vector prices)
    : y_(std::move(y)), prices_(std::move(prices)), alpha_(Vector::Zero(y_.size())),
      no_rise_(y_.size()), no_fall_(y_.size()), fall_(-y_) {
    for (Index t = 0; t < y_.size(); ++t) set(t, 0.0);
}

void HingeDual::set(Index t, double value) {
    alpha_(t) = value;
    const bool grows = value<prices_(t), shrinks = value> 0;
    no_rise_(t) = (y_(t) > 0 ? grows : shrinks) ? 0.0 : infinity;
    no_fall_(t) = (y_(t) > 0 ? shrinks : grows) ? 0.0 : infinity;
}

/// Moves y alpha by `step`; exactly to the bound if that is all there is.
void HingeDual::move(Index t, double step, bool to_bound) {
    const bool grows = (y_(t) > 0) == (step > 0);
    const double bound = grows ? prices_(t) : 0.0;
    set(t, to_bound ? bound : alpha_(t) + y_(t) * step);
}

void HingeDual::double_prices() {
    const Index bounded = (alpha_.array() == prices_.array()).count();
    const bool most_are = 2 * bounded >= (alpha_.array() > 0).count();
    prices_ *= 2.0;
    if (most_are) {
        alpha_ *= 2.0;
        fall_ = 2.0 * (fall_ + y_) - y_;
    }
    for (Index t = 0; t < y_.size(); ++t) set(t, alpha_(t));
}

void HingeDual::solve(ColumnCache &columns, double eps, long most, Watch &watch) {
    const Index m = y_.size();
    const Vector &diagonal = columns.gram().diagonal();
    AtHand column(columns);
    Vector gains(m);
    const Vector zero = Vector::Zero(m);
    for (long k = 0; k < most; ++k) {
        const double low = loops.least_sum(fall_.data(), no_rise_.data(), m);
        const double high = loops.greatest_difference(fall_.data(), no_fall_.data(), m);
        b_ = -0.5 * (high + low);
        if (high - low < eps || !std::isfinite(low) || watch.stopped()) break;
        const Index i = loops.find_sum(fall_.data(), no_rise_.data(), m, low);
        column.limit();
        const double *const ki = column(i);
        const double best = loops.pair_gains(fall_.data(), no_fall_.data(), ki, diagonal.data(),
                                             diagonal(i), low, m, gains.data());
        if (!(best > 0)) break;
        const Index j = loops.find_sum(gains.data(), zero.data(), m, best);
        const double rate = best / (fall_(j) - low);
        const double rise = room_above(i), room = room_below(j);
        const double step = std::min({rate, rise, room});
        move(i, step, step == rise);
        move(j, -step, step == room);
        loops.add_difference(ki, column(j), step, m, fall_.data());
    }
}

Vector HingeDual::margins() const { return y_.array() * (fall_.array() + y_.array() + b_); }

Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                     Watch &watch) {
    HingeDual dual(y, prices);
    dual.solve(columns, eps, 100L * y.size() + 10000, watch);
    return dual.margins();
}

Vector HingePath::margins(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                          Watch &watch) {
    // Halving is exact, so that the paths to C and to 2 C share their points to the last bit.
    const double largest = prices.maxCoeff() * columns.gram().diagonal().maxCoeff();
    const int doublings =
        std::max(0, static_cast<int>(std::ceil(std::log2(largest / first_price))));
    // The same for every point, and few: at prices of 1e14 there are fifty, hard ones among them.
    const long most = 10L * y.size() + 10000;
    std::list<HingeDual> known;
    int k = 0;
    for (; k <= doublings && known.empty(); ++k) known = recall(y, std::ldexp(1.0, -k) * prices);
    if (known.empty()) {
        known.emplace_back(y, std::ldexp(1.0, -doublings) * prices);
        known.front().solve(columns, eps, most, watch);
    }
    HingeDual &dual = known.front();
    for (--k; k > 0 && !watch.stopped(); --k) {
        dual.double_prices();
        dual.solve(columns, eps, most, watch);
    }
    Vector result = dual.margins();
    if (!watch.was_stopped()) remember(std::move(known));
    return result;
}

/// Taken out: whoever goes on from it brings back what it became.
std::list<HingeDual> HingePath::recall(const Vector &y, const Vector &prices) {
    const std::lock_guard lock(mutex_);
    std::list<HingeDual> found;
    const auto at = std::find_if(lately_.begin(), lately_.end(),
                                 [&](const HingeDual &dual) { return dual.is_of(y, prices); });
    if (at != lately_.end()) found.splice(found.begin(), lately_, at);
    return found;
}

void HingePath::remember(std::list<HingeDual> solution) {
    const std::lock_guard lock(mutex_);
    lately_.splice(lately_.begin(), solution);
    if (lately_.size() > most_remembered) lately_.pop_back();
}

} // namespace hinge0
