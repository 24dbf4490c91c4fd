#pragma once
/// A factor of K + shift I: half of the kernel matrix in memory, for Algorithm 1.
#include "core/watch.hpp"
#include "gram/factor/tiled_cholesky.hpp"
#include "gram/gram.hpp"

namespace hinge0 {

class ShiftedFactor {
public:
    /// Throws NumericalError if the matrix is not positive definite, OutOfMemory before it takes
    /// what does not fit, Interrupted. `gram` is needed only here.
    ShiftedFactor(const Gram &gram, double shift, int threads, MemoryBudget &memory, Watch &watch);

    [[nodiscard]] double shift() const noexcept { return shift_; }
    [[nodiscard]] Index size() const noexcept { return factor_.size(); }
    /// Seconds that the kernel values took.
    [[nodiscard]] double kernel_seconds() const noexcept { return kernel_seconds_; }
    /// How many threads solve() uses; the result does not depend on it.
    void use_threads(int threads) noexcept { factor_.use_threads(threads); }
    /// out = (K + shift I)^-1 rhs. No allocation; one caller at a time. False if the watch was
    /// stopped; out is then spoiled.
    [[nodiscard]] bool solve(const ConstVectorRef &rhs, VectorRef out, Watch &watch) {
        out = rhs;
        return factor_.solve(out.data(), watch);
    }

private:
    void fill(const Gram &gram, int threads, Watch &watch);

    double shift_;
    MemoryShare held_;
    TiledCholesky factor_;
    double kernel_seconds_ = 0;
};

/// Throws NumericalError if K has a negative eigenvalue beyond rounding. O(m^3); the watch may stop
/// it: Interrupted.
void check_semidefinite(const Gram &gram, int threads, MemoryBudget &memory, Watch &watch);

} // namespace hinge0
