/// Least recently used columns go first.
#include "gram/columns/column_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/all_rows.hpp"
#include "core/parallel.hpp"

namespace hinge0 {
namespace {

/// What a cache keeps of the memory that is left, if its columns are not few.
constexpr double share = 0.5;
constexpr double few_bytes = 4.0 * 1024 * 1024;
/// Columns that are computed together; more would not be quicker.
constexpr std::size_t together = 64;
/// Rows of these that a thread makes at a time, so that they go to their columns from its cache,
/// and values below which other threads cost more than they save.
constexpr Index piece = 1024;
constexpr Index few_values = 1 << 20;

} // namespace

ColumnCache::ColumnCache(const Gram &gram, MemoryBudget &memory)
    : gram_(gram), memory_(memory), capacity_(column_bytes() * static_cast<double>(gram.size())),
      all_rows_(all_rows(gram.size())), slots_(static_cast<std::size_t>(gram.size())) {
    if (capacity_ > few_bytes)
        capacity_ = std::min({capacity_, share * memory.left(), most_cached_bytes});
}

Column ColumnCache::column(Index j) {
    Slot &slot = slots_[static_cast<std::size_t>(j)];
    {
        const std::lock_guard lock(mutex_);
        slot.used = ++time_;
        if (slot.column) return slot.column;
    }
    const std::shared_ptr<double[]> made = make_room(true);
    double *const out = made.get();
    fill(std::span(&j, 1), std::span(&out, 1), 1); // unlocked: others may make theirs
    const std::lock_guard lock(mutex_);
    if (slot.column) return slot.column; // another thread was quicker
    slot.column = made;
    ++held_;
    return slot.column;
}

void ColumnCache::prefetch(std::span<const Index> columns, int threads) {
    std::vector<Index> missing;
    {
        const std::lock_guard lock(mutex_);
        for (const Index j : columns) {
            slots_[static_cast<std::size_t>(j)].used = ++time_;
            if (!slots_[static_cast<std::size_t>(j)].column) missing.push_back(j);
        }
    }
    for (std::size_t first = 0; first < missing.size(); first += together) {
        const auto some =
            std::span(missing).subspan(first, std::min(together, missing.size() - first));
        std::vector<std::shared_ptr<double[]>> made;
        std::vector<double *> out;
        for (std::size_t k = 0; k < some.size(); ++k) {
            made.push_back(make_room(false));
            if (!made.back()) return; // no room: they will be made when they are needed
            out.push_back(made.back().get());
        }
        fill(some, out, threads);
        const std::lock_guard lock(mutex_);
        for (std::size_t k = 0; k < some.size(); ++k) {
            Slot &slot = slots_[static_cast<std::size_t>(some[k])];
            if (slot.column) continue;
            slot.column = std::move(made[k]);
            ++held_;
        }
    }
}

/// An unfilled column, for which others are forgotten where that is needed. Null if there is no
/// room for one that could be done without.
std::shared_ptr<double[]> ColumnCache::make_room(bool needed) {
    const double bytes = column_bytes();
    {
        const std::lock_guard lock(mutex_);
        const auto most = std::max<std::size_t>(2, static_cast<std::size_t>(capacity_ / bytes));
        if (held_ >= most) forget(std::max<std::size_t>(1, held_ / 8));
    }
    while (!memory_.try_take(bytes)) {
        const std::lock_guard lock(mutex_);
        if (held_ > 0) {
            forget(std::max<std::size_t>(1, held_ / 2));
            continue;
        }
        if (!needed) return nullptr;
        memory_.take(bytes, fmt::format("one more column of the kernel matrix of {} rows", rows()));
        break;
    }
    const auto free = [&memory = memory_, bytes](const double *values) {
        delete[] values;
        memory.give_back(bytes);
    };
    return {new double[static_cast<std::size_t>(rows())], free};
}

/// Lets go of so many columns, those that were not used for longest.
void ColumnCache::forget(std::size_t count) {
    std::vector<std::pair<long, std::size_t>> by_age;
    for (std::size_t j = 0; j < slots_.size(); ++j)
        if (slots_[j].column) by_age.emplace_back(slots_[j].used, j);
    count = std::min(count, by_age.size());
    std::nth_element(by_age.begin(), by_age.begin() + static_cast<std::ptrdiff_t>(count),
                     by_age.end());
    for (std::size_t k = 0; k < count; ++k) slots_[by_age[k].second].column.reset();
    held_ -= count;
}

void ColumnCache::fill(std::span<const Index> columns, std::span<double *const> out, int threads) {
    const auto begin = std::chrono::steady_clock::now();
    const Index m = rows(), width = static_cast<Index>(columns.size());
    if (width == 1) {
        gram_.block(all_rows_, columns, threads, out[0]);
    } else {
        for_each_tile((m + piece - 1) / piece, m * width < few_values ? 1 : threads, [&] {
            return [&, values = Matrix(std::min(m, piece), width)](Index t) mutable {
                const Index first = t * piece, height = std::min(piece, m - first);
                const auto some = std::span(all_rows_).subspan(static_cast<std::size_t>(first),
                                                               static_cast<std::size_t>(height));
                gram_.block(some, columns, 1, values.data());
                for (Index k = 0; k < width; ++k)
                    std::copy_n(values.data() + k * height, height,
                                out[static_cast<std::size_t>(k)] + first);
            };
        });
    }
    count(static_cast<long>(columns.size()),
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

void ColumnCache::count(long columns, double seconds) {
    made_ += columns;
    seconds_ += seconds;
    if (whole_ != nullptr) whole_->count(columns, seconds);
}

} // namespace hinge0
