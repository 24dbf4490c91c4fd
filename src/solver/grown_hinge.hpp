#pragma once
/// The hinge start of many rows: a random sample is solved and doubled until what it keeps of
/// unseen rows hardly changes any more. Solving all rows would take time and memory that grow with
/// their square, because every wrong label is a support vector of the hinge loss.
#include <cstdint>

#include "solver/hinge_dual.hpp"

namespace hinge0 {

struct GrownHinge {
    Index first_sample; ///< rows of the first sample; fewer than there are
    double eps;         ///< precision of the hinge solutions
    double keep_margin; ///< what is kept
    std::uint64_t seed; ///< of the sample
    int threads;
};

/// y_i h(x_i) of every row.
[[nodiscard]] Vector grown_hinge_margins(ColumnCache &columns, const Vector &y,
                                         const Vector &prices, const GrownHinge &how, Watch &watch);

} // namespace hinge0
