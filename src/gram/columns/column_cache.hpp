#pragma once
/// Columns of K that were used lately. All that the exact solver ever reads of K, apart from
/// products. A column stays alive while somebody holds it; what nobody holds may be forgotten.
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gram/gram.hpp"

namespace hinge0 {

/// K(:, j), shared with the cache.
using Column = std::shared_ptr<const double[]>;

/// What a cache keeps at most: columns that were made long before are seldom asked for again.
inline constexpr double most_cached_bytes = 1024.0 * 1024 * 1024;

class ColumnCache {
public:
    /// `gram` and `memory` must outlive the cache and its columns.
    ColumnCache(const Gram &gram, MemoryBudget &memory);
    /// That of a part of another cache's rows, which counts what is made here as its own.
    ColumnCache(const Gram &part, ColumnCache &whole) : ColumnCache(part, whole.memory()) {
        whole_ = &whole;
    }

    [[nodiscard]] const Gram &gram() const noexcept { return gram_; }
    [[nodiscard]] MemoryBudget &memory() const noexcept { return memory_; }
    [[nodiscard]] Index rows() const noexcept { return gram_.size(); }
    /// Any thread may ask. Throws OutOfMemory when not even this column fits beside those that are
    /// held.
    [[nodiscard]] Column column(Index j);
    /// Makes those columns that are not there, side by side, as far as there is room for them.
    void prefetch(std::span<const Index> columns, int threads);
    /// The bytes that it keeps at most, apart from what others hold.
    [[nodiscard]] double capacity() const noexcept { return capacity_; }
    /// Columns made so far, those of parts included, and the seconds that this took.
    [[nodiscard]] long made() const noexcept { return made_; }
    [[nodiscard]] double seconds() const noexcept { return seconds_; }

private:
    struct Slot {
        Column column;
        long used = 0; ///< when, as a count of questions
    };
    [[nodiscard]] double column_bytes() const { return 8.0 * static_cast<double>(rows()); }
    [[nodiscard]] std::shared_ptr<double[]> make_room(bool needed);
    void forget(std::size_t count);
    void fill(std::span<const Index> columns, std::span<double *const> out, int threads);
    void count(long columns, double seconds);

    const Gram &gram_;
    MemoryBudget &memory_;
    double capacity_;
    std::vector<Index> all_rows_;
    std::mutex mutex_; ///< held by whoever reads or changes what follows
    std::vector<Slot> slots_;
    std::size_t held_ = 0;
    long time_ = 0;
    std::atomic<long> made_{0};
    std::atomic<double> seconds_{0};
    ColumnCache *whole_ = nullptr;
};

} // namespace hinge0
