#pragma once
/// What partitions say, as bytes: written there and read here. What the asker knows anyway is left
/// out: a fit has many partitions, and little to say to each of them.
#include "partitions/message.hpp"
#include "solver/row_scores.hpp"

namespace hinge0 {

/// Rows that are handed over, with their signs and prices.
struct HandedRows {
    Samples samples{};
    Vector y{}, prices{};
};
void write(Writer &to, const HandedRows &rows);
[[nodiscard]] HandedRows read_rows(Reader &from);

/// `first`: the number of the partition's first row. Candidates come back by rising row.
void write(Writer &to, BlockScore score, Index first);
[[nodiscard]] BlockScore read_score(Reader &from, Index first);

/// All but the rows and their prices, which the asker can count.
void write(Writer &to, const Others &others);
[[nodiscard]] Others read_others(Reader &from);

} // namespace hinge0
