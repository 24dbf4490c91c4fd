/// Chooses the tile loops that this machine runs best.
#include "gram/tile_map.hpp"

#include "core/instruction_set.hpp"

namespace hinge0 {

#define HINGE0_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    void map(const PolynomialKernel &, const Tile &);                                              \
    void map(const RbfKernel &, const Tile &);                                                     \
    void map(const ExponentialKernel &, const Tile &);                                             \
    void map(const InverseMultiquadricKernel &, const Tile &);                                     \
    void map(const WendlandKernel &, const Tile &);                                                \
    void map(const LaplacianKernel &, const Tile &);                                               \
    void add_manhattan(const Tile &, const double *, Index, const double *, Index, Index);         \
    void least_distances(const Tile &, double, double *);                                          \
    }
HINGE0_DECLARE(baseline)
#ifdef HINGE0_X86_VARIANTS
HINGE0_DECLARE(v3)
HINGE0_DECLARE(v4)
#endif
#undef HINGE0_DECLARE

namespace {

const InstructionSet chosen = instruction_set();

struct MapTile {
    const Tile &tile;
    void operator()(const LinearKernel &) const {}
    void operator()(const PrecomputedKernel &) const {}
    void operator()(const auto &kernel) const {
#ifdef HINGE0_X86_VARIANTS
        if (chosen == InstructionSet::x86_64_v4) return v4::map(kernel, tile);
        if (chosen == InstructionSet::x86_64_v3) return v3::map(kernel, tile);
#endif
        baseline::map(kernel, tile);
    }
};

} // namespace

void map_tile(const Kernel &kernel, const Tile &tile) { std::visit(MapTile{tile}, kernel); }

void add_manhattan(const Tile &tile, const double *a, Index a_stride, const double *z,
                   Index z_stride, Index features) {
#ifdef HINGE0_X86_VARIANTS
    if (chosen == InstructionSet::x86_64_v4)
        return v4::add_manhattan(tile, a, a_stride, z, z_stride, features);
    if (chosen == InstructionSet::x86_64_v3)
        return v3::add_manhattan(tile, a, a_stride, z, z_stride, features);
#endif
    baseline::add_manhattan(tile, a, a_stride, z, z_stride, features);
}

void least_distances(const Tile &tile, double share, double *least) {
#ifdef HINGE0_X86_VARIANTS
    if (chosen == InstructionSet::x86_64_v4) return v4::least_distances(tile, share, least);
    if (chosen == InstructionSet::x86_64_v3) return v3::least_distances(tile, share, least);
#endif
    baseline::least_distances(tile, share, least);
}

} // namespace hinge0
