#pragma once
/// Kernel ridge regression, and what it would say of every row had it not seen that row.
#include <span>

#include "gram/gram.hpp"

namespace hinge0 {

/// f(x) = sum_i c_i (k(x_i, x) + 1): a constant is part of the functions, at a price.
struct KernelRidge {
    Matrix coefficients; ///< a row for each training row, a column for each target
    Matrix left_out;     ///< f(x_i) of the fit without row i
};

/// Minimises sum_i (f(x_i) - target_i)^2 / ridge_i + |f|^2 over the chosen rows of `gram`, for each
/// column of `targets`; ridge_i > 0. O(n^3) on the calling thread, once for all columns. Throws
/// NumericalError if the kernel matrix is so far from positive semidefinite that there is no
/// minimum.
[[nodiscard]] KernelRidge kernel_ridge(const Gram &gram, std::span<const Index> rows,
                                       const Matrix &targets, const Vector &ridge);

/// f of the chosen rows, for the coefficients of `training` rows.
[[nodiscard]] Matrix ridge_values(const Gram &gram, std::span<const Index> rows,
                                  std::span<const Index> training, const Matrix &coefficients);

} // namespace hinge0
