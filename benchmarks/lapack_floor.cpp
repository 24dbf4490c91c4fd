/// The floor as a LAPACK user would write it: nothing of hinge0 but the kernel's formula.
#include <omp.h>

#include <stdexcept>

#include "core/blas.hpp"
#include "floor.hpp"
#include "timing.hpp"

extern "C" {
void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *,
             const int *, int *);
void dtrsv_(const char *, const char *, const char *, const int *, const double *, const int *,
            double *, const int *);
[[gnu::weak]] void openblas_set_num_threads(int);
}

namespace hinge0::bench {
namespace {

const int one = 1;

/// Lower triangle of K + shift I. The dot products are one dgemm, the map one loop.
void fill(const Matrix &X, const RbfKernel &kernel, double shift, Matrix &K) {
    const Vector norms = X.rowwise().squaredNorm();
    const blas::ConstBlock rows(X.data(), X.rows(), X.cols(), X.rows());
    blas::multiply_transposed(1.0, rows, rows, 0.0, {K.data(), K.rows(), K.cols(), K.rows()});
#pragma omp parallel for schedule(dynamic, 16)
    for (Index j = 0; j < K.cols(); ++j) {
        double *const column = K.data() + j * K.rows();
        for (Index i = j; i < K.rows(); ++i)
            column[i] = kernel.of_squared_distance(norms(i) + norms(j) - 2 * column[i]);
        column[j] = 1.0 + shift;
    }
}

void solve_in_place(const Matrix &L, LapackSolve how, Vector &x) {
    const int m = static_cast<int>(L.rows());
    if (how == LapackSolve::potrs) {
        int info = 0;
        dpotrs_("L", &m, &one, L.data(), &m, x.data(), &m, &info);
    } else {
        dtrsv_("L", "N", "N", &m, L.data(), &m, x.data(), &one);
        dtrsv_("L", "T", "N", &m, L.data(), &m, x.data(), &one);
    }
}

} // namespace

Times lapack_floor(const Problem &problem, LapackSolve solve, Vector &out) {
    // A floor is what cannot be avoided: memory and dense rows are there before the clock starts.
    const Matrix X =
        std::visit([](const auto &rows) { return Matrix(rows); }, problem.data.samples());
    Matrix K = Matrix::Zero(X.rows(), X.rows());
    out = problem.start;
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(omp_get_max_threads());

    Times times;
    const Stopwatch watch;
    fill(X, problem.kernel, problem.shift(), K);
    times.gram = watch.seconds();
    if (!blas::factor_cholesky({K.data(), K.rows(), K.cols(), K.rows()}))
        throw std::runtime_error("dpotrf: not positive definite");
    times.factor = watch.seconds() - times.gram;
    for (int k = 0; k < problem.settings.max_iterations; ++k) {
        out = problem.start;
        solve_in_place(K, solve, out);
    }
    times.total = watch.seconds();
    times.iterations = times.total - times.gram - times.factor;
    blas::use_one_thread();
    return times;
}

} // namespace hinge0::bench
