#pragma once
/// The rows of partitions elsewhere, as a fit sees them. Rows that were brought here are
/// remembered.
#include <unordered_map>

#include "hinge0/partitions.hpp"
#include "partitions/question.hpp"
#include "partitions/said.hpp"

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
    /// Asks every partition of these rows, naming to each its own; `all`: those that have none of
    /// them too, if they have rows at all.
    void name_own(std::span<const Index> rising, bool all, Question &question) const;
    /// Calls read(partition, what it said), in their order.
    template <class Read> void ask(const Question &question, const Read &read) const;
    [[nodiscard]] std::vector<Index> doubtful(const Expansion &h, const Wanted &wanted) const;
    [[nodiscard]] Score ask_score(std::string_view name, Writer common, const Expansion &h,
                                  const Wanted &wanted, Watch &watch) const;
    void draw(Index count) const;
    void order_drawn() const;
    /// Brings rows that are not here yet.
    void bring(std::span<const Index> rows) const;
    void take_over(std::span<const Index> numbers, std::vector<HandedRows> &handed) const;
    [[nodiscard]] std::vector<Index> places(std::span<const Index> rows) const;

    const Partitions &partitions_;
    Setup setup_;
    Kernel kernel_;
    std::uint64_t seed_;
    int threads_;
    std::array<Index, 2> class_rows_{};
    std::array<double, 2> class_prices_{}; ///< of all rows of a class together
    mutable MemoryBudget memory_;
    mutable std::array<std::vector<Drawn>, 2> drawn_; ///< of both classes
    mutable std::array<std::uint64_t, 2> next_key_{}; ///< the first that was not drawn yet
    mutable std::vector<Index> order_; ///< the beginning of the random order that is known
    /// Rows that are here.
    mutable std::unordered_map<Index, Index> place_;
    mutable Samples samples_;
    mutable std::vector<double> y_, prices_;
};

} // namespace hinge0
