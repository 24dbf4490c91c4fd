/// SMO with second-order working-set selection (Fan, Chen and Lin 2005).
#include "solver/hinge_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/combine.hpp"

namespace hinge0 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// From so many rows on, columns made one at a time and scans of all rows for every pair cost more
/// than blocks.
constexpr Index many_rows = 4000;
/// Rows of a block: half of it stays from block to block.
constexpr Index block_size = 512;
/// Each block is solved to this share of the gap that all rows have.
constexpr double share_of_gap = 0.1;
/// Columns that a thread gathers at a time.
constexpr Index few_columns = 16;

/// The columns that were used, at hand without asking the cache.
class AtHand {
public:
    explicit AtHand(ColumnCache &cache)
        : cache_(cache), columns_(static_cast<std::size_t>(cache.rows())),
          most_(static_cast<Index>(cache.capacity() / 2 / sizeof(double)) / cache.rows()) {}
    /// Lives until the call after the next.
    const double *operator()(Index j) {
        Column &column = columns_[static_cast<std::size_t>(j)];
        if (!column) {
            if (held_ > most_) let_go();
            column = cache_.column(j);
            ++held_;
        }
        before_ = std::exchange(last_, column);
        return column.get();
    }

private:
    /// Of all, so that the cache can forget some.
    void let_go() {
        std::fill(columns_.begin(), columns_.end(), nullptr);
        held_ = 0;
    }

    ColumnCache &cache_;
    std::vector<Column> columns_;
    Column last_, before_;
    Index most_, held_ = 0;
};

/// out = sum of the columns with these weights.
void combine(std::span<const Column> columns, const Vector &weights, int threads, Vector &out) {
    std::vector<const double *> used;
    std::vector<double> by;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (weights(static_cast<Index>(k)) == 0) continue;
        used.push_back(columns[k].get());
        by.push_back(weights(static_cast<Index>(k)));
    }
    combine_columns(used.data(), by.data(), static_cast<Index>(used.size()), out.size(), threads,
                    out.data());
}

/// Adds the `count` rows with the smallest keys to the block; of equal ones the first.
void add_smallest(std::vector<std::pair<double, Index>> &keys, Index count,
                  std::vector<Index> &block) {
    const auto end = keys.begin() + std::min(count, static_cast<Index>(keys.size()));
    std::partial_sort(keys.begin(), end, keys.end());
    for (auto at = keys.begin(); at != end; ++at) block.push_back(at->second);
}

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

void HingeDual::add_rows(const Vector &y, const Vector &prices, const Vector &sums) {
    const Index old = y_.size(), added = y.size();
    for (Vector *vector : {&y_, &prices_, &alpha_, &no_rise_, &no_fall_, &fall_})
        vector->conservativeResize(old + added);
    y_.tail(added) = y;
    prices_.tail(added) = prices;
    fall_.tail(added) = sums - y;
    for (Index t = old; t < old + added; ++t) set(t, 0.0);
}

void HingeDual::keep_rows(std::span<const Index> rows) {
    for (Vector *vector : {&y_, &prices_, &alpha_, &no_rise_, &no_fall_, &fall_})
        *vector = (*vector)(rows).eval();
}

long HingeDual::solve(ColumnCache &columns, double eps, long most, int threads, Watch &watch) {
    return y_.size() < many_rows ? solve_by_pairs(columns, eps, most, watch)
                                 : solve_by_blocks(columns, eps, most, threads, watch);
}

HingeDual::Gap HingeDual::measured_gap() const {
    const Index m = y_.size();
    return {loops.least_sum(fall_.data(), no_rise_.data(), m),
            loops.greatest_difference(fall_.data(), no_fall_.data(), m)};
}

double HingeDual::gap() const {
    const auto [low, high] = measured_gap();
    return high - low;
}

HingeDual::Gap HingeDual::measure_gap() {
    const Gap gap = measured_gap();
    b_ = -0.5 * (gap.high + gap.low);
    return gap;
}

template <class GetColumn>
long HingeDual::move_pairs(const GetColumn &column, const Vector &diagonal, double eps, long most,
                           Watch &watch) {
    const Index m = y_.size();
    Vector gains(m);
    Gap gap = measured_gap();
    Index i = loops.find_sum(fall_.data(), no_rise_.data(), m, gap.low);
    long moved = 0;
    for (; moved < most; ++moved) {
        const auto [low, high] = gap;
        b_ = -0.5 * (high + low);
        if (high - low < eps || !std::isfinite(low) || watch.stopped()) break;
        const double *const ki = column(i);
        double best = 0;
        const Index j = loops.pair_gains(fall_.data(), no_fall_.data(), ki, diagonal.data(),
                                         diagonal(i), low, m, gains.data(), &best);
        if (!(best > 0)) break;
        const double rate = best / (fall_(j) - low);
        const double rise = room_above(i), room = room_below(j);
        const double step = std::min({rate, rise, room});
        move(i, step, step == rise);
        move(j, -step, step == room);
        const Extremes now = loops.add_difference(ki, column(j), step, no_rise_.data(),
                                                  no_fall_.data(), m, fall_.data());
        gap = {now.least, now.greatest};
        i = now.at;
    }
    return moved;
}

