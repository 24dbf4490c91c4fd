#pragma once
/// Equations with K + shift I, which Algorithm 1 solves in every iteration.
#include <string>

#include "core/watch.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class ShiftedSystem {
public:
    virtual ~ShiftedSystem() = default;

    [[nodiscard]] virtual double shift() const noexcept = 0;
    [[nodiscard]] virtual Index size() const noexcept = 0;
    /// Seconds that the kernel values took.
    [[nodiscard]] virtual double kernel_seconds() const noexcept = 0;
    /// How many threads solve() uses; the result does not depend on it.
    virtual void use_threads(int threads) noexcept = 0;
    /// out = (K + shift I)^-1 rhs. No allocation; one caller at a time. False if the watch was
    /// stopped; out is then spoiled.
    [[nodiscard]] virtual bool solve(const ConstVectorRef &rhs, VectorRef out, Watch &watch) = 0;
    /// What a user should know of it, or nothing.
    [[nodiscard]] virtual std::string note() const { return {}; }
};

} // namespace hinge0
