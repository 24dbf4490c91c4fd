/// Questions to partitions, and what their answers make together.
#include "partitions/rows_in_partitions.hpp"

#include <algorithm>
#include <cmath>

#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "solver/row_scores.hpp"

namespace hinge0 {
namespace {

/// A partition names so many candidates more than its share of the rows would, and a few: those of
/// other partitions may be nearer. Not all of them: most would be named in vain.
constexpr double ample = 1.25;
constexpr double few = 8;

Index share_of(Index most, Index of_partition, Index of_all) {
    if (of_all == 0) return 0;
    const double share = static_cast<double>(of_partition) / static_cast<double>(of_all);
    return std::min(most, static_cast<Index>(ample * static_cast<double>(most) * share + few));
}

/// Keys up to which about so many rows of a class are drawn, hardly ever fewer.
std::uint64_t key_limit(Index wanted, Index of_all) {
    const auto count = static_cast<double>(wanted);
    const double share = (count + 6.0 * std::sqrt(count) + few) / static_cast<double>(of_all);
    constexpr double keys = 18446744073709551616.0; // 2^64
    return share >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(share * keys);
}

} // namespace

RowsInPartitions::RowsInPartitions(const Partitions &partitions, Setup setup, const Kernel &kernel,
                                   const Settings &settings)
    : partitions_(partitions), setup_(std::move(setup)), kernel_(kernel), seed_(settings.seed),
      threads_(settings.threads), memory_(settings.memory_limit),
      samples_(DenseRows(0, setup_.features)) {
    for (std::size_t p = 0; p < partitions_.rows.size(); ++p) {
        const std::array<Index, 2> rows = rows_of(p);
        for (std::size_t side = 0; side < 2; ++side) class_rows_[side] += rows[side];
    }
    for (const Index rows : class_rows_)
        if (rows == 0) throw InvalidInput("no partition has a row of one of the classes");
}

std::array<Index, 2> RowsInPartitions::rows_of(std::size_t partition) const {
    std::array<Index, 2> rows{};
    const std::vector<Index> &of_class = partitions_.rows[partition];
    for (std::size_t label = 0; label < of_class.size(); ++label) {
        const double sign = setup_.sign(static_cast<std::int32_t>(label));
        if (sign != 0) rows[sign > 0 ? 1 : 0] += of_class[label];
    }
    return rows;
}

Writer RowsInPartitions::begin(Kind kind) const {
    Setup setup = setup_;
    setup.kind = kind;
    Writer common;
    setup.write(common);
    return common;
}

void RowsInPartitions::put(Writer &to, const Expansion &h) const {
    to.put(kernel_);
    to.put(h.bias);
    to.put(h.weights);
    to.put(samples(h.rows));
}

template <class Say>
void RowsInPartitions::by_partition(std::span<const Index> rising, bool all, const Say &say) const {
    auto from = rising.begin();
    for (std::size_t p = 0; p < partitions_.rows.size(); ++p) {
        const auto to = std::lower_bound(from, rising.end(), partitions_.first[p + 1]);
        const std::array<Index, 2> rows = rows_of(p);
        if (from != to || (all && rows[0] + rows[1] > 0)) say(p, std::span(from, to));
        from = to;
    }
}

/// The order of rows by their place within their class, which makes every beginning have the
/// classes' shares.
void RowsInPartitions::draw(Index count) const {
    const double share = static_cast<double>(count) / static_cast<double>(size());
    std::array<std::uint64_t, 2> limits{};
    for (std::size_t side = 0; side < 2; ++side)
        limits[side] = key_limit(
            static_cast<Index>(std::ceil(share * static_cast<double>(class_rows_[side]))) + 1,
            class_rows_[side]);
    Question question{.name = "sample"};
    Writer common = begin(Kind::sample);
    common.put(seed_);
    common.put(limits);
    question.common = common.take();
    by_partition({}, true, [&](std::size_t p, std::span<const Index>) {
        question.partitions.push_back(static_cast<Index>(p));
        question.own.emplace_back();
    });
    std::vector<Drawn> drawn[2];
    for (const std::string &said : partitions_.ask(question)) {
        Reader from(said);
        for (std::vector<Drawn> &rows : drawn)
            for (const Index row : from.get_rising()) rows.push_back(drawn_row(seed_, row));
    }
    std::vector<std::pair<double, Index>> by_place;
    for (std::size_t side = 0; side < 2; ++side) {
        std::sort(drawn[side].begin(), drawn[side].end());
        double seen = 0;
        for (const Drawn &row : drawn[side])
            by_place.emplace_back(seen++ / static_cast<double>(class_rows_[side]), row.row);
        if (std::ssize(drawn[side]) == class_rows_[side]) continue;
        // Beyond the last row that was drawn of one class, rows of the other are no beginning.
        const double end = seen / static_cast<double>(class_rows_[side]);
        std::erase_if(by_place, [&](const auto &at) { return at.first >= end; });
    }
    std::sort(by_place.begin(), by_place.end());
    order_.clear();
    for (const auto &at : by_place) order_.push_back(at.second);
}

std::vector<Index> RowsInPartitions::sample(Index count) const {
    for (Index wanted = count; std::ssize(order_) < count; wanted = std::min(2 * wanted, size()))
        draw(wanted);
    return {order_.begin(), order_.begin() + count};
}

void RowsInPartitions::bring(std::span<const Index> rows) const {
    std::vector<Index> missing;
    for (const Index row : rows)
        if (!place_.contains(row)) missing.push_back(row);
    if (missing.empty()) return;
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    Question question{.name = "rows", .common = begin(Kind::rows).take()};
    by_partition(missing, false, [&](std::size_t p, std::span<const Index> own) {
        Writer named;
        named.put_rising(own);
        question.partitions.push_back(static_cast<Index>(p));
        question.own.push_back(named.take());
    });
    std::vector<Samples> parts{std::move(samples_)};
    for (const std::string &said : partitions_.ask(question)) {
        Reader from(said);
        parts.push_back(from.get_samples());
        for (std::vector<double> *const values : {&y_, &prices_}) {
            const std::vector<double> more = from.get_list<double>();
            values->insert(values->end(), more.begin(), more.end());
        }
    }
    samples_ = joined(parts, setup_.features);
    for (const Index row : missing) place_.emplace(row, std::ssize(place_));
    if (std::ssize(place_) != row_count(samples_) || y_.size() != place_.size() ||
        prices_.size() != place_.size())
        throw InvalidInput("partitions that did not hand over the rows they were asked for");
}

std::vector<Index> RowsInPartitions::places(std::span<const Index> rows) const {
    bring(rows);
    std::vector<Index> found;
    found.reserve(rows.size());
    for (const Index row : rows) found.push_back(place_.at(row));
    return found;
}

Vector RowsInPartitions::signs(std::span<const Index> rows) const {
    const std::vector<Index> at = places(rows);
    return Eigen::Map<const Vector>(y_.data(), std::ssize(y_))(at);
}

Vector RowsInPartitions::prices(std::span<const Index> rows) const {
    const std::vector<Index> at = places(rows);
    return Eigen::Map<const Vector>(prices_.data(), std::ssize(prices_))(at);
}

Samples RowsInPartitions::samples(std::span<const Index> rows) const {
    const std::vector<Index> at = places(rows);
    return chosen_rows(samples_, at);
}

Part RowsInPartitions::part(std::span<const Index> rows) const {
    Part part;
    part.gram = make_gram(samples(rows), kernel_, memory_);
    part.columns = std::make_unique<ColumnCache>(*part.gram, memory_);
    part.y = signs(rows);
    part.prices = prices(rows);
    return part;
}

Vector RowsInPartitions::decisions(const Expansion &h, std::span<const Index> rows) const {
    if (h.rows.empty()) return Vector::Constant(std::ssize(rows), h.bias);
    Model model;
    model.kernel = kernel_;
    model.features = setup_.features;
    model.bias = h.bias;
    model.coefficients = h.weights;
    model.support = samples(h.rows);
    model.rows = h.rows;
    return decision_function(model, samples(rows), threads_);
}

Score RowsInPartitions::ask_score(std::string_view name, Writer common, const Wanted &wanted,
                                  Watch &watch) const {
    common.put(wanted.bound);
    Question question{.name = name, .common = common.take()};
    by_partition(wanted.except, true, [&](std::size_t p, std::span<const Index> except) {
        const std::array<Index, 2> rows = rows_of(p);
        Writer own;
        own.put(std::array{share_of(wanted.most_of_each, rows[0], class_rows_[0]),
                           share_of(wanted.most_of_each, rows[1], class_rows_[1])});
        own.put_rising(except);
        question.partitions.push_back(static_cast<Index>(p));
        question.own.push_back(own.take());
    });
    std::vector<BlockScore> blocks;
    for (const std::string &said : partitions_.ask(question)) {
        Reader from(said);
        BlockScore block{.missed_prices = from.get<double>(), .violators = from.get<Index>()};
        for (std::vector<Candidate> &found : block.found) found = from.get_list<Candidate>();
        blocks.push_back(std::move(block));
    }
    (void)watch.stopped(Progress::Stage::score, 1.0);
    return joined(std::span<BlockScore>(blocks), wanted.most_of_each);
}

Score RowsInPartitions::keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) {
    Writer common = begin(Kind::keep);
    put(common, h);
    common.put(least);
    return ask_score("keep", std::move(common), wanted, watch);
}

Score RowsInPartitions::score(const Expansion &h, const Wanted &wanted, Watch &watch) const {
    Writer common = begin(Kind::score);
    put(common, h);
    return ask_score("score", std::move(common), wanted, watch);
}

Others RowsInPartitions::others(const Expansion &h, Watch &watch) const {
    Writer common = begin(Kind::certify);
    put(common, h);
    Question question{.name = "certify", .common = common.take()};
    std::vector<Index> used = h.rows;
    std::sort(used.begin(), used.end());
    by_partition(used, true, [&](std::size_t p, std::span<const Index> own) {
        Writer named;
        named.put_rising(own);
        question.partitions.push_back(static_cast<Index>(p));
        question.own.push_back(named.take());
    });
    Others all;
    for (const std::string &said : partitions_.ask(question)) all.add(Reader(said).get<Others>());
    (void)watch.stopped(Progress::Stage::score, 1.0);
    return all;
}

} // namespace hinge0
