#pragma once
/// Training rows that say the same, said once. A row that occurs twice with one label is one row of
/// twice the weight, a row of weight 0 is none, and the order of weighted rows means nothing: so
/// that weights and repetition give the same bits, not only the same minimum.
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// Which training rows stand for all, and with what weight.
struct Condensed {
    bool changed = false;     ///< false: every row stands for itself, weight 1, in the given order
    std::vector<Index> rows;  ///< of each group its first training row
    std::vector<Index> group; ///< of each training row its group, -1 if its weight or sign is 0
    Vector weight;            ///< of each group the sum over its rows
};

/// Rows are brought into lexicographic order only where some weight is not 1 or some row is
/// repeated; other data keeps the order in which it was given. `weight`: one per row, from 0; empty
/// means all 1. A row of sign 0 is none. `merge`
/// false: rows of weight or sign 0 are left out, and nothing else changes.
[[nodiscard]] Condensed condense(const Samples &samples, const Vector &signs, const Vector &weight,
                                 bool merge);

/// The chosen rows, in that order.
[[nodiscard]] Samples chosen_rows(const Samples &samples, const std::vector<Index> &rows);
/// The chosen rows and columns of a kernel matrix.
[[nodiscard]] Samples chosen_block(const Samples &kernel_matrix, const std::vector<Index> &rows);

} // namespace hinge0
