/// Sums of columns, triangular solves and products; see bodies.hpp.
#include "solver/loops/loops.hpp"

namespace hinge0::HINGE0_ISA {
namespace {

/// y(i) += the sum of four columns times their weights.
inline void add_four(const double *a, Index stride, const double *w, Index first, Index end,
                     double *y) {
    const double *const b = a + stride, *const c = b + stride, *const d = c + stride;
    const double wa = w[0], wb = w[1], wc = w[2], wd = w[3];
#pragma omp simd
    for (Index i = first; i < end; ++i) y[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
}

/// y(i) += w a(i)
inline void add_one(const double *a, double w, Index first, Index end, double *y) {
#pragma omp simd
    for (Index i = first; i < end; ++i) y[i] += w * a[i];
}

/// The inner products of four columns with x.
inline void dot_four(const double *a, Index stride, const double *x, Index first, Index end,
                     double *out) {
    const double *const b = a + stride, *const c = b + stride, *const d = c + stride;
    double sa = 0, sb = 0, sc = 0, sd = 0;
#pragma omp simd reduction(+ : sa, sb, sc, sd)
    for (Index i = first; i < end; ++i) {
        sa += a[i] * x[i];
        sb += b[i] * x[i];
        sc += c[i] * x[i];
        sd += d[i] * x[i];
    }
    out[0] = sa;
    out[1] = sb;
    out[2] = sc;
    out[3] = sd;
}

inline double dot_one(const double *a, const double *x, Index first, Index end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = first; i < end; ++i) sum += a[i] * x[i];
    return sum;
}

void combine_columns(const double *const *columns, const double *weights, Index count, Index first,
                     Index end, double *out) {
    for (Index i = first; i < end; ++i) out[i] = 0;
    Index k = 0;
    for (; k + 4 <= count; k += 4) { // four at a time: fewer passes over out
        const double *const a = columns[k], *const b = columns[k + 1], *const c = columns[k + 2],
                            *const d = columns[k + 3];
        const double wa = weights[k], wb = weights[k + 1], wc = weights[k + 2], wd = weights[k + 3];
#pragma omp simd
        for (Index i = first; i < end; ++i)
            out[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
    }
    for (; k < count; ++k) add_one(columns[k], weights[k], first, end, out);
}

/// Four unknowns at a time, then all rows below them at once.
void solve_lower(const double *lower, Index stride, Index size, double *x) {
    Index k = 0;
    for (; k + 4 <= size; k += 4) {
        const double *const a = lower + k * stride;
        double known[4];
        for (Index r = 0; r < 4; ++r) {
            double rest = x[k + r];
            for (Index c = 0; c < r; ++c) rest += known[c] * a[c * stride + k + r];
            x[k + r] = rest / a[r * stride + k + r];
            known[r] = -x[k + r];
        }
        add_four(a, stride, known, k + 4, size, x);
    }
    for (; k < size; ++k) {
        const double *const a = lower + k * stride;
        x[k] /= a[k];
        add_one(a, -x[k], k + 1, size, x);
    }
}

void solve_lower_transposed(const double *lower, Index stride, Index size, double *x) {
    Index k = size;
    for (; k >= 4; k -= 4) {
        const Index first = k - 4;
        const double *const a = lower + first * stride;
        double sums[4];
        dot_four(a, stride, x, k, size, sums);
        for (Index c = 3; c >= 0; --c) {
            double rest = x[first + c] - sums[c];
            for (Index r = 3; r > c; --r) rest -= a[c * stride + first + r] * x[first + r];
            x[first + c] = rest / a[c * stride + first + c];
        }
    }
    for (; k > 0; --k) {
        const double *const a = lower + (k - 1) * stride;
        x[k - 1] = (x[k - 1] - dot_one(a, x, k, size)) / a[k - 1];
    }
}

void multiply(const double *a, Index stride, Index rows, Index cols, const double *x, double *out) {
    for (Index i = 0; i < rows; ++i) out[i] = 0;
    Index k = 0;
    for (; k + 4 <= cols; k += 4) add_four(a + k * stride, stride, x + k, 0, rows, out);
    for (; k < cols; ++k) add_one(a + k * stride, x[k], 0, rows, out);
}

void multiply_transposed(const double *a, Index stride, Index rows, Index cols, const double *x,
                         double *out) {
    Index k = 0;
    for (; k + 4 <= cols; k += 4) dot_four(a + k * stride, stride, x, 0, rows, out + k);
    for (; k < cols; ++k) out[k] = dot_one(a + k * stride, x, 0, rows);
}

void add_outer(double *a, Index stride, Index rows, Index cols, const double *u, const double *v) {
    for (Index k = 0; k < cols; ++k) add_one(u, v[k], 0, rows, a + k * stride);
}

void rotate(double *a, double *b, Index count, double c, double s) {
#pragma omp simd
    for (Index i = 0; i < count; ++i) {
        const double x = a[i], y = b[i];
        a[i] = c * x + s * y;
        b[i] = c * y - s * x;
    }
}

} // namespace
} // namespace hinge0::HINGE0_ISA
