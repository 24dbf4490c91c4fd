/// Blocks of kernel values: sums over features, what dropped features add, then the kernel's map.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gram/loops/loops.hpp"
#include "gram/row_set.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// Rows whose sums and map are done one after the other, while they are in the nearest cache.
constexpr Index rows_at_once = 32 * panel_rows;
/// Rows are near each other whose squared distance is at most this share of their squares: two
/// digits of sixteen are lost there.
constexpr double near_share = 0.01;

/// Values of these lie in [0, 1], whatever the rows.
bool is_bounded(const Kernel &kernel) {
    return std::visit(
        []<class K>(const K &) {
            return (DistanceKernel<K> ||
                    ManhattanKernel<K>)&&!std::same_as<K, InverseMultiquadricKernel>;
        },
        kernel);
}

/// Sums between rows [i0, i0 + out.rows) and the right-hand rows from z0 on.
void sum_dense(Sum sum, Index width, const RowSet &a, Index i0, const RightRows &z, Index z0,
               blas::Block out) {
    const double *const right = z.dense.data() + z0 * width;
    const Index skipped = i0 % panel_rows, whole = out.rows / panel_rows * panel_rows;
    const auto panels = [&](Index row) { return a.panels.data() + row * width; };
    const Index direct = skipped == 0 ? whole : 0;
    if (direct > 0)
        sum_over_features(sum, panels(i0), right, width, {out.data, direct, out.cols, out.stride});
    // What is cut off at a panel's edge goes through a panel of its own.
    for (Index i = i0 + direct; i < i0 + out.rows;) {
        const Index first = i / panel_rows * panel_rows;
        const Index end = std::min(first + panel_rows, i0 + out.rows);
        for (Index j = 0; j < out.cols; ++j) {
            double values[panel_rows];
            sum_over_features(sum, panels(first), right + j * width, width,
                              {values, panel_rows, 1, panel_rows});
            std::copy(values + (i - first), values + (end - first),
                      out.data + (i - i0) + j * out.stride);
        }
        i = end;
    }
}

/// |a - z|^2 of one dense row and the right-hand row z.
double squared_distance(const RowSet &a, Index i, const double *z, Index width) {
    const double *const values = a.panels.data() + i / panel_rows * panel_rows * width;
    double sum = 0;
    for (Index f = 0; f < width; ++f) {
        const double apart = values[f * panel_rows + i % panel_rows] - z[f];
        sum += apart * apart;
    }
    return sum;
}

/// |a|^2 + |z|^2 - 2 a.z, which loses digits where the rows are near each other: there the distance
/// is summed up directly.
void sum_by_products(Index width, const RowSet &a, Index i0, const RightRows &z, Index z0,
                     blas::Block out) {
    sparse_products({a.sparse.valuePtr(), a.sparse.innerIndexPtr(), a.sparse.outerIndexPtr() + i0},
                    z.by_feature.data() + z0, z.stride, {out.data, out.rows, out.cols, out.stride});
    const double *const squares = a.squares.data() + i0;
    for (Index j = 0; j < out.cols; ++j) {
        double *const column = out.data + j * out.stride;
        const double own = z.set->squares(z.rows[static_cast<std::size_t>(z0 + j)]);
        Index near = 0;
#pragma omp simd reduction(+ : near)
        for (Index i = 0; i < out.rows; ++i) {
            const double both = squares[i] + own;
            column[i] = both - 2 * column[i];
            near += column[i] <= near_share * both ? 1 : 0;
        }
        for (Index i = 0; near > 0 && i < out.rows; ++i)
            if (column[i] <= near_share * (squares[i] + own))
                column[i] = squared_distance(a, i0 + i, z.dense.data() + (z0 + j) * width, width);
    }
}

/// Sum of term(a_f, z_f) over the features that either row has.
template <class Term>
double sum_merged(const SparseRows &a, Index i, const SparseRows &z, Index j, const Term &term) {
    SparseRows::InnerIterator p(a, i), q(z, j);
    double sum = 0;
    while (p || q) {
        const bool left = !q || (p && p.col() <= q.col());
        const bool right = !p || (q && q.col() <= p.col());
        sum += term(left ? p.value() : 0.0, right ? q.value() : 0.0);
        if (left) ++p;
        if (right) ++q;
    }
    return sum;
}

