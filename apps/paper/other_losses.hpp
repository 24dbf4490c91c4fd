#pragma once
/// The other systems that the paper names, on the same rows by the same ADMM.
#include <vector>

#include "fits.hpp"
#include "hinge0/more_losses.hpp"

namespace hinge0::paper {

/// One of each, with the parameters of the comparison.
[[nodiscard]] std::vector<OtherLoss> other_losses();

/// Algorithm 1 with that loss, at the paper's sigma = 1, tolerance and iterations.
[[nodiscard]] Outcome fit_other(const Problem &problem, const OtherLoss &loss, double C,
                                int threads);
/// l0-SVM: the exact solver with the linear kernel.
[[nodiscard]] Outcome fit_linear(const Problem &problem, double C, int threads);

} // namespace hinge0::paper
