/// One Cholesky factor gives the fit and all fits that lack a row.
#include "solver/kernel_ridge.hpp"

#include "core/blas.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// k + 1 between rows and columns.
Matrix kernel_and_constant(const Gram &gram, std::span<const Index> rows,
                           std::span<const Index> columns) {
    Matrix values(std::ssize(rows), std::ssize(columns));
    gram.block(rows, columns, 1, values.data());
    values.array() += 1.0;
    return values;
}

} // namespace

KernelRidge kernel_ridge(const Gram &gram, std::span<const Index> rows, const Matrix &targets,
                         const Vector &ridge) {
    Matrix factor = kernel_and_constant(gram, rows, rows);
    factor.diagonal() += ridge;
    if (!blas::factor_cholesky(blas::block_of(factor)))
        throw NumericalError("the kernel matrix is too ill-conditioned to be factored");
    KernelRidge fit{targets, {}};
    blas::solve_left(blas::block_of(factor), blas::block_of(fit.coefficients));
    blas::solve_left_transposed(blas::block_of(factor), blas::block_of(fit.coefficients));
    // Without row i the residual of i is c_i / (A^-1)_ii, where A^-1 = L^-T L^-1.
    blas::invert_lower(blas::block_of(factor));
    fit.left_out = targets;
    for (Index i = 0; i < factor.cols(); ++i)
        fit.left_out.row(i) -=
            fit.coefficients.row(i) / factor.col(i).tail(factor.rows() - i).squaredNorm();
    return fit;
}

Matrix ridge_values(const Gram &gram, std::span<const Index> rows, std::span<const Index> training,
                    const Matrix &coefficients) {
    const Matrix kernel = kernel_and_constant(gram, rows, training);
    Matrix values(kernel.rows(), coefficients.cols());
    blas::multiply_blocks(
        {kernel.data(), kernel.rows(), kernel.cols(), kernel.rows()},
        {coefficients.data(), coefficients.rows(), coefficients.cols(), coefficients.rows()},
        blas::block_of(values));
    return values;
}

} // namespace hinge0
