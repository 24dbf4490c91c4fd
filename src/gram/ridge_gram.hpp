#pragma once
/// K + diag(ridge): a kernel matrix with something added to its diagonal.
#include "gram/gram.hpp"

namespace hinge0 {

class RidgeGram final : public Gram {
public:
    /// `base` must outlive it.
    RidgeGram(const Gram &base, Vector ridge);

    [[nodiscard]] Index size() const noexcept override { return base_.size(); }
    [[nodiscard]] const char *name() const noexcept override { return base_.name(); }
    [[nodiscard]] const Vector &diagonal() const noexcept override { return diagonal_; }
    void block(std::span<const Index> rows, std::span<const Index> columns, int threads,
               double *out) const override;
    void apply(std::span<const Index> rows, std::span<const Index> columns, ConstVectorRef weights,
               int threads, VectorRef out) const override;
    [[nodiscard]] std::unique_ptr<Gram> part(std::span<const Index> rows,
                                             MemoryBudget &memory) const override;

private:
    RidgeGram(std::unique_ptr<Gram> base, Vector ridge);

    std::unique_ptr<Gram> owned_; ///< the base of a part
    const Gram &base_;
    Vector ridge_, diagonal_;
};

} // namespace hinge0
