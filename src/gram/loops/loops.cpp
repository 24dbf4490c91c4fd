/// Chooses the tile loops that this machine runs best.
#include "gram/loops/loops.hpp"

#include "core/instruction_set.hpp"

namespace hinge0 {

namespace baseline {
extern const TileLoops tile_loops;
}
#ifdef HINGE0_X86_VARIANTS
namespace v3 {
extern const TileLoops tile_loops;
}
namespace v4 {
extern const TileLoops tile_loops;
}
#endif

std::vector<const TileLoops *> usable_tile_loops() {
    std::vector<const TileLoops *> usable{&baseline::tile_loops};
#ifdef HINGE0_X86_VARIANTS
    const InstructionSet set = instruction_set();
    if (set != InstructionSet::baseline) usable.push_back(&v3::tile_loops);
    if (set == InstructionSet::x86_64_v4) usable.push_back(&v4::tile_loops);
#endif
    return usable;
}

namespace {

const TileLoops best = *usable_tile_loops().back();

struct MapTile {
    const TileLoops &loops;
    const Tile &tile;
    void operator()(const LinearKernel &) const {}
    void operator()(const PrecomputedKernel &) const {}
    void operator()(const PolynomialKernel &kernel) const { loops.map_polynomial(kernel, tile); }
    void operator()(const RbfKernel &kernel) const { loops.map_rbf(kernel, tile); }
    void operator()(const ExponentialKernel &kernel) const { loops.map_exponential(kernel, tile); }
    void operator()(const InverseMultiquadricKernel &kernel) const { loops.map_imq(kernel, tile); }
    void operator()(const WendlandKernel &kernel) const { loops.map_wendland(kernel, tile); }
    void operator()(const LaplacianKernel &kernel) const { loops.map_laplacian(kernel, tile); }
};

} // namespace

Sum sum_of(const Kernel &kernel) {
    return std::visit(
        []<class K>(const K &) {
            if constexpr (DistanceKernel<K>) return Sum::squared_distance;
            if constexpr (ManhattanKernel<K>) return Sum::manhattan;
            return Sum::product;
        },
        kernel);
}

void sum_over_features(Sum sum, const double *panels, const double *z, Index features,
                       const Tile &tile) {
    best.sum_over_features(sum, panels, z, features, tile);
}

void sparse_products(const SparseLeft &a, const double *z, Index stride, const Tile &tile) {
    best.sparse_products(a, z, stride, tile);
}

void map_tile(const TileLoops &loops, const Kernel &kernel, const Tile &tile) {
    std::visit(MapTile{loops, tile}, kernel);
}

void map_tile(const Kernel &kernel, const Tile &tile) { map_tile(best, kernel, tile); }

void add_combination(const Tile &tile, const double *weight, double *out) {
    best.add_combination(tile, weight, out);
}

void add_rbf_terms(const float *panels, Index rows, const SingleTerms &terms, float *value,
                   float *scale) {
    best.add_rbf_terms(panels, rows, terms, value, scale);
}

double largest_value(const Tile &tile) { return best.largest_value(tile); }

} // namespace hinge0
