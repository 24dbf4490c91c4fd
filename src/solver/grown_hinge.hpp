#pragma once
/// The hinge start of many rows: a random sample is solved and doubled until what it keeps of
/// unseen rows hardly changes any more. Solving all rows would take time and memory that grow with
/// their square, because every wrong label is a support vector of the hinge loss.
#include "solver/rows.hpp"

namespace hinge0 {

struct GrownHinge {
    Index first_sample; ///< rows of the first sample
    Index most_rows;    ///< of a sample, which is brought here
    double share;       ///< of the rows' prices
    double eps;         ///< precision of the hinge solutions
    double keep_margin; ///< what is kept
    int threads;
};

/// The hinge SVM of the last sample; stopped on the way, what there is by then.
[[nodiscard]] Expansion grown_hinge(const Rows &rows, const GrownHinge &how, Watch &watch);

} // namespace hinge0
