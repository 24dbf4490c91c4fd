/// Passes by products with K, a piece of the rows at a time.
#include "solver/rows_in_memory.hpp"

#include <algorithm>
#include <iterator>

#include "core/all_rows.hpp"
#include "data/random_state.hpp"
#include "solver/row_scores.hpp"

namespace hinge0 {
namespace {

/// Rows between two looks at the watch.
constexpr Index piece = 32768;

std::vector<Index> shuffled(const Vector &y, std::uint64_t seed) {
    RandomState random(static_cast<std::uint32_t>(seed ^ (seed >> 32)));
    const auto positives = static_cast<double>((y.array() > 0).count());
    const double size[2] = {static_cast<double>(y.size()) - positives, positives};
    double seen[2] = {0, 0};
    std::vector<std::pair<double, Index>> by_place; // its place within its class, and the row
    by_place.reserve(static_cast<std::size_t>(y.size()));
    for (const Index row : random.permutation(y.size())) {
        const std::size_t of = y(row) > 0 ? 1 : 0;
        by_place.emplace_back(seen[of]++ / size[of], row);
    }
    std::sort(by_place.begin(), by_place.end());
    std::vector<Index> rows(by_place.size());
    std::transform(by_place.begin(), by_place.end(), rows.begin(),
                   [](const auto &at) { return at.second; });
    return rows;
}

} // namespace

RowsInMemory::RowsInMemory(ColumnCache &columns, const Vector &y, const Vector &prices,
                           std::uint64_t seed, int threads)
    : columns_(columns), y_(y), prices_(prices), threads_(threads), all_(all_rows(y.size())),
      order_(shuffled(y, seed)), kept_(static_cast<std::size_t>(y.size()), 0) {}

std::vector<Index> RowsInMemory::sample(Index count) const {
    return {order_.begin(), order_.begin() + count};
}

Part RowsInMemory::part(std::span<const Index> rows) const {
    Part part;
    part.gram = columns_.gram().part(rows, columns_.memory());
    part.columns = std::make_unique<ColumnCache>(*part.gram, columns_);
    part.y = y_(rows);
    part.prices = prices_(rows);
    return part;
}

Vector RowsInMemory::decisions(const Expansion &h, std::span<const Index> rows) const {
    Vector out(static_cast<Index>(rows.size()));
    columns_.gram().apply(rows, h.rows, h.weights, threads_, out);
    out.array() += h.bias;
    return out;
}

/// Of the first `done` rows: all, unless it may stop on the way.
Vector RowsInMemory::margins(const Expansion &h, bool may_stop, Watch &watch, Index &done) const {
    Vector values(size());
    for (done = 0; done < size();) {
        const Index count = std::min(piece, size() - done);
        const auto rows = std::span(all_).subspan(static_cast<std::size_t>(done),
                                                  static_cast<std::size_t>(count));
        values.segment(done, count) = y_.segment(done, count).cwiseProduct(decisions(h, rows));
        done += count;
        const double share = static_cast<double>(done) / static_cast<double>(size());
        if (watch.stopped(Progress::Stage::score, share) && may_stop) break;
    }
    return values;
}

Score RowsInMemory::keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) {
    Index done = 0;
    Vector values = margins(h, true, watch, done);
    values.tail(size() - done).setConstant(-std::numeric_limits<double>::infinity());
    return keep(values, least, wanted);
}

Score RowsInMemory::keep(const Vector &margins, double least, const Wanted &wanted) {
    for (std::size_t i = 0; i < kept_.size(); ++i)
        kept_[i] = margins(static_cast<Index>(i)) >= least ? 1 : 0;
    return sum_up(margins, wanted);
}

Score RowsInMemory::score(const Expansion &h, const Wanted &wanted, Watch &watch) const {
    Index done = 0;
    return sum_up(margins(h, false, watch, done), wanted);
}

Others RowsInMemory::others(const Expansion &h, Watch &watch) const {
    Index done = 0;
    const Vector values = y_.cwiseProduct(margins(h, false, watch, done)); // y h y = h
    std::vector<Index> used = h.rows, rows;
    std::sort(used.begin(), used.end());
    std::set_difference(all_.begin(), all_.end(), used.begin(), used.end(),
                        std::back_inserter(rows));
    Others result = others_of(y_(rows), prices_(rows), values(rows));
    result.largest = columns_.gram().diagonal().maxCoeff();
    return result;
}

Score RowsInMemory::sum_up(const Vector &margins, const Wanted &wanted) const {
    BlockScore block = score_block(all_, margins, y_, prices_, kept_, wanted);
    return joined({&block, 1}, wanted.most_of_each);
}

} // namespace hinge0
