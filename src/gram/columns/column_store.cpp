/// Columns of K, one after the other in one block.
#include "gram/columns/column_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/blas.hpp"
#include "core/memory.hpp"

namespace hinge0 {

ColumnStore::ColumnStore(Gram &gram, double memory_limit)
    : gram_(gram), memory_limit_(memory_limit), diagonal_(gram.size()),
      slot_of_(static_cast<std::size_t>(gram.size()), -1) {
    gram_.diagonal(diagonal_);
}

Index ColumnStore::slot(Index j) {
    Index &slot = slot_of_[static_cast<std::size_t>(j)];
    if (slot >= 0) return slot;
    const auto needed = static_cast<std::size_t>((held_ + 1) * rows());
    if (data_.capacity() < needed) {
        const std::size_t wanted = std::max(2 * needed, static_cast<std::size_t>(64 * rows()));
        require_memory(static_cast<double>(wanted) * sizeof(double), memory_limit_,
                       fmt::format("{} columns of the kernel matrix", 2 * (held_ + 1)),
                       "train on fewer rows, or with a smaller C");
        data_.reserve(wanted);
    }
    data_.resize(needed);
    slot = held_++;
    sample_of_.push_back(j);
    gram_.column(j, Eigen::Map<Vector>(data_.data() + slot * rows(), rows()));
    return slot;
}

void ColumnStore::combine(const Vector &weights, double *out) const {
    blas::multiply(1.0, {data_.data(), rows(), held_, rows()}, weights.data(), 0.0, out);
}

void ColumnStore::keep_only(const std::vector<Index> &samples) {
    std::vector<double> kept;
    kept.reserve(samples.size() * 2 * static_cast<std::size_t>(rows()));
    for (const Index j : samples) {
        const double *const begin = column(slot(j));
        kept.insert(kept.end(), begin, begin + rows());
    }
    std::fill(slot_of_.begin(), slot_of_.end(), Index{-1});
    sample_of_ = samples;
    held_ = static_cast<Index>(samples.size());
    for (Index s = 0; s < held_; ++s)
        slot_of_[static_cast<std::size_t>(samples[static_cast<std::size_t>(s)])] = s;
    data_ = std::move(kept);
}

} // namespace hinge0
