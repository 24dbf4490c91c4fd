#pragma once
/// C and rho of the exact solver chosen by cross-validation on the training part alone.
#include "fits.hpp"

namespace hinge0::paper {

struct Candidate {
    double C, rho;
    double accuracy = 0;        ///< per cent, mean over the folds
    double standard_error = 0;  ///< of that mean
    double support_vectors = 0; ///< mean over the folds
};

/// The folds, `count` of them, in which the rows are left out: the rows of each class, shuffled by
/// a fixed seed, are dealt out in turn.
[[nodiscard]] std::vector<int> stratified_folds(const Vector &signs, int count, std::uint32_t seed);

/// The one-standard-error rule: of all candidates within one standard error of the most accurate,
/// that with the fewest support vectors; ties go to the more accurate, then to the earlier one.
[[nodiscard]] const Candidate &choose(const std::vector<Candidate> &candidates);

/// All candidates of the grid: the paper's C in {1/2, ..., 64}, and rho in {1/4, 1, 4} times the
/// paper's, by 5-fold cross-validation.
[[nodiscard]] std::vector<Candidate> cross_validate(const Problem &problem, int threads);

} // namespace hinge0::paper
