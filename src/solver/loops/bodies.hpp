/// The loops of loops.hpp, included by one source per instruction set with HINGE0_ISA set to a
/// namespace of its own. Nothing here may have external linkage but the table at the end: code
/// compiled for a new machine must not be linked into the rest.
#include "solver/loops/linear_algebra.hpp"
#include "solver/loops/scans.hpp"

namespace hinge0::HINGE0_ISA {

extern const Loops loops;
const Loops loops{combine_columns,
                  solve_lower,
                  solve_lower_transposed,
                  multiply,
                  multiply_transposed,
                  add_outer,
                  rotate,
                  least_sum,
                  find_sum,
                  sum_below,
                  list_below,
                  shorten,
                  greatest_difference,
                  add_difference,
                  pair_gains};

} // namespace hinge0::HINGE0_ISA
