#pragma once
/// The elementwise half of a Gram tile: from dot products to kernel values, in place. The loops are
/// compiled once for each instruction set and chosen at run time.
#include "hinge0/kernel.hpp"

namespace hinge0 {

/// A column-major tile of dot products (or Manhattan distances) between rows a_i and z_j.
struct Tile {
    double *data;
    Index rows, cols, stride;
    const double *aa; ///< |a_i|^2 per tile row
    const double *zz; ///< |z_j|^2 per tile column
};

/// tile(i, j) = k(tile(i, j), aa(i), zz(j)); PrecomputedKernel leaves the tile as it is.
void map_tile(const Kernel &kernel, const Tile &tile);

/// tile(i, j) += sum_f |a(i, f) - z(j, f)| for column-major a and z with `features` columns.
void add_manhattan(const Tile &tile, const double *a, Index a_stride, const double *z,
                   Index z_stride, Index features);

/// For a tile of dot products: least(j) = min(0, (aa(i) + zz(j)) share - 2 tile(i, j)) over i. With
/// a share just below 1 it is negative where rows nearly coincide.
void least_distances(const Tile &tile, double share, double *least);

} // namespace hinge0
