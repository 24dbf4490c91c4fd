#pragma once
/// From a nearly optimal point of the hinge dual to the optimal one, to rounding error: who is at a
/// bound is guessed from the point, the others are solved for, wrong guesses are changed.
#include "gram/columns/column_cache.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

struct ExactDual {
    Vector weights; ///< y alpha
    double b = 0;
    bool found = false; ///< otherwise no set of guesses was right, and nothing is changed
};

/// `weights`: y alpha with 0 <= alpha <= prices. For few rows: solves dense systems.
[[nodiscard]] ExactDual exact_dual(ColumnCache &columns, const Vector &y, const Vector &prices,
                                   const Vector &weights);

} // namespace hinge0
