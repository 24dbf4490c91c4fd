#pragma once
/// Maps from decision values to probabilities, fitted to labels.
#include "hinge0/classifier.hpp"

namespace hinge0 {

/// Platt's sigmoid: the most likely one, for targets that are drawn in from 0 and 1 by as much as
/// the counts of the classes are uncertain. Newton's method with backtracking, on the formulation
/// of Lin, Lin and Weng, "A note on Platt's probabilistic outputs for support vector machines"
/// (2007). `weight`: of each value, from 0; empty: all 1. A rising sigmoid that fits worse than a
/// constant one is made constant.
[[nodiscard]] Sigmoid fit_sigmoid(const Vector &h, const Vector &signs, const Vector &weight);

/// The rising function that is nearest in the mean square: pool adjacent violators. Each of its
/// steps has `doubt` rows besides its own, which are of either class as `expected`, a probability
/// for each row, says beforehand.
[[nodiscard]] Isotonic fit_isotonic(const Vector &h, const Vector &signs, const Vector &weight,
                                    const Vector &expected, double doubt);

/// The mean of rising functions, at least one.
[[nodiscard]] Isotonic mean_of(const std::vector<Isotonic> &functions);

} // namespace hinge0
