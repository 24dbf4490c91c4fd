#pragma once
/// Sums of columns of K, by several threads where these are worth their start.
#include <algorithm>

#include "core/parallel.hpp"
#include "solver/loops/loops.hpp"

namespace hinge0 {

/// out = the sum of `count` columns of m rows with these weights; each row's sum is in their order.
inline void combine_columns(const double *const *columns, const double *weights, Index count,
                            Index m, int threads, double *out) {
    constexpr Index rows_at_once = 4096, few_products = 1 << 19;
    if (threads == 1 || count * m < few_products) {
        loops.combine_columns(columns, weights, count, 0, m, out);
        return;
    }
    for_each_tile((m + rows_at_once - 1) / rows_at_once, threads, [&] {
        return [&](Index t) {
            loops.combine_columns(columns, weights, count, t * rows_at_once,
                                  std::min(m, (t + 1) * rows_at_once), out);
        };
    });
}

} // namespace hinge0
