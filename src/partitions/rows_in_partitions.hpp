#pragma once
/// The rows of partitions elsewhere, as a fit sees them. Rows that were brought here are
/// remembered.
#include <unordered_map>

#include "hinge0/partitions.hpp"
#include "partitions/question.hpp"

namespace hinge0 {

class RowsInPartitions final : public Rows {
public:
    /// The partitions must outlive it. `setup.kind` is not looked at.
    RowsInPartitions(const Partitions &partitions, Setup setup, const Kernel &kernel,
                     const Settings &settings);

    [[nodiscard]] Index size() const noexcept override { return class_rows_[0] + class_rows_[1]; }
    [[nodiscard]] std::vector<Index> sample(Index count) const override;
    [[nodiscard]] Vector signs(std::span<const Index> rows) const override;
    [[nodiscard]] Vector prices(std::span<const Index> rows) const override;
    [[nodiscard]] Part part(std::span<const Index> rows) const override;
    [[nodiscard]] Vector decisions(const Expansion &h, std::span<const Index> rows) const override;
    Score keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) override;
    [[nodiscard]] Score score(const Expansion &h, const Wanted &wanted,
                              Watch &watch) const override;
    [[nodiscard]] Others others(const Expansion &h, Watch &watch) const override;

    [[nodiscard]] Samples samples(std::span<const Index> rows) const;

private:
    /// Rows that take part, of a partition and of both classes.
    [[nodiscard]] std::array<Index, 2> rows_of(std::size_t partition) const;
    [[nodiscard]] Writer begin(Kind kind) const;
    void put(Writer &to, const Expansion &h) const;
    /// Calls say(partition, its rows among these) for partitions in their order; `all`: for those
    /// that have none of them too, if they have rows at all.
    template <class Say>
    void by_partition(std::span<const Index> rising, bool all, const Say &say) const;
    [[nodiscard]] Score ask_score(std::string_view name, Writer common, const Wanted &wanted,
                                  Watch &watch) const;
    void draw(Index count) const;
    /// Brings rows that are not here yet.
    void bring(std::span<const Index> rows) const;
    [[nodiscard]] std::vector<Index> places(std::span<const Index> rows) const;

    const Partitions &partitions_;
    Setup setup_;
    Kernel kernel_;
    std::uint64_t seed_;
    int threads_;
    std::array<Index, 2> class_rows_{};
    mutable MemoryBudget memory_;
    mutable std::vector<Index> order_; ///< the beginning of the random order that is known
    /// Rows that are here.
    mutable std::unordered_map<Index, Index> place_;
    mutable Samples samples_;
    mutable std::vector<double> y_, prices_;
};

} // namespace hinge0
