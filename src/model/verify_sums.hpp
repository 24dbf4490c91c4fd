#pragma once
/// What verify() sums up over the training samples: objective, counts and certificate.
#include <vector>

#include "hinge0/verify.hpp"

namespace hinge0 {

/// Of verify: plain sums in extended precision.
using Real = long double;

/// `Kc`: K c on every training row.
[[nodiscard]] Verification verified_sums(const Model &model, const Dataset &data,
                                         const Vector &sample_weight, std::vector<Real> Kc);

} // namespace hinge0
