#pragma once
/// What a hinge SVM would say of every row had it not seen that row (docs/classes.md).
#include "solver/hinge_start.hpp"

namespace hinge0 {

/// y_i h(x_i) of the hinge SVM without row i, by the rule of the span (Vapnik and Chapelle 2000):
/// y_i h(x_i) - alpha_i s_i, where s_i is the squared distance of i from what the other free
/// support vectors span. Exact as long as none of them gets to a bound or from there. On the
/// calling thread.
[[nodiscard]] Vector left_out_margins(ColumnCache &columns, const HingePoint &point,
                                      const Vector &prices);

} // namespace hinge0
