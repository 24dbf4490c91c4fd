#pragma once
/// Scores that hinge0/tune.hpp does not have.
#include "hinge0/classifier.hpp"

namespace hinge0 {

/// The mean square of what the probabilities of decision values are off by.
[[nodiscard]] double brier_score(const Sigmoid &sigmoid, const Vector &signs,
                                 const Vector &decisions);

} // namespace hinge0
