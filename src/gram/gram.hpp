#pragma once
/// The seam: everything a solver may ask of the m x m kernel matrix K. All O(m^2) data stays behind
/// this door, on the machine or device that owns it. Every call may come from several threads at
/// once; `threads` is how many it may use itself, and the values do not depend on it.
#include <memory>
#include <span>

#include "core/memory.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class Gram {
public:
    virtual ~Gram() = default;

    [[nodiscard]] virtual Index size() const noexcept = 0;
    /// What `hinge0 info` calls it.
    [[nodiscard]] virtual const char *name() const noexcept = 0;
    /// K(i, i) for every row.
    [[nodiscard]] virtual const Vector &diagonal() const noexcept = 0;

    /// out = K(rows, columns), column by column. Throws InvalidInput naming the rows where a value
    /// is not finite, or too large.
    virtual void block(std::span<const Index> rows, std::span<const Index> columns, int threads,
                       double *out) const = 0;
    /// out = K(rows, columns) weights, without forming it.
    virtual void apply(std::span<const Index> rows, std::span<const Index> columns,
                       ConstVectorRef weights, int threads, VectorRef out) const = 0;
    /// K(rows, rows), where the rows live. The budget must outlive it; throws OutOfMemory.
    [[nodiscard]] virtual std::unique_ptr<Gram> part(std::span<const Index> rows,
                                                     MemoryBudget &memory) const = 0;
};

/// The back end for these samples; the one place where it is chosen. The budget must outlive it.
/// Throws OutOfMemory if the samples do not fit once more, InvalidInput if K(i, i) is not finite.
[[nodiscard]] std::unique_ptr<Gram> make_gram(const Samples &samples, const Kernel &kernel,
                                              MemoryBudget &memory);
/// Those that this build has.
[[nodiscard]] std::span<const char *const> backend_names();

} // namespace hinge0
