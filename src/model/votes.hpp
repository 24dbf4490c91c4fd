#pragma once
/// What all that makes or uses probabilities must agree on.
#include "hinge0/classifier.hpp"

namespace hinge0 {

inline constexpr double least_share = 1e-7; ///< as in LIBSVM: no pair is certain

/// Of the class of h > 0.
[[nodiscard]] double probability(const Calibration &calibration, double h);
[[nodiscard]] double value_at(const Isotonic &isotonic, double h);

} // namespace hinge0