long HingeDual::solve_by_pairs(ColumnCache &columns, double eps, long most, Watch &watch) {
    AtHand at_hand(columns);
    const auto column = [&](Index j) { return at_hand(j); };
    return move_pairs(column, columns.gram().diagonal(), eps, most, watch);
}

long HingeDual::solve_by_blocks(ColumnCache &columns, double eps, long most, int threads,
                                Watch &watch) {
    const auto room = static_cast<Index>(columns.capacity() / 2 / sizeof(double)) / y_.size();
    const Index size = std::clamp<Index>(room, 2, block_size);
    std::vector<Index> block;
    std::vector<Column> held;
    Vector change(y_.size());
    long moved = 0;
    while (moved < most) {
        const auto [low, high] = measure_gap();
        if (high - low < eps || !std::isfinite(low) || watch.stopped()) break;
        block = next_block(block, size);
        held.clear(); // before others are made, so that the cache may forget some
        columns.prefetch(block, threads);
        for (const Index j : block) held.push_back(columns.column(j));
        const Vector before = alpha_(block);
        const double enough = std::max(0.5 * eps, share_of_gap * (high - low));
        moved += std::max(1L, move_within(block, held, enough, most - moved, threads, watch));
        const Vector weights = y_(block).cwiseProduct(alpha_(block) - before);
        combine(held, weights, threads, change);
        fall_ += change;
    }
    return moved;
}

/// The younger half of the last block, and those that violate the conditions most: half of them
/// from below, half from above.
std::vector<Index> HingeDual::next_block(std::span<const Index> last, Index size) const {
    const auto kept = static_cast<std::size_t>(size / 2);
    std::vector<Index> block(last.end() - static_cast<std::ptrdiff_t>(std::min(kept, last.size())),
                             last.end());
    std::vector<char> taken(static_cast<std::size_t>(y_.size()));
    for (const Index t : block) taken[static_cast<std::size_t>(t)] = 1;
    std::vector<std::pair<double, Index>> keys;
    const auto add_worst = [&](const Vector &forbidden, double sign, Index count) {
        keys.clear();
        for (Index t = 0; t < y_.size(); ++t)
            if (taken[static_cast<std::size_t>(t)] == 0 && forbidden(t) == 0)
                keys.emplace_back(sign * fall_(t), t);
        const std::size_t begin = block.size();
        add_smallest(keys, count, block);
        for (std::size_t k = begin; k < block.size(); ++k)
            taken[static_cast<std::size_t>(block[k])] = 1;
    };
    const Index fresh = size - static_cast<Index>(block.size());
    add_worst(no_rise_, 1.0, fresh - fresh / 2);
    add_worst(no_fall_, -1.0, size - static_cast<Index>(block.size()));
    return block;
}

/// Pairs of the block alone, with the kernel values between its rows. Returns how many were moved.
long HingeDual::move_within(std::span<const Index> block, std::span<const Column> columns,
                            double eps, long most, int threads, Watch &watch) {
    const auto size = static_cast<Index>(block.size());
    Matrix values(size, size);
    Vector diagonal(size);
    HingeDual part(y_(block), prices_(block));
    part.fall_ = fall_(block);
    for_each_tile((size + few_columns - 1) / few_columns, threads, [&] {
        return [&](Index t) { // far apart in memory: most of the time is spent waiting for it
            for (Index k = t * few_columns; k < std::min(size, (t + 1) * few_columns); ++k)
                for (Index p = 0; p < size; ++p)
                    values(p, k) =
                        columns[static_cast<std::size_t>(k)][block[static_cast<std::size_t>(p)]];
        };
    });
    for (Index k = 0; k < size; ++k) {
        part.set(k, alpha_(block[static_cast<std::size_t>(k)]));
        diagonal(k) = values(k, k);
    }
    const auto column = [&](Index k) { return values.col(k).data(); };
    const long moved = part.move_pairs(column, diagonal, eps, most, watch);
    for (Index k = 0; k < size; ++k) set(block[static_cast<std::size_t>(k)], part.alpha_(k));
    return moved;
}

Vector HingeDual::margins() const { return y_.array() * (fall_.array() + y_.array() + b_); }

} // namespace hinge0
