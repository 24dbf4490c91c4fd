/// One tile of kernel values: a matrix product (or Manhattan distances), then the kernel's map.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gram/row_set.hpp"
#include "gram/tile_map.hpp"

namespace hinge0 {
namespace {

void fill_zero(blas::Block out) {
    for (Index j = 0; j < out.cols; ++j) std::fill_n(out.data + j * out.stride, out.rows, 0.0);
}

blas::ConstBlock rows_of(const Matrix &matrix, Index first, Index count) {
    return {matrix.data() + first, count, matrix.cols(), matrix.rows()};
}

/// out(i, j) = sum over the stored values of z_j of term(a_i[f], z_j[f]). Row i of `a` is spread
/// into a dense buffer once and met by every z_j.
template <class Term>
void sparse_tile(const SparseRows &a, Index a0, const SparseRows &z, Index z0, blas::Block out,
                 const Term &term) {
    Vector spread = Vector::Zero(a.cols());
    for (Index i = 0; i < out.rows; ++i) {
        for (SparseRows::InnerIterator it(a, a0 + i); it; ++it) spread(it.col()) = it.value();
        for (Index j = 0; j < out.cols; ++j) {
            double sum = 0;
            for (SparseRows::InnerIterator it(z, z0 + j); it; ++it)
                sum += term(spread(it.col()), it.value());
            out.data[i + j * out.stride] = sum;
        }
        for (SparseRows::InnerIterator it(a, a0 + i); it; ++it) spread(it.col()) = 0;
    }
}

void dot_products(const RowSet &a, Index a0, const RowSet &z, Index z0, blas::Block out) {
    if (a.is_dense())
        blas::multiply_transposed(1.0, rows_of(a.dense, a0, out.rows),
                                  rows_of(z.dense, z0, out.cols), 0.0, out);
    else
        sparse_tile(a.sparse, a0, z.sparse, z0, out, [](double x, double y) { return x * y; });
}

void manhattan_distances(const RowSet &a, Index a0, const RowSet &z, Index z0, const Tile &tile) {
    const blas::Block out{tile.data, tile.rows, tile.cols, tile.stride};
    if (a.is_dense()) {
        fill_zero(out);
        add_manhattan(tile, a.dense.data() + a0, a.dense.rows(), z.dense.data() + z0,
                      z.dense.rows(), a.dense.cols());
        return;
    }
    // |a - z|_1 = |a|_1 + sum over z's stored values of (|a_f - z_f| - |a_f|)
    sparse_tile(a.sparse, a0, z.sparse, z0, out,
                [](double x, double y) { return std::fabs(x - y) - std::fabs(x); });
    for (Index i = 0; i < out.rows; ++i) {
        double own = 0;
        for (SparseRows::InnerIterator it(a.sparse, a0 + i); it; ++it) own += std::fabs(it.value());
        for (Index j = 0; j < out.cols; ++j) {
            double &distance = out.data[i + j * out.stride];
            distance = std::max(0.0, distance + own);
        }
    }
}

/// |a|^2 + |z|^2 - 2 a.z loses its digits where a and z nearly coincide; there the distance is
/// summed up directly. `near` holds the places of such pairs.
using Places = std::vector<std::pair<Index, Index>>;

Places near_pairs(const Tile &tile) {
    constexpr double share = 1 - 1e-6;
    Places near;
    Vector least(tile.cols);
    least_distances(tile, share, least.data());
    for (Index j = 0; j < tile.cols; ++j) {
        const double *const column = tile.data + j * tile.stride;
        for (Index i = 0; least(j) < 0 && i < tile.rows; ++i)
            if ((tile.aa[i] + tile.zz[j]) * share - 2 * column[i] < 0) near.emplace_back(i, j);
    }
    return near;
}

void set_near_pairs(const Kernel &kernel, const Places &near, const RowSet &a, Index a0,
                    const RowSet &z, Index z0, const Tile &tile) {
    std::visit(
        [&]<class K>(const K &k) {
            if constexpr (ProductKernel<K>)
                for (const auto &[i, j] : near) {
                    const double d2 = (a.dense.row(a0 + i) - z.dense.row(z0 + j)).squaredNorm();
                    // dropped features of a, which z has not, are the rest of a's norm
                    const double rest =
                        std::max(0.0, tile.aa[i] - a.dense.row(a0 + i).squaredNorm());
                    const bool dropped = rest > 1e-12 * tile.aa[i];
                    tile.data[i + j * tile.stride] = k(-0.5 * (d2 + (dropped ? rest : 0)), 0, 0);
                }
        },
        kernel);
}

} // namespace

void kernel_tile(const FeatureSpace &space, const RowSet &a, Index a0, const RowSet &z, Index z0,
                 blas::Block out) {
    if (out.rows == 0 || out.cols == 0) return;
    const Tile tile{out.data,           out.rows, out.cols, out.stride, a.norms.data() + a0,
                    z.norms.data() + z0};
    if (std::holds_alternative<PrecomputedKernel>(space.kernel())) {
        for (Index j = 0; j < out.cols; ++j)
            std::copy_n(&a.dense(a0, z0 + j), out.rows, out.data + j * out.stride);
        return;
    }
    if (std::holds_alternative<LaplacianKernel>(space.kernel()))
        manhattan_distances(a, a0, z, z0, tile);
    else if (a.is_dense() && a.dense.cols() == 0)
        fill_zero(out); // no feature in common: every dot product is zero
    else
        dot_products(a, a0, z, z0, out);
    const bool by_distance = a.is_dense() && translation_invariant(space.kernel());
    const Places near = by_distance ? near_pairs(tile) : Places{};
    map_tile(space.kernel(), tile);
    if (!near.empty()) set_near_pairs(space.kernel(), near, a, a0, z, z0, tile);
}

} // namespace hinge0
