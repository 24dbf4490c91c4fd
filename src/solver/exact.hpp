#pragma once
/// The exact solver of the l0 problem: starts, hard-margin solutions of kept sets, search.
#include <limits>

#include "core/watch.hpp"
#include "hinge0/settings.hpp"
#include "solver/workspace.hpp"

namespace hinge0 {

struct ExactResult {
    Status status = Status::converged;
    Vector coefficients; ///< c, one per training row
    double b = 0;
    int steps = 0;  ///< of the active set, on the way to the returned minimum
    int moves = 0;  ///< accepted moves of the search
    int starts = 0; ///< first kept sets that were tried
    bool one_opt = false;
    /// A multiple of the prices: above it some minimum that was seen beats the constant classifier.
    double wins_above = std::numeric_limits<double>::infinity();
};

/// `margins`: y_i h(x_i) of classifiers to start from; without any, of quick hinge solutions.
[[nodiscard]] ExactResult solve_exactly(Workspace &workspace, const Vector &y, const Vector &prices,
                                        const Settings &settings, Watch &watch,
                                        const std::vector<Vector> &margins);

} // namespace hinge0
