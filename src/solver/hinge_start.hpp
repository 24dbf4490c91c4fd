#pragma once
/// A quick hinge SVM: what it classifies rightly makes a good first kept set.
#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"

namespace hinge0 {

/// y_i h(x_i) of a C-SVC by sequential minimal optimisation, stopped at a duality violation `eps`.
[[nodiscard]] Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices,
                                   double eps, Watch &watch);

} // namespace hinge0
