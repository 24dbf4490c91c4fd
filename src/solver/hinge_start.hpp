#pragma once
/// A quick hinge SVM whose correctly classified samples make a good first kept set.
#include "gram/columns/column_store.hpp"

namespace hinge0 {

/// y_i h(x_i) of a C-SVC by sequential minimal optimisation, stopped at a duality violation `eps`.
/// Columns are fetched again rather than let `columns` grow beyond `bytes`.
[[nodiscard]] Vector hinge_margins(ColumnStore &columns, const Vector &y, const Vector &prices,
                                   double eps, double bytes, Poll &poll);

} // namespace hinge0
