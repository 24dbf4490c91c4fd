#pragma once
/// The exact solver of the l0 problem: starts, hard-margin solutions of kept sets, search.
#include <limits>

#include "gram/gram.hpp"
#include "hinge0/settings.hpp"
#include "hinge0/solver.hpp"

namespace hinge0 {

struct ExactResult {
    Status status = Status::converged;
    Vector coefficients; ///< c, one per training row
    double b = 0;
    int moves = 0;  ///< accepted moves of the search
    int starts = 0; ///< first kept sets that were tried
    bool one_opt = false;
    /// A multiple of the prices: above it some minimum that was seen beats the constant classifier.
    double wins_above = std::numeric_limits<double>::infinity();
};

/// `margins`: y_i h(x_i) of classifiers to start from; without any, of quick hinge solutions.
[[nodiscard]] ExactResult solve_exactly(Gram &gram, const Vector &y, const Vector &prices,
                                        const Settings &settings, const Observer &observer,
                                        const std::vector<Vector> &margins);

} // namespace hinge0
