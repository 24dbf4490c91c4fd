/// Columns of K on demand.
#include "gram/columns/column_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"

namespace hinge0 {

ColumnStore::ColumnStore(Gram &gram, double memory_limit)
    : gram_(gram), memory_limit_(memory_limit), diagonal_(gram.size()),
      columns_(static_cast<std::size_t>(gram.size())),
      ready_(static_cast<std::size_t>(gram.size())) {
    gram_.diagonal(diagonal_);
}

const double *ColumnStore::column(Index j) {
    const double *const ready = ready_[static_cast<std::size_t>(j)].load(std::memory_order_acquire);
    return ready != nullptr ? ready : fetch(j);
}

const double *ColumnStore::fetch(Index j) {
    const std::lock_guard lock(fetching_);
    auto &column = columns_[static_cast<std::size_t>(j)];
    if (column) return column.get(); // another thread was quicker
    if (held_ == room_) make_room();
    column.reset(new double[static_cast<std::size_t>(rows())]); // filled by the next line
    gram_.column(j, Eigen::Map<Vector>(column.get(), rows()));
    ready_[static_cast<std::size_t>(j)].store(column.get(), std::memory_order_release);
    ++held_;
    return column.get();
}

void ColumnStore::trim(double bytes) {
    if (static_cast<double>(held_ * rows()) * sizeof(double) <= bytes) return;
    for (auto &ready : ready_) ready.store(nullptr, std::memory_order_relaxed);
    for (auto &column : columns_) column.reset();
    held_ = room_ = 0;
}

/// Asks for as many columns again as there are, so that the question stays rare.
void ColumnStore::make_room() {
    const Index more = std::min(std::max<Index>(held_, 64), rows() - held_);
    const double each = static_cast<double>(rows()) * sizeof(double);
    const double taken = memory_limit_ > 0 ? static_cast<double>(held_) * each : 0.0;
    require_memory(
        taken + static_cast<double>(more) * each, memory_limit_,
        fmt::format("holding {} columns of the kernel matrix of {} rows", held_ + more, rows()),
        "train on fewer rows, or on a machine with more memory");
    room_ = held_ + more;
}

} // namespace hinge0
