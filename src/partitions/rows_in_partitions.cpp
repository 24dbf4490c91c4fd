/// Questions to partitions, and what their answers make together.
#include "partitions/rows_in_partitions.hpp"

#include <algorithm>
#include <cmath>

#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "solver/row_scores.hpp"

namespace hinge0 {
namespace {

/// Up to this key about so many rows of a class are drawn, hardly ever fewer.
std::uint64_t last_key(Index wanted, Index of_all) {
    const auto count = static_cast<double>(wanted);
    const double share = (count + 6.0 * std::sqrt(count) + 8.0) / static_cast<double>(of_all);
    constexpr double keys = 18446744073709551616.0; // 2^64
    return share >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(share * keys);
}

/// Of a value of h, for each unit of its weights: far more than the last digits of kernel values.
constexpr double rounding = 1e-10;

} // namespace

RowsInPartitions::RowsInPartitions(const Partitions &partitions, Setup setup, const Kernel &kernel,
                                   const Settings &settings)
    : partitions_(partitions), setup_(std::move(setup)), kernel_(kernel), seed_(settings.seed),
      threads_(settings.threads), memory_(settings.memory_limit),
      samples_(DenseRows(0, setup_.features)) {
    for (std::size_t p = 0; p < partitions_.rows.size(); ++p) {
        const std::array<Index, 2> rows = rows_of(p);
        for (std::size_t side = 0; side < 2; ++side) class_rows_[side] += rows[side];
        for (std::size_t label = 0; label < partitions_.weight[p].size(); ++label) {
            const double sign = setup_.sign(static_cast<std::int32_t>(label));
            if (sign != 0)
                class_prices_[sign > 0 ? 1 : 0] +=
                    setup_.class_prices(static_cast<Index>(label)) * partitions_.weight[p][label];
        }
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
    write(to, kernel_, h.bias, h.weights, samples(h.rows));
}

void RowsInPartitions::name_own(std::span<const Index> rising, bool all, Question &question) const {
    auto from = rising.begin();
    for (std::size_t p = 0; p < partitions_.rows.size(); ++p) {
        const auto to = std::lower_bound(from, rising.end(), partitions_.first[p + 1]);
        const std::array<Index, 2> rows = rows_of(p);
        if (from != to || (all && rows[0] + rows[1] > 0)) {
            Writer own;
            own.put_rising(std::span(from, to), partitions_.first[p]);
            question.partitions.push_back(static_cast<Index>(p));
            question.own.push_back(own.take());
        }
        from = to;
    }
}

template <class Read> void RowsInPartitions::ask(const Question &question, const Read &read) const {
    const std::vector<std::string> answers = partitions_.ask(question);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        Reader from(answers[k]);
        read(static_cast<std::size_t>(question.partitions[k]), from);
    }
}

/// Rows that no question has drawn before: about so many are in all.
void RowsInPartitions::draw(Index count) const {
    const double share = static_cast<double>(count) / static_cast<double>(size());
    std::array<Keys, 2> keys{};
    for (std::size_t side = 0; side < 2; ++side) {
        const Index rows = class_rows_[side];
        if (std::ssize(drawn_[side]) == rows) continue;
        const auto wanted = static_cast<Index>(std::ceil(share * static_cast<double>(rows))) + 1;
        keys[side] = {.first = next_key_[side], .last = last_key(wanted, rows)};
        next_key_[side] = std::max(next_key_[side], keys[side].last + 1); // 0: all are drawn
    }
    Question question{.name = "sample"};
    Writer common = begin(Kind::sample);
    common.put(seed_);
    common.put(keys);
    question.common = common.take();
    name_own({}, true, question);
    std::vector<Index> numbers;
    std::vector<HandedRows> handed;
    ask(question, [&](std::size_t p, Reader &from) {
        const std::vector<Index> own = from.get_rising(partitions_.first[p]);
        numbers.insert(numbers.end(), own.begin(), own.end());
        handed.push_back(read_rows(from));
    });
    take_over(numbers, handed);
    for (const Index row : numbers)
        drawn_[y_[static_cast<std::size_t>(place_.at(row))] > 0 ? 1 : 0].push_back(
            drawn_row(seed_, row));
}

/// The order of rows by their place within their class, which makes every beginning have the
/// classes' shares.
void RowsInPartitions::order_drawn() const {
    std::vector<std::pair<double, Index>> by_place;
    double end = 1; // beyond the last row that was drawn of one class, others are no beginning
    for (std::size_t side = 0; side < 2; ++side) {
        std::sort(drawn_[side].begin(), drawn_[side].end());
        double seen = 0;
        const auto all = static_cast<double>(class_rows_[side]);
        for (const Drawn &row : drawn_[side]) by_place.emplace_back(seen++ / all, row.row);
        end = std::min(end, seen / all);
    }
    std::erase_if(by_place, [&](const auto &at) { return at.first >= end; });
    std::sort(by_place.begin(), by_place.end());
    order_.clear();
    for (const auto &at : by_place) order_.push_back(at.second);
}

std::vector<Index> RowsInPartitions::sample(Index count) const {
    for (Index wanted = count; std::ssize(order_) < count; wanted = std::min(2 * wanted, size())) {
        draw(wanted);
        order_drawn();
    }
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
    name_own(missing, false, question);
    std::vector<HandedRows> handed;
    ask(question, [&](std::size_t, Reader &from) { handed.push_back(read_rows(from)); });
    take_over(missing, handed);
}

void RowsInPartitions::take_over(std::span<const Index> numbers,
                                 std::vector<HandedRows> &handed) const {
    Index at = row_count(samples_);
    std::vector<Samples> parts{std::move(samples_)};
    for (HandedRows &rows : handed) {
        parts.push_back(std::move(rows.samples));
        y_.insert(y_.end(), rows.y.begin(), rows.y.end());
        prices_.insert(prices_.end(), rows.prices.begin(), rows.prices.end());
    }
    samples_ = joined(parts, setup_.features);
    for (const Index row : numbers) place_.insert_or_assign(row, at++);
    if (at != row_count(samples_))
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

/// Of the rows to leave out those that a partition might find below the bound. Most are so far
/// above it that rounding does not matter, and need not be named.
std::vector<Index> RowsInPartitions::doubtful(const Expansion &h, const Wanted &wanted) const {
    if (wanted.except.empty()) return {};
    std::vector<Index> rows;
    const Vector margins = signs(wanted.except).cwiseProduct(decisions(h, wanted.except));
    const double clear = wanted.bound + rounding * (1.0 + h.weights.lpNorm<1>());
    for (Index k = 0; k < margins.size(); ++k)
        if (!(margins(k) > clear)) rows.push_back(wanted.except[static_cast<std::size_t>(k)]);
    return rows;
}

Score RowsInPartitions::ask_score(std::string_view name, Writer common, const Expansion &h,
                                  const Wanted &wanted, Watch &watch) const {
    common.put_number(wanted.bound);
    for (const Index count : {wanted.most_of_each, class_rows_[0], class_rows_[1]})
        common.put_count(static_cast<std::uint64_t>(count));
    Question question{.name = name, .common = common.take()};
    const std::vector<Index> except = doubtful(h, wanted);
    name_own(except, true, question);
    std::vector<BlockScore> blocks;
    ask(question, [&](std::size_t p, Reader &from) {
        blocks.push_back(read_score(from, partitions_.first[p]));
    });
    (void)watch.stopped(Progress::Stage::score, 1.0);
    Score score = joined(std::span<BlockScore>(blocks), wanted.most_of_each);
    // Where kernel values have no digit that holds, rows may be found below it nevertheless.
    std::erase_if(score.found, [&](Index row) {
        return std::binary_search(wanted.except.begin(), wanted.except.end(), row);
    });
    return score;
}

Score RowsInPartitions::keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) {
    Writer common = begin(Kind::keep);
    put(common, h);
    common.put_number(least);
    return ask_score("keep", std::move(common), h, wanted, watch);
}

Score RowsInPartitions::score(const Expansion &h, const Wanted &wanted, Watch &watch) const {
    Writer common = begin(Kind::score);
    put(common, h);
    return ask_score("score", std::move(common), h, wanted, watch);
}

Others RowsInPartitions::others(const Expansion &h, Watch &watch) const {
    Writer common = begin(Kind::certify);
    put(common, h);
    Question question{.name = "certify", .common = common.take()};
    std::vector<Index> used = h.rows;
    std::sort(used.begin(), used.end());
    name_own(used, true, question);
    Others all;
    ask(question, [&](std::size_t, Reader &from) { all.add(read_others(from)); });
    (void)watch.stopped(Progress::Stage::score, 1.0);
    all.rows = size() - std::ssize(used);
    const Vector y = signs(used), own = prices(used);
    const double positive = (y.array() > 0).select(own, 0.0).sum();
    all.class_prices[0] = class_prices_[0] - (own.sum() - positive);
    all.class_prices[1] = class_prices_[1] - positive;
    return all;
}

} // namespace hinge0
