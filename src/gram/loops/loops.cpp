/// Chooses the tile loops that this machine runs best.
#include "gram/loops/loops.hpp"

#include "core/instruction_set.hpp"

namespace hinge0 {

#define HINGE0_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    void sum_over_features(Sum, const double *, const double *, Index, const Tile &);              \
    void sparse_products(const SparseLeft &, const double *, Index, const Tile &);                 \
    void map(const PolynomialKernel &, const Tile &);                                              \
    void map(const RbfKernel &, const Tile &);                                                     \
    void map(const ExponentialKernel &, const Tile &);                                             \
    void map(const InverseMultiquadricKernel &, const Tile &);                                     \
    void map(const WendlandKernel &, const Tile &);                                                \
    void map(const LaplacianKernel &, const Tile &);                                               \
    void add_combination(const Tile &, const double *, double *);                                  \
    void add_rbf_terms(const float *, Index, const SingleTerms &, float *, float *);               \
    double largest_value(const Tile &);                                                            \
    }
HINGE0_DECLARE(baseline)
#ifdef HINGE0_X86_VARIANTS
HINGE0_DECLARE(v3)
HINGE0_DECLARE(v4)
#endif
#undef HINGE0_DECLARE

/// Calls `function` of the best namespace that this machine can run.
#ifdef HINGE0_X86_VARIANTS
#define HINGE0_CHOOSE(function, ...)                                                               \
    (chosen == InstructionSet::x86_64_v4                                                           \
         ? v4::function(__VA_ARGS__)                                                               \
         : (chosen == InstructionSet::x86_64_v3 ? v3::function(__VA_ARGS__)                        \
                                                : baseline::function(__VA_ARGS__)))
#else
#define HINGE0_CHOOSE(function, ...) baseline::function(__VA_ARGS__)
#endif

namespace {

[[maybe_unused]] const InstructionSet chosen = instruction_set();

struct MapTile {
    const Tile &tile;
    void operator()(const LinearKernel &) const {}
    void operator()(const PrecomputedKernel &) const {}
    void operator()(const auto &kernel) const { HINGE0_CHOOSE(map, kernel, tile); }
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
    HINGE0_CHOOSE(sum_over_features, sum, panels, z, features, tile);
}

void sparse_products(const SparseLeft &a, const double *z, Index stride, const Tile &tile) {
    HINGE0_CHOOSE(sparse_products, a, z, stride, tile);
}

void map_tile(const Kernel &kernel, const Tile &tile) { std::visit(MapTile{tile}, kernel); }

void add_combination(const Tile &tile, const double *weight, double *out) {
    HINGE0_CHOOSE(add_combination, tile, weight, out);
}

void add_rbf_terms(const float *panels, Index rows, const SingleTerms &terms, float *value,
                   float *scale) {
    HINGE0_CHOOSE(add_rbf_terms, panels, rows, terms, value, scale);
}

double largest_value(const Tile &tile) { return HINGE0_CHOOSE(largest_value, tile); }

} // namespace hinge0
