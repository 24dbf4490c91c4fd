#pragma once
/// The hard-margin SVM of many kept rows: only those near the margin hold it, so it is solved for
/// these, and what it misses of the others joins them, until it misses nothing.
#include "solver/rows.hpp"

namespace hinge0 {

struct HardMargin {
    Expansion h;  ///< without support vectors: a constant classifier
    Vector alpha; ///< their multipliers
    double half_norm_squared = 0;
    double missed_prices = 0; ///< of all rows
    long steps = 0;
    bool solved = false; ///< not stopped on the way
};

/// `near`: kept rows that are probably near the margin; nothing is wrong but the time if they are
/// not. Support vectors are thinned out (solver/thinning.hpp).
[[nodiscard]] HardMargin hard_margin_of_many(const Rows &rows, std::vector<Index> near, double thin,
                                             int threads, Watch &watch);

} // namespace hinge0
