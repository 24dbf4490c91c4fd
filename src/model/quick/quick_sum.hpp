#pragma once
/// Sums of verify() in double precision, quick and good to eleven digits: for samples that are far
/// from their margin. Shares nothing with the kernels of training and prediction.
#include "hinge0/types.hpp"

namespace hinge0 {

/// h without its bias as sums over j of c_j exp(-gamma |x - z_j|^2): z_j's value f is at
/// [f * count + j].
struct QuickTerms {
    const double *z, *c;
    Index count, features;
    double gamma;
};
struct QuickSum {
    double value, size; ///< of the terms, and of their magnitudes
};
/// `scratch`: room for `count` numbers.
void quick_sum(const QuickTerms &terms, const double *x, double *scratch, QuickSum &out);

} // namespace hinge0
