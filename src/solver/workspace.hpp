#pragma once
/// What solves of the same rows share: the kernel matrix's back end, its columns, its factor,
/// first minima.
#include <list>
#include <memory>
#include <mutex>

#include "gram/columns/column_cache.hpp"
#include "gram/factor/shifted_system.hpp"
#include "solver/first_minimum.hpp"

namespace hinge0 {

/// Above, half of the kernel matrix would take more than a gigabyte, and its factor minutes.
inline constexpr Index most_rows_of_a_factor = 16384;

/// Of rows as they were given.
[[nodiscard]] double bytes_of(const Samples &samples);
/// Of all else that a solve has for every row: signs, prices, margins, orders, sums.
inline constexpr double bytes_per_row = 150;

class Workspace {
public:
    /// `rows`: which samples the kernel matrix is of; empty: all.
    Workspace(std::unique_ptr<Gram> gram, std::vector<Index> rows, MemoryBudget &memory)
        : rows_(std::move(rows)), memory_(memory), gram_(std::move(gram)),
          columns_(*gram_, memory) {}

    [[nodiscard]] const std::vector<Index> &rows() const noexcept { return rows_; }
    [[nodiscard]] const Gram &gram() const noexcept { return *gram_; }
    [[nodiscard]] ColumnCache &columns() noexcept { return columns_; }
    [[nodiscard]] const ColumnCache &columns() const noexcept { return columns_; }
    [[nodiscard]] FirstMinima &first_minima() noexcept { return first_minima_; }

    /// A factor of K + shift I, the last one if it has that shift. One solve at a time may use it:
    /// whoever has the lock.
    [[nodiscard]] std::unique_lock<std::mutex> lock_factor() { return std::unique_lock(mutex_); }
    [[nodiscard]] ShiftedSystem &factor(double shift, int threads, Watch &watch);
    /// Once: other kernels are positive semidefinite by construction, this one somebody made.
    void check_given_matrix(int threads, Watch &watch);

private:
    std::vector<Index> rows_;
    MemoryBudget &memory_;
    std::unique_ptr<Gram> gram_;
    ColumnCache columns_;
    FirstMinima first_minima_;
    std::mutex mutex_;
    std::unique_ptr<ShiftedSystem> factor_;
    bool is_checked_ = false;
};

/// The workspaces of a solver, one for each set of rows that was solved lately: the folds of a
/// cross-validation, or the pairs of some classes.
class Workspaces {
public:
    enum class Source : char { samples, prepared };
    /// `most`: so many are remembered. Source::prepared: all rows are prepared for the kernel once,
    /// which pays where every row is in several of the sets.
    Workspaces(const Samples &samples, const Kernel &kernel, std::size_t most = 16,
               Source source = Source::samples);

    /// That of these rows (empty: all). What a solve holds is not forgotten under it.
    [[nodiscard]] std::shared_ptr<Workspace> of(const std::vector<Index> &rows,
                                                double memory_limit);

    /// All that no solve holds.
    void forget();

private:
    [[nodiscard]] std::shared_ptr<Workspace> find(const std::vector<Index> &rows);
    [[nodiscard]] std::unique_ptr<Gram> make_gram_of(const std::vector<Index> &rows);

    const Samples &samples_;
    const Kernel &kernel_;
    std::size_t most_;
    Source source_;
    std::mutex mutex_;
    MemoryBudget memory_;
    std::once_flag is_prepared_;
    std::unique_ptr<Gram> prepared_;               ///< of all rows
    std::list<std::shared_ptr<Workspace>> lately_; ///< the last used first
};

} // namespace hinge0
