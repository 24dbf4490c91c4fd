/// The loops behind tile_map.hpp, included by one source per instruction set with HINGE0_ISA set to
/// a namespace of its own. No templates with external linkage and nothing from the standard library
/// that is not inlined: code compiled here for a new machine must not be linked into the rest.
#include "gram/tile_map.hpp"

namespace hinge0::HINGE0_ISA {

#define HINGE0_MAP_LOOP(KernelType, value)                                                         \
    void map(const KernelType &kernel, const Tile &tile) {                                         \
        const KernelType k = kernel;                                                               \
        const double *const aa = tile.aa;                                                          \
        const Index rows = tile.rows;                                                              \
        for (Index j = 0; j < tile.cols; ++j) {                                                    \
            double *const column = tile.data + j * tile.stride;                                    \
            const double zz = tile.zz[j];                                                          \
            _Pragma("omp simd") for (Index i = 0; i < rows; ++i) column[i] = value;                \
        }                                                                                          \
    }

HINGE0_MAP_LOOP(PolynomialKernel, k(column[i], aa[i], zz))
HINGE0_MAP_LOOP(RbfKernel, k(column[i], aa[i], zz))
HINGE0_MAP_LOOP(ExponentialKernel, k(column[i], aa[i], zz))
HINGE0_MAP_LOOP(InverseMultiquadricKernel, k(column[i], aa[i], zz))
HINGE0_MAP_LOOP(WendlandKernel, k(column[i], aa[i], zz))
HINGE0_MAP_LOOP(LaplacianKernel, k.of_manhattan(column[i] + aa[i] + zz))
#undef HINGE0_MAP_LOOP

void add_manhattan(const Tile &tile, const double *a, Index a_stride, const double *z,
                   Index z_stride, Index features) {
    const Index rows = tile.rows;
    for (Index j = 0; j < tile.cols; ++j) {
        double *const column = tile.data + j * tile.stride;
        for (Index f = 0; f < features; ++f) {
            const double *const af = a + f * a_stride;
            const double zf = z[j + f * z_stride];
#pragma omp simd
            for (Index i = 0; i < rows; ++i) column[i] += std::fabs(af[i] - zf);
        }
    }
}

void least_distances(const Tile &tile, double share, double *least) {
    const double *const aa = tile.aa;
    const Index rows = tile.rows;
    for (Index j = 0; j < tile.cols; ++j) {
        const double *const column = tile.data + j * tile.stride;
        const double zz = tile.zz[j];
        double smallest = 0;
#pragma omp simd reduction(min : smallest)
        for (Index i = 0; i < rows; ++i) {
            const double distance = (aa[i] + zz) * share - 2 * column[i];
            smallest = distance < smallest ? distance : smallest;
        }
        least[j] = smallest;
    }
}

} // namespace hinge0::HINGE0_ISA
