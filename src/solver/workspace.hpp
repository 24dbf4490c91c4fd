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
    /// `rows`: of which samples; empty: of all.
    Workspace(const Samples &samples, const Kernel &kernel, std::vector<Index> rows,
              MemoryBudget &memory);

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
    /// `most`: so many are remembered.
    Workspaces(const Samples &samples, const Kernel &kernel, std::size_t most = 16);

    /// That of these rows (empty: all). What a solve holds is not forgotten under it.
    [[nodiscard]] std::shared_ptr<Workspace> of(const std::vector<Index> &rows,
                                                double memory_limit);

    /// All that no solve holds.
    void forget();

private:
    const Samples &samples_;
    const Kernel &kernel_;
    std::size_t most_;
    std::mutex mutex_;
    MemoryBudget memory_;
    std::list<std::shared_ptr<Workspace>> lately_; ///< the last used first
};

} // namespace hinge0
