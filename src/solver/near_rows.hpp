#pragma once
/// The hard-margin SVM of many kept rows: only those near the margin hold it, so it is solved for
/// these, and what it misses of the others joins them, until it misses nothing.
#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"
#include "solver/margins.hpp"

namespace hinge0 {

struct HardMargin {
    std::vector<Index> gamma; ///< support vectors; empty: a constant classifier
    Vector alpha;             ///< their multipliers
    Margins margins;          ///< of all rows
    double bias = 0, half_norm_squared = 0;
    long steps = 0;
    bool solved = false; ///< not stopped on the way
};

/// `guess`: margins by some other classifier, which say who is probably near; `first_rows`: how
/// many are taken at first.
[[nodiscard]] HardMargin hard_margin_of_many(ColumnCache &columns, const Vector &y,
                                             const Flags &kept, const Vector &guess,
                                             Index first_rows, int threads, Watch &watch);

} // namespace hinge0
