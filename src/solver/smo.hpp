#pragma once
/// The minimum of a convex loss by SMO: only columns of K, never all of it.
#include "core/watch.hpp"
#include "hinge0/settings.hpp"
#include "solver/workspace.hpp"

namespace hinge0 {

struct SmoResult {
    Status status = Status::converged;
    Vector coefficients;
    double b = 0;
    long steps = 0; ///< pairs that were moved
};

/// For the hinge and the squared hinge loss. Converged: no pair violates the optimality conditions
/// by more than the tolerance.
[[nodiscard]] SmoResult smo(Workspace &workspace, const Vector &y, const Vector &prices,
                            const Settings &settings, const Loss &loss, Watch &watch);

} // namespace hinge0
