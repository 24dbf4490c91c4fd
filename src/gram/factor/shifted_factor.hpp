#pragma once
/// A factor of K + shift I: half of the kernel matrix in memory, for Algorithm 1.
#include "gram/factor/shifted_system.hpp"
#include "gram/factor/tiled_cholesky.hpp"
#include "gram/gram.hpp"

namespace hinge0 {

class ShiftedFactor final : public ShiftedSystem {
public:
    /// Throws NumericalError if the matrix is not positive definite, OutOfMemory before it takes
    /// what does not fit, Interrupted. `gram` is needed only here.
    ShiftedFactor(const Gram &gram, double shift, int threads, MemoryBudget &memory, Watch &watch);

    [[nodiscard]] double shift() const noexcept override { return shift_; }
    [[nodiscard]] Index size() const noexcept override { return factor_.size(); }
    [[nodiscard]] double kernel_seconds() const noexcept override { return kernel_seconds_; }
    void use_threads(int threads) noexcept override { factor_.use_threads(threads); }
    [[nodiscard]] bool solve(const ConstVectorRef &rhs, VectorRef out, Watch &watch) override {
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
