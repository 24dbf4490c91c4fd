#pragma once
/// The rows of a kernel matrix on this machine.
#include <cstdint>

#include "solver/margins.hpp"
#include "solver/rows.hpp"

namespace hinge0 {

class RowsInMemory final : public Rows {
public:
    /// All of these must outlive it.
    RowsInMemory(ColumnCache &columns, const Vector &y, const Vector &prices, std::uint64_t seed,
                 int threads);

    [[nodiscard]] Index size() const noexcept override { return y_.size(); }
    [[nodiscard]] std::vector<Index> sample(Index count) const override;
    [[nodiscard]] Vector signs(std::span<const Index> rows) const override { return y_(rows); }
    [[nodiscard]] Vector prices(std::span<const Index> rows) const override {
        return prices_(rows);
    }
    [[nodiscard]] Part part(std::span<const Index> rows) const override;
    [[nodiscard]] Vector decisions(const Expansion &h, std::span<const Index> rows) const override;
    Score keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) override;
    [[nodiscard]] Score score(const Expansion &h, const Wanted &wanted,
                              Watch &watch) const override;
    [[nodiscard]] Others others(const Expansion &h, Watch &watch) const override;
    /// From margins that are known.
    Score keep(const Vector &margins, double least, const Wanted &wanted);

private:
    [[nodiscard]] Vector margins(const Expansion &h, bool may_stop, Watch &watch,
                                 Index &done) const;
    [[nodiscard]] Score sum_up(const Vector &margins, const Wanted &wanted) const;

    ColumnCache &columns_;
    const Vector &y_, &prices_;
    int threads_;
    std::vector<Index> all_, order_;
    Flags kept_;
};

} // namespace hinge0
