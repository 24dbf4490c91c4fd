#pragma once
/// Where every single move stands after its first step, for all moves at once by matrix products.
/// Most moves cost too much there already, and need not be tried.
#include "solver/active_set.hpp"

namespace hinge0 {

/// Per sample: |w|^2/2 plus the prices of those not kept that miss their margin, after the first
/// step of giving the sample up (members of Gamma) or taking it back (violators). The rest of a
/// move can only raise |w|^2/2. Infinite for other samples, and where no step exists.
[[nodiscard]] Vector costs_after_first_step(const ActiveSet &state, const Vector &prices,
                                            const std::vector<char> &kept);

} // namespace hinge0
