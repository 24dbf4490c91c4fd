#pragma once
/// What every form of the pairwise coupling of probabilities must agree on.

namespace hinge0 {

inline constexpr double least_share = 1e-7; ///< as in LIBSVM: no pair is certain

} // namespace hinge0
