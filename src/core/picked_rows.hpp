#pragma once
/// Some rows of a sparse matrix, in a given order.
#include <span>

#include "hinge0/types.hpp"

namespace hinge0 {

[[nodiscard]] inline SparseRows picked_rows(const SparseRows &all, std::span<const Index> rows) {
    SparseRows out(static_cast<Index>(rows.size()), all.cols());
    Index values = 0;
    for (const Index row : rows) values += all.innerVector(row).nonZeros();
    out.reserve(values);
    for (Index i = 0; i < out.rows(); ++i) {
        out.startVec(i);
        for (SparseRows::InnerIterator it(all, rows[static_cast<std::size_t>(i)]); it; ++it)
            out.insertBack(i, it.col()) = it.value();
    }
    out.finalize();
    return out;
}

} // namespace hinge0