/// a.z, and from it |a|^2 + |z|^2 - 2 a.z, which loses its digits where the rows nearly coincide:
/// there the distance is summed up directly.
double sparse_sum(Sum sum, const RowSet &a, Index i, const Vector &spread, const RowSet &z,
                  Index j) {
    if (sum == Sum::manhattan)
        return sum_merged(a.sparse, i, z.sparse, j,
                          [](double x, double w) { return std::fabs(x - w); });
    double dot = 0;
    for (SparseRows::InnerIterator it(z.sparse, j); it; ++it) dot += spread(it.col()) * it.value();
    if (sum == Sum::product) return dot;
    const double both = a.squares(i) + z.squares(j), d2 = both - 2 * dot;
    if (d2 > 1e-6 * both) return d2;
    return sum_merged(a.sparse, i, z.sparse, j,
                      [](double x, double w) { return (x - w) * (x - w); });
}

/// Row i of `a` is spread into a dense buffer once and met by every z_j.
void sum_sparse(Sum sum, const RowSet &a, Index i0, const RightRows &z, Index z0, blas::Block out) {
    Vector spread = Vector::Zero(a.sparse.cols());
    for (Index i = 0; i < out.rows; ++i) {
        for (SparseRows::InnerIterator it(a.sparse, i0 + i); it; ++it)
            spread(it.col()) = it.value();
        for (Index j = 0; j < out.cols; ++j)
            out.data[i + j * out.stride] = sparse_sum(sum, a, i0 + i, spread, *z.set,
                                                      z.rows[static_cast<std::size_t>(z0 + j)]);
        for (SparseRows::InnerIterator it(a.sparse, i0 + i); it; ++it) spread(it.col()) = 0;
    }
}

/// Features of a that no right-hand row has are apart by their whole size.
void add_outside(const RowSet &a, Index i0, blas::Block out) {
    const auto outside = a.outside.segment(i0, out.rows);
    if ((outside.array() == 0.0).all()) return;
    for (Index j = 0; j < out.cols; ++j)
        Eigen::Map<Vector>(out.data + j * out.stride, out.rows) += outside;
}

void copy_given(const RowSet &a, Index i0, const RightRows &z, Index z0, blas::Block out) {
    for (Index j = 0; j < out.cols; ++j)
        std::copy_n(&a.given(i0, z.rows[static_cast<std::size_t>(z0 + j)]), out.rows,
                    out.data + j * out.stride);
}

void check_size(const RightRows &z, Index z0, blas::Block out, Index first_row) {
    const double largest = largest_value({out.data, out.rows, out.cols, out.stride});
    if (largest <= largest_kernel_value) return;
    for (Index j = 0; j < out.cols; ++j)
        for (Index i = 0; i < out.rows; ++i) {
            const double value = out.data[i + j * out.stride];
            if (std::fabs(value) <= largest_kernel_value) continue;
            throw InvalidInput(fmt::format(
                "the kernel value of row {} and {} {} is {:.3g}, too large for the kernel matrix; "
                "scale the data (--standardize) or choose another gamma, degree, coef0 or beta",
                first_row + i + 1, z.kind, z.rows[static_cast<std::size_t>(z0 + j)] + 1, value));
        }
}

} // namespace

void kernel_block(const FeatureSpace &space, const RowSet &a, Index a0, const RightRows &z,
                  Index z0, blas::Block out, Index offset) {
    const Kernel &kernel = space.kernel();
    const Sum sum = sum_of(kernel);
    const bool given = std::holds_alternative<PrecomputedKernel>(kernel);
    const bool bounded = is_bounded(kernel);
    if (out.cols == 0) return;
    for (Index i = 0; i < out.rows; i += rows_at_once) {
        const blas::Block part{out.data + i, std::min(rows_at_once, out.rows - i), out.cols,
                               out.stride};
        if (given)
            copy_given(a, a0 + i, z, z0, part);
        else if (space.has_sparse_products())
            sum_by_products(space.width(), a, a0 + i, z, z0, part);
        else if (space.is_dense())
            sum_dense(sum, space.width(), a, a0 + i, z, z0, part);
        else
            sum_sparse(sum, a, a0 + i, z, z0, part);
        if (!given && sum != Sum::product) add_outside(a, a0 + i, part);
        map_tile(kernel, {part.data, part.rows, part.cols, part.stride});
        if (!bounded) check_size(z, z0, part, offset + a0 + i);
    }
}

Vector kernel_diagonal(const FeatureSpace &space, const RowSet &rows) {
    Vector out(rows.count);
    const bool given = std::holds_alternative<PrecomputedKernel>(space.kernel());
    const bool constant = !given && sum_of(space.kernel()) != Sum::product; // that of distance 0
    for (Index i = 0; i < (constant ? std::min<Index>(1, rows.count) : rows.count); ++i) {
        const RightRows self = space.right(rows, std::span(&i, 1));
        kernel_block(space, rows, i, self, 0, {&out(i), 1, 1, 1});
    }
    if (constant && rows.count > 0) out.setConstant(out(0));
    return out;
}

} // namespace hinge0
