/// SMO with second-order working-set selection (Fan, Chen and Lin 2005).
#include "solver/hinge_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The dual variables and their bounds. A sample rises when y alpha grows.
struct Dual {
    const Vector &y, &prices;
    Vector alpha = Vector::Zero(y.size());
    Vector no_rise = Vector::Zero(y.size()); ///< infinity for those that may not rise, else 0
    Vector no_fall = Vector::Zero(y.size()); ///< infinity for those that may not fall, else 0

    Dual(const Vector &signs, const Vector &bounds) : y(signs), prices(bounds) {
        for (Index t = 0; t < y.size(); ++t) set(t, 0.0);
    }
    void set(Index t, double value) {
        alpha(t) = value;
        const bool grows = value<prices(t), shrinks = value> 0;
        no_rise(t) = (y(t) > 0 ? grows : shrinks) ? 0.0 : infinity;
        no_fall(t) = (y(t) > 0 ? shrinks : grows) ? 0.0 : infinity;
    }
    [[nodiscard]] double room_above(Index t) const {
        return y(t) > 0 ? prices(t) - alpha(t) : alpha(t);
    }
    [[nodiscard]] double room_below(Index t) const {
        return y(t) > 0 ? alpha(t) : prices(t) - alpha(t);
    }
    /// Moves y alpha by `step`; exactly to the bound if that is all there is.
    void move(Index t, double step, bool to_bound) {
        const bool grows = (y(t) > 0) == (step > 0);
        const double bound = grows ? prices(t) : 0.0;
        set(t, to_bound ? bound : alpha(t) + y(t) * step);
    }
};

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

Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                     Watch &watch) {
    const Index m = y.size();
    const Vector &diagonal = columns.gram().diagonal();
    AtHand column(columns);
    Dual dual(y, prices);
    Vector fall = -y; // K (y alpha) - y: falls where y alpha should rise
    Vector gains(m);
    const Vector zero = Vector::Zero(m);
    double b = 0;
    for (long k = 0; k < 100L * m + 10000; ++k) {
        const double low = loops.least_sum(fall.data(), dual.no_rise.data(), m);
        const double high = loops.greatest_difference(fall.data(), dual.no_fall.data(), m);
        b = -0.5 * (high + low);
        if (high - low < eps || !std::isfinite(low) || watch.stopped()) break;
        const Index i = loops.find_sum(fall.data(), dual.no_rise.data(), m, low);
        column.limit();
        const double *const ki = column(i);
        const double best = loops.pair_gains(fall.data(), dual.no_fall.data(), ki, diagonal.data(),
                                             diagonal(i), low, m, gains.data());
        if (!(best > 0)) break;
        const Index j = loops.find_sum(gains.data(), zero.data(), m, best);
        const double rate = best / (fall(j) - low);
        const double rise = dual.room_above(i), room = dual.room_below(j);
        const double step = std::min({rate, rise, room});
        dual.move(i, step, step == rise);
        dual.move(j, -step, step == room);
        loops.add_difference(ki, column(j), step, m, fall.data());
    }
    return y.array() * (fall.array() + y.array() + b);
}

} // namespace hinge0
