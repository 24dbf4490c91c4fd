#pragma once
/// The other systems that the paper names, on the same rows by the same ADMM.
#include <vector>

#include "fits.hpp"
#include "hinge0/more_losses.hpp"

namespace hinge0::paper {

/// One price for all systems of the comparison, the l0 loss included. sigma is 4 C: with a sigma
/// below 2 C, ADMM cycles on losses that are not convex.
inline constexpr double losses_C = 1, losses_sigma = 4 * losses_C;
inline constexpr int losses_iterations = 5000;

/// One of each, with the parameters of the comparison.
[[nodiscard]] std::vector<OtherLoss> other_losses();

/// Algorithm 1 with that loss, at the C and sigma above.
[[nodiscard]] Outcome fit_other(const Problem &problem, const OtherLoss &loss, int threads);
/// l0-SVM: the exact solver with the linear kernel.
[[nodiscard]] Outcome fit_linear(const Problem &problem, double C, int threads);

} // namespace hinge0::paper
