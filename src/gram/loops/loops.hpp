#pragma once
/// The two halves of a tile of kernel values: sums over features, then the kernel's map. The loops
/// are compiled once for each instruction set and chosen at run time. A value depends on its two
/// rows alone, never on their neighbours in the tile, and features are summed in their order: so a
/// fit of some rows has the bits of the same rows within a larger set.
#include <vector>

#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// Rows are held in panels of so many, feature by feature: value f of row r of a panel is at
/// [f * panel_rows + r].
inline constexpr Index panel_rows = 8;

/// Column-major: the value of row i and column j is at data[i + j * stride].
struct Tile {
    double *data;
    Index rows, cols, stride;
};

/// tile(i, j) = sum over features of a_i z_j, (a_i - z_j)^2 or |a_i - z_j|, between whole panels
/// (tile.rows is a multiple of panel_rows) and rows z, which are held row by row.
enum class Sum : char { product, squared_distance, manhattan };
void sum_over_features(Sum sum, const double *panels, const double *z, Index features,
                       const Tile &tile);

/// The non-zero values of rows, row by row: those of row i are from starts[i] to starts[i + 1].
struct SparseLeft {
    const double *values;
    const int *features;
    const int *starts;
};
/// tile(i, j) = a_i z_j of sparse rows a and rows z that are held feature by feature: value f of
/// z_j is at [f * stride + j], with room for a whole panel after the last. The bits are those of
/// the dense sums.
void sparse_products(const SparseLeft &a, const double *z, Index stride, const Tile &tile);

/// The sum that a kernel is a map of.
[[nodiscard]] Sum sum_of(const Kernel &kernel);
/// tile(i, j) = k(tile(i, j)); PrecomputedKernel leaves the tile as it is.
void map_tile(const Kernel &kernel, const Tile &tile);

/// out(i) += sum over j of tile(i, j) weight(j), in the order of j whatever the other rows are.
void add_combination(const Tile &tile, const double *weight, double *out);

/// Rows in single precision are held in panels of so many, otherwise alike.
inline constexpr Index single_panel_rows = 16;

/// Terms of an expansion in rbf kernels, in single precision.
struct SingleTerms {
    const float *rows;   ///< z, row by row
    const float *weight; ///< c
    Index count, features;
    float gamma;
};
/// With t = gamma |a_i - z_j|^2, at most 87: value(i) += sum over j of c_j exp(-t), and
/// scale(i) += sum over j of |c_j| exp(-t) (1 + t), which its rounding errors are in proportion to.
void add_rbf_terms(const float *panels, Index rows, const SingleTerms &terms, float *value,
                   float *scale);

/// The largest |tile(i, j)|; NaN if there is one.
[[nodiscard]] double largest_value(const Tile &tile);

/// All of these for one instruction set; maps one by one.
struct TileLoops {
    void (*sum_over_features)(Sum, const double *, const double *, Index, const Tile &);
    void (*sparse_products)(const SparseLeft &, const double *, Index, const Tile &);
    void (*map_polynomial)(const PolynomialKernel &, const Tile &);
    void (*map_rbf)(const RbfKernel &, const Tile &);
    void (*map_exponential)(const ExponentialKernel &, const Tile &);
    void (*map_imq)(const InverseMultiquadricKernel &, const Tile &);
    void (*map_wendland)(const WendlandKernel &, const Tile &);
    void (*map_laplacian)(const LaplacianKernel &, const Tile &);
    void (*add_combination)(const Tile &, const double *, double *);
    void (*add_rbf_terms)(const float *, Index, const SingleTerms &, float *, float *);
    double (*largest_value)(const Tile &);
};
/// Those that this machine can run, the best last: it is the one that is used.
[[nodiscard]] std::vector<const TileLoops *> usable_tile_loops();
void map_tile(const TileLoops &loops, const Kernel &kernel, const Tile &tile);

} // namespace hinge0
