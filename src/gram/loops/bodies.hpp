/// The loops behind loops.hpp, included by one source per instruction set with HINGE0_ISA set to a
/// namespace of its own. No templates with external linkage and nothing from the standard library
/// that is not inlined: code compiled here for a new machine must not be linked into the rest.
#include "gram/loops/loops.hpp"

namespace hinge0::HINGE0_ISA {
namespace {

/// One value for each row of a panel; the compiler cuts it into the registers that there are.
using Panel __attribute__((vector_size(panel_rows * sizeof(double)))) = double;

constexpr Index columns_at_once = HINGE0_COLUMNS_AT_ONCE;
constexpr Index panels_at_once = 4;

// By reference: a vector as a return value depends on the instruction set.
inline void load(Panel &panel, const double *from) {
    __builtin_memcpy(&panel, from, sizeof(panel));
}
inline void store(double *to, const Panel &panel) { __builtin_memcpy(to, &panel, sizeof(panel)); }

struct Product {
    static inline void add(Panel &sum, const Panel &a, double z) { sum += a * z; }
};
struct SquaredDistance {
    static inline void add(Panel &sum, const Panel &a, double z) {
        const Panel apart = a - z;
        sum += apart * apart;
    }
};
struct Manhattan {
    static inline void add(Panel &sum, const Panel &a, double z) {
        const Panel apart = a - z;
        sum += apart < 0 ? -apart : apart;
    }
};

/// `panels` x `cols` sums at once, each in a register of its own.
template <class Term, Index panels, Index cols>
inline void sum_block(const double *a, const double *z, Index features, double *out, Index stride) {
    Panel sums[panels][cols] = {};
    for (Index f = 0; f < features; ++f)
#pragma GCC unroll 8
        for (Index p = 0; p < panels; ++p) {
            Panel values;
            load(values, a + (p * features + f) * panel_rows);
#pragma GCC unroll 8
            for (Index c = 0; c < cols; ++c) Term::add(sums[p][c], values, z[c * features + f]);
        }
    for (Index p = 0; p < panels; ++p)
        for (Index c = 0; c < cols; ++c) store(out + p * panel_rows + c * stride, sums[p][c]);
}

template <class Term>
void sum_tile(const double *a, const double *z, Index features, const Tile &tile) {
    Index j = 0;
    for (; j + columns_at_once <= tile.cols; j += columns_at_once)
        for (Index i = 0; i < tile.rows; i += panel_rows)
            sum_block<Term, 1, columns_at_once>(a + i * features, z + j * features, features,
                                                tile.data + i + j * tile.stride, tile.stride);
    for (; j < tile.cols; ++j) { // one column: several panels, so that sums overlap in time
        Index i = 0;
        for (; i + panels_at_once * panel_rows <= tile.rows; i += panels_at_once * panel_rows)
            sum_block<Term, panels_at_once, 1>(a + i * features, z + j * features, features,
                                               tile.data + i + j * tile.stride, tile.stride);
        for (; i < tile.rows; i += panel_rows)
            sum_block<Term, 1, 1>(a + i * features, z + j * features, features,
                                  tile.data + i + j * tile.stride, tile.stride);
    }
}

} // namespace

void sum_over_features(Sum sum, const double *panels, const double *z, Index features,
                       const Tile &tile) {
    if (sum == Sum::product) return sum_tile<Product>(panels, z, features, tile);
    if (sum == Sum::manhattan) return sum_tile<Manhattan>(panels, z, features, tile);
    sum_tile<SquaredDistance>(panels, z, features, tile);
}

#define HINGE0_MAP_LOOP(KernelType, formula)                                                       \
    void map(const KernelType &kernel, const Tile &tile) {                                         \
        const KernelType k = kernel;                                                               \
        for (Index j = 0; j < tile.cols; ++j) {                                                    \
            double *const column = tile.data + j * tile.stride;                                    \
            _Pragma("omp simd") for (Index i = 0; i < tile.rows; ++i) column[i] =                  \
                k.formula(column[i]);                                                              \
        }                                                                                          \
    }

HINGE0_MAP_LOOP(PolynomialKernel, of_product)
HINGE0_MAP_LOOP(RbfKernel, of_squared_distance)
HINGE0_MAP_LOOP(ExponentialKernel, of_squared_distance)
HINGE0_MAP_LOOP(InverseMultiquadricKernel, of_squared_distance)
HINGE0_MAP_LOOP(WendlandKernel, of_squared_distance)
HINGE0_MAP_LOOP(LaplacianKernel, of_manhattan)
#undef HINGE0_MAP_LOOP

void add_combination(const Tile &tile, const double *weight, double *out) {
    for (Index j = 0; j < tile.cols; ++j) {
        const double *const column = tile.data + j * tile.stride;
        const double w = weight[j];
#pragma omp simd
        for (Index i = 0; i < tile.rows; ++i) out[i] += column[i] * w;
    }
}

double largest_value(const Tile &tile) {
    double largest = 0, nan = 0;
    for (Index j = 0; j < tile.cols; ++j) {
        const double *const column = tile.data + j * tile.stride;
#pragma omp simd reduction(max : largest) reduction(+ : nan)
        for (Index i = 0; i < tile.rows; ++i) {
            const double size = __builtin_fabs(column[i]);
            largest = size > largest ? size : largest;
            nan += column[i] == column[i] ? 0.0 : 1.0;
        }
    }
    return nan > 0 ? __builtin_nan("") : largest;
}

} // namespace hinge0::HINGE0_ISA
