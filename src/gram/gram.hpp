#pragma once
/// Everything a solver may ask of the m x m kernel matrix K. All O(m^2) and O(m |Gamma|) data stays
/// behind this door, on the machine or device that owns it; only vectors cross it.
#include <memory>
#include <span>

#include "core/poll.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class Gram {
public:
    virtual ~Gram() = default;

    [[nodiscard]] virtual Index size() const noexcept = 0;

    /// How many threads the following calls use; the results do not depend on it.
    virtual void use_threads(int threads) = 0;

    /// out = K(:, columns) weights, without forming K.
    virtual void apply(std::span<const Index> columns, ConstVectorRef weights, VectorRef out) = 0;

    /// K(i, i) for every row, and column j of K.
    virtual void diagonal(VectorRef out) const = 0;
    virtual void column(Index j, VectorRef out) = 0;

    /// Prepares solve() for K + shift I; remembers the last shift. `gram_poll` and `factor_poll`
    /// watch the two parts. Throws NumericalError if the matrix is not positive definite,
    /// OutOfMemory before taking more than `memory_limit` bytes (0: what is available),
    /// Interrupted.
    virtual void factor(double shift, double memory_limit, Poll &gram_poll, Poll &factor_poll) = 0;
    /// out = (K + shift I)^-1 rhs, with the shift last given to factor(). No allocation. False if
    /// `poll` was stopped; out is then spoiled.
    [[nodiscard]] virtual bool solve(ConstVectorRef rhs, VectorRef out, Poll &poll) = 0;

    /// Seconds spent on kernel values so far.
    [[nodiscard]] virtual double kernel_seconds() const noexcept = 0;
};

/// K in the memory of this machine. Throws OutOfMemory if the samples do not fit once more.
[[nodiscard]] std::unique_ptr<Gram> make_dense_gram(const Samples &samples, const Kernel &kernel,
                                                    double memory_limit);

} // namespace hinge0
