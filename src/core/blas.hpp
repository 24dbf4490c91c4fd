#pragma once
/// The few BLAS and LAPACK routines the project uses, typed, column-major. Any BLAS can stand
/// behind them. They run on one thread: the project cuts the work into tiles itself, so that the
/// bits of a result do not depend on the number of threads.
#include "hinge0/types.hpp"

namespace hinge0::blas {

/// Tells a threaded OpenBLAS to stay on the calling thread; other libraries are left alone.
void use_one_thread();
/// Makes the library take what it needs on the calling thread.
void take_buffer();
/// Whether several threads may call it at once. A serial build of OpenBLAS hands the same buffer to
/// two callers now and then, and spoils their results.
[[nodiscard]] bool is_thread_safe();
/// What the library calls itself, e.g. "OpenBLAS 0.3.21 ...".
[[nodiscard]] const char *description();

/// A column-major block: `data[i + j * stride]`.
struct Block {
    double *data;
    Index rows, cols, stride;
};
struct ConstBlock {
    const double *data;
    Index rows, cols, stride;
    ConstBlock(const double *d, Index r, Index c, Index s) : data(d), rows(r), cols(c), stride(s) {}
    ConstBlock(const Block &b) : data(b.data), rows(b.rows), cols(b.cols), stride(b.stride) {}
};

/// All of a matrix.
[[nodiscard]] inline Block block_of(Matrix &matrix) {
    return {matrix.data(), matrix.rows(), matrix.cols(), matrix.rows()};
}

/// out = alpha a b' + beta out
void multiply_transposed(double alpha, ConstBlock a, ConstBlock b, double beta, Block out);
/// out -= a a', lower triangle only
void subtract_own_product(ConstBlock a, Block out);
/// b := L^-1 b and b := L'^-1 b for a lower triangular L
void solve_left(ConstBlock lower, Block b);
void solve_left_transposed(ConstBlock lower, Block b);
/// out = a b
void multiply_blocks(ConstBlock a, ConstBlock b, Block out);
/// b := b L'^-1 for a lower triangular L
void solve_right_transposed(ConstBlock lower, Block b);
/// Cholesky factor of the lower triangle in place; false if the block is not positive definite.
[[nodiscard]] bool factor_cholesky(Block a);
/// Inverse of a lower triangular block in place.
void invert_lower(Block a);
/// y = alpha a x + beta y, and the same with a'
void multiply(double alpha, ConstBlock a, const double *x, double beta, double *y);
void multiply_transpose(double alpha, ConstBlock a, const double *x, double beta, double *y);
/// x := L x and x := L' x for a lower triangular L
void multiply_lower(ConstBlock lower, double *x);
void multiply_lower_transpose(ConstBlock lower, double *x);

} // namespace hinge0::blas
