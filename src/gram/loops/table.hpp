/// The table of one instruction set; after all bodies, and compiled like them.

namespace hinge0::HINGE0_ISA {

extern const TileLoops tile_loops;
const TileLoops tile_loops{.sum_over_features = sum_over_features,
                           .sparse_products = sparse_products,
                           .map_polynomial = map,
                           .map_rbf = map,
                           .map_exponential = map,
                           .map_imq = map,
                           .map_wendland = map,
                           .map_laplacian = map,
                           .add_combination = add_combination,
                           .add_rbf_terms = add_rbf_terms,
                           .largest_value = largest_value};

} // namespace hinge0::HINGE0_ISA
