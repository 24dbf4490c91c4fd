/// Sums in as few bytes as they need, candidates by the gaps between their numbers.
#include "partitions/said.hpp"

#include <algorithm>
#include <cmath>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

std::uint64_t unsigned_of(Index count) { return static_cast<std::uint64_t>(count); }

} // namespace

/// Prices are not negative, so that they can bear the signs.
void write(Writer &to, const HandedRows &rows) {
    to.put(rows.samples);
    to.put_numbers(rows.prices.binaryExpr(
        rows.y, [](double price, double sign) { return std::copysign(price, sign); }));
}

HandedRows read_rows(Reader &from) {
    HandedRows rows{.samples = from.get_samples()};
    const Vector signed_prices = from.get_numbers();
    if (signed_prices.size() != row_count(rows.samples))
        throw InvalidInput("an answer whose parts do not fit each other");
    rows.y = signed_prices.unaryExpr([](double price) { return std::copysign(1.0, price); });
    rows.prices = signed_prices.cwiseAbs();
    return rows;
}

void write(Writer &to, BlockScore score, Index first) {
    to.put_number(score.missed_prices);
    to.put_count(unsigned_of(score.violators));
    for (std::vector<Candidate> &found : score.found) {
        std::sort(found.begin(), found.end(),
                  [](const Candidate &a, const Candidate &z) { return a.row < z.row; });
        std::vector<Index> rows;
        for (const Candidate &one : found) rows.push_back(one.row);
        to.put_rising(rows, first);
        for (const Candidate &one : found) to.put(one.margin);
    }
}

BlockScore read_score(Reader &from, Index first) {
    BlockScore score{.missed_prices = from.get_number(),
                     .violators = static_cast<Index>(from.get_count())};
    for (std::vector<Candidate> &found : score.found) {
        for (const Index row : from.get_rising(first)) found.push_back({0, row});
        for (Candidate &one : found) one.margin = from.get<double>();
    }
    return score;
}

void write(Writer &to, const Others &others) {
    to.put_count(unsigned_of(others.violators));
    to.put_count(unsigned_of(others.right));
    for (const double sum : {others.missed_prices, others.squared_slacks, others.squared_offsets,
                             others.worst_offset, others.gamma, others.largest})
        to.put_number(sum);
}

Others read_others(Reader &from) {
    Others others{.violators = static_cast<Index>(from.get_count()),
                  .right = static_cast<Index>(from.get_count())};
    for (double *const sum :
         {&others.missed_prices, &others.squared_slacks, &others.squared_offsets,
          &others.worst_offset, &others.gamma, &others.largest})
        *sum = from.get_number();
    return others;
}

} // namespace hinge0
