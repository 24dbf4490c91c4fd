#pragma once
/// The inner loops of the exact solver, compiled once for each instruction set and chosen when the
/// program starts. For the few hundred rows of a small fit, they take a half to a third of the time
/// of general BLAS and Eigen calls. Matrices are column-major with a stride.
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// The least f(i) + up(i), the first i where it is, and the greatest f(i) - down(i).
struct Extremes {
    double least;
    Index at;
    double greatest;
};

struct Loops {
    /// out(i) = sum_k weights(k) columns[k](i) for i from `first` to before `end`.
    void (*combine_columns)(const double *const *columns, const double *weights, Index count,
                            Index first, Index end, double *out);
    /// x = L^-1 x for the lower triangle L of a matrix.
    void (*solve_lower)(const double *lower, Index stride, Index size, double *x);
    /// x = L^-T x.
    void (*solve_lower_transposed)(const double *lower, Index stride, Index size, double *x);
    /// out = A x
    void (*multiply)(const double *a, Index stride, Index rows, Index cols, const double *x,
                     double *out);
    /// out = A' x
    void (*multiply_transposed)(const double *a, Index stride, Index rows, Index cols,
                                const double *x, double *out);
    /// A += u v'
    void (*add_outer)(double *a, Index stride, Index rows, Index cols, const double *u,
                      const double *v);
    /// a, b = c a + s b, c b - s a
    void (*rotate)(double *a, double *b, Index count, double c, double s);
    /// The least a(i) + b(i); infinity if there is none.
    double (*least_sum)(const double *a, const double *b, Index count);
    /// The first i with a(i) + b(i) == value; -1 if there is none.
    Index (*find_sum)(const double *a, const double *b, Index count, double value);
    /// The sum of the weights(i) with a(i) < bound.
    double (*sum_below)(const double *a, const double *weights, Index count, double bound);
    /// Lists all i with a(i) + b(i) < bound, in order; returns how many.
    Index (*list_below)(const double *a, const double *b, Index count, double bound, Index *out);
    /// Shortens `step` to where the first of values(i) + step rates(i) in_force(i) reaches 0.
    /// Returns that i, -1 if none does.
    Index (*shorten)(const double *values, const double *rates, const double *in_force, Index count,
                     double *step);
    /// The greatest a(i) - b(i); minus infinity if there is none.
    double (*greatest_difference)(const double *a, const double *b, Index count);
    /// f += step (a - b), and then its extremes.
    Extremes (*add_difference)(const double *a, const double *b, double step, const double *up,
                               const double *down, Index count, double *f);
    /// gains(t) = (f(t) - low)^2 / (own + diagonal(t) - 2 column(t)), the last not below 1e-12; 0
    /// where f(t) - closed(t) is not above `low`. Returns where it is largest, and how large.
    Index (*pair_gains)(const double *f, const double *closed, const double *column,
                        const double *diagonal, double own, double low, Index count, double *gains,
                        double *largest);
};

/// All that this machine can run, the best last.
[[nodiscard]] std::vector<const Loops *> usable_loops();
/// The best.
extern const Loops loops;

} // namespace hinge0
