/// The loops behind loops.hpp, included by one source per instruction set with HINGE0_ISA set to a
/// namespace of its own. No templates with external linkage and nothing from the standard library
/// that is not inlined: code compiled here for a new machine must not be linked into the rest.
#include "gram/loops/loops.hpp"

namespace hinge0::HINGE0_ISA {
namespace {

/// One number for each row of a panel, in registers as wide as the machine has them: GCC keeps
/// wider vectors in memory, from one operation to the next.
template <class Number, Index rows> struct OfRows {
    typedef Number Register __attribute__((vector_size(HINGE0_REGISTER_BYTES))); // NOLINT: no using
    static constexpr Index count =
        rows * static_cast<Index>(sizeof(Number)) / HINGE0_REGISTER_BYTES;
    Register parts[count];
};
using Panel = OfRows<double, panel_rows>;

constexpr Index columns_at_once = HINGE0_COLUMNS_AT_ONCE, panels_at_once = columns_at_once;

/// Register by register: a panel that is copied as a whole goes through memory.
template <class Number, Index rows>
inline void load(OfRows<Number, rows> &panel, const Number *from) {
#pragma GCC unroll 4
    for (auto &part : panel.parts) {
        __builtin_memcpy(&part, from, sizeof(part));
        from += sizeof(part) / sizeof(Number);
    }
}
template <class Number, Index rows>
inline void store(Number *to, const OfRows<Number, rows> &panel) {
#pragma GCC unroll 4
    for (const auto &part : panel.parts) {
        __builtin_memcpy(to, &part, sizeof(part));
        to += sizeof(part) / sizeof(Number);
    }
}

struct Product {
    template <class Register> static inline void add(Register &sum, const Register &a, double z) {
        sum += a * z;
    }
};
struct SquaredDistance {
    template <class Register> static inline void add(Register &sum, const Register &a, double z) {
        const Register apart = a - z;
        sum += apart * apart;
    }
};
struct Manhattan {
    template <class Register> static inline void add(Register &sum, const Register &a, double z) {
        const Register apart = a - z;
        sum += apart < 0 ? -apart : apart;
    }
};

/// To every row's sum its term with z.
template <class Term> inline void add(Panel &sum, const Panel &a, double z) {
#pragma GCC unroll 4
    for (Index r = 0; r < Panel::count; ++r) Term::add(sum.parts[r], a.parts[r], z);
}

/// `panels` x `cols` sums at once, each in registers of its own.
template <class Term, Index panels, Index cols>
inline void sum_block(const double *a, const double *z, Index features, double *out, Index stride) {
    Panel sums[panels][cols] = {};
    for (Index f = 0; f < features; ++f) {
#pragma GCC unroll 8
        for (Index p = 0; p < panels; ++p) {
            Panel values;
            load(values, a + (p * features + f) * panel_rows);
#pragma GCC unroll 8
            for (Index c = 0; c < cols; ++c) add<Term>(sums[p][c], values, z[c * features + f]);
        }
    }
#pragma GCC unroll 8
    for (Index p = 0; p < panels; ++p) {
#pragma GCC unroll 8
        for (Index c = 0; c < cols; ++c) store(out + p * panel_rows + c * stride, sums[p][c]);
    }
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

} // namespace
} // namespace hinge0::HINGE0_ISA
