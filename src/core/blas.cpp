/// Thin calls of the Fortran BLAS and LAPACK.
#include "core/blas.hpp"

extern "C" {
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *,
            const int *, const double *, double *, const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, double *, const int *);
void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *,
            const double *, const int *, const double *, double *, const int *);
void dtrmv_(const char *, const char *, const char *, const int *, const double *, const int *,
            double *, const int *);
void dpotrf_(const char *, const int *, double *, const int *, int *);
void dtrtri_(const char *, const char *, const int *, double *, const int *, int *);
[[gnu::weak]] void openblas_set_num_threads(int);
[[gnu::weak]] int openblas_get_parallel(); // 0: serial, 1: own threads, 2: OpenMP
[[gnu::weak]] char *openblas_get_config();
}

namespace hinge0::blas {
namespace {

const int one = 1;

int narrow(Index n) { return static_cast<int>(n); }

void general_multiply(const char *trans, double alpha, ConstBlock a, const double *x, double beta,
                      double *y) {
    const int rows = narrow(a.rows), cols = narrow(a.cols), stride = narrow(a.stride);
    dgemv_(trans, &rows, &cols, &alpha, a.data, &stride, x, &one, &beta, y, &one);
}

void triangular_solve(const char *side, const char *trans, ConstBlock lower, Block b) {
    const int m = narrow(b.rows), n = narrow(b.cols);
    const int sl = narrow(lower.stride), sb = narrow(b.stride);
    const double plus = 1;
    dtrsm_(side, "L", trans, "N", &m, &n, &plus, lower.data, &sl, b.data, &sb);
}

void triangular_multiply(const char *trans, ConstBlock lower, double *x) {
    const int n = narrow(lower.rows), stride = narrow(lower.stride);
    dtrmv_("L", trans, "N", &n, lower.data, &stride, x, &one);
}

} // namespace

void use_one_thread() {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

void take_buffer() {
    constexpr Index size = 128; // smaller products may do without
    const Matrix a = Matrix::Ones(size, size);
    Matrix out = a;
    multiply_transposed(1.0, {a.data(), size, size, size}, {a.data(), size, size, size}, 0.0,
                        {out.data(), size, size, size});
}

bool is_thread_safe() { return openblas_get_parallel == nullptr || openblas_get_parallel() != 0; }

const char *description() {
    return openblas_get_config != nullptr ? openblas_get_config() : "unknown BLAS";
}

void multiply_transposed(double alpha, ConstBlock a, ConstBlock b, double beta, Block out) {
    const int m = narrow(a.rows), n = narrow(b.rows), k = narrow(a.cols);
    const int sa = narrow(a.stride), sb = narrow(b.stride), so = narrow(out.stride);
    dgemm_("N", "T", &m, &n, &k, &alpha, a.data, &sa, b.data, &sb, &beta, out.data, &so);
}

void subtract_own_product(ConstBlock a, Block out) {
    const int n = narrow(out.rows), k = narrow(a.cols);
    const int sa = narrow(a.stride), so = narrow(out.stride);
    const double minus = -1, plus = 1;
    dsyrk_("L", "N", &n, &k, &minus, a.data, &sa, &plus, out.data, &so);
}

void solve_left(ConstBlock lower, Block b) { triangular_solve("L", "N", lower, b); }
void solve_left_transposed(ConstBlock lower, Block b) { triangular_solve("L", "T", lower, b); }
void solve_right_transposed(ConstBlock lower, Block b) { triangular_solve("R", "T", lower, b); }

void multiply_blocks(ConstBlock a, ConstBlock b, Block out) {
    const int m = narrow(a.rows), n = narrow(b.cols), k = narrow(a.cols);
    const int sa = narrow(a.stride), sb = narrow(b.stride), so = narrow(out.stride);
    const double plus = 1, zero = 0;
    dgemm_("N", "N", &m, &n, &k, &plus, a.data, &sa, b.data, &sb, &zero, out.data, &so);
}

bool factor_cholesky(Block a) {
    const int n = narrow(a.rows), stride = narrow(a.stride);
    int info = 0;
    dpotrf_("L", &n, a.data, &stride, &info);
    return info == 0;
}

void invert_lower(Block a) {
    const int n = narrow(a.rows), stride = narrow(a.stride);
    int info = 0;
    dtrtri_("L", "N", &n, a.data, &stride, &info);
}

void multiply(double alpha, ConstBlock a, const double *x, double beta, double *y) {
    general_multiply("N", alpha, a, x, beta, y);
}
void multiply_transpose(double alpha, ConstBlock a, const double *x, double beta, double *y) {
    general_multiply("T", alpha, a, x, beta, y);
}
void multiply_lower(ConstBlock lower, double *x) { triangular_multiply("N", lower, x); }
void multiply_lower_transpose(ConstBlock lower, double *x) { triangular_multiply("T", lower, x); }

} // namespace hinge0::blas
