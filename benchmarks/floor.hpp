#pragma once
/// What the parts of bench_floor share: the problem, and the seconds that one run of it took.
#include "hinge0/hinge0.hpp"

namespace hinge0::bench {

struct Problem {
    Dataset data;
    RbfKernel kernel;
    Objective objective;
    Settings settings;
    Vector start; ///< first multipliers

    [[nodiscard]] double shift() const { return 1.0 / settings.sigma; }
};

struct Times {
    double gram = 0, factor = 0, iterations = 0, total = 0; ///< total: also set-up and finish
};

/// How plain LAPACK solves with its Cholesky factor: dpotrs, or two calls of dtrsv.
enum class LapackSolve { potrs, trsv };

/// One Gram matrix, one dpotrf and `max_iterations` pairs of triangular solves on a full matrix,
/// with as many threads as OpenBLAS likes. `out` becomes (K + I/sigma)^-1 start.
[[nodiscard]] Times lapack_floor(const Problem &problem, LapackSolve solve, Vector &out);

} // namespace hinge0::bench
