#pragma once
/// Where readers collect what they read: arrays that grow in blocks, within a budget of bytes.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/memory.hpp"

namespace hinge0 {

/// What reading one file may take.
class ReadBudget {
public:
    /// limit = 0: what the machine has available.
    ReadBudget(double limit, std::string purpose) : memory_(limit), purpose_(std::move(purpose)) {}

    /// Before they are taken. Throws OutOfMemory.
    void take(std::size_t bytes) {
        memory_.take(static_cast<double>(bytes), purpose_,
                     "use fewer rows, or a machine with more memory");
    }

private:
    MemoryBudget memory_;
    std::string purpose_;
};

/// Asks for huge pages under a large array about to be filled: half of the time of reading a large
/// file went into page faults. A hint, so that failure does not matter.
void prefer_huge_pages(void *memory, std::size_t bytes);

/// An array whose length is known only at the end. Blocks, not one vector that doubles: nothing is
/// copied on the way, and move_to() frees each block as it goes, so that the peak is the array once
/// instead of three times.
template <class T> class BlockedArray {
public:
    explicit BlockedArray(ReadBudget &budget) : budget_(&budget) {}

    void push(T value) {
        if (next_ == end_) grow();
        *next_++ = value;
    }
    [[nodiscard]] std::size_t size() const {
        return capacity_ - static_cast<std::size_t>(end_ - next_);
    }
    /// Takes the values of another array behind its own, without copying them.
    void append(BlockedArray &&other) {
        close();
        other.close();
        std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
        capacity_ += other.capacity_;
        other.clear();
    }
    /// value = change(value)
    template <class Change> void transform(const Change &change) {
        close();
        for (Block &block : blocks_)
            std::transform(block.values.get(), block.values.get() + block.size, block.values.get(),
                           change);
    }
    /// Copies all values to `out` and leaves the array empty.
    void move_to(T *out) {
        close();
        prefer_huge_pages(out, capacity_ * sizeof(T));
        for (Block &block : blocks_) {
            out = std::copy_n(block.values.get(), block.size, out);
            block.values.reset();
        }
        clear();
    }

private:
    struct Block {
        std::unique_ptr<T[]> values;
        std::size_t size;
    };

    void grow() {
        // Doubling up to four million: few blocks for large files, little waste for small ones.
        const std::size_t size = std::clamp<std::size_t>(capacity_, 256, 1 << 22);
        budget_->take(size * sizeof(T));
        blocks_.push_back({std::make_unique_for_overwrite<T[]>(size), size});
        next_ = blocks_.back().values.get();
        prefer_huge_pages(next_, size * sizeof(T));
        end_ = next_ + size;
        capacity_ += size;
    }
    /// The last block ends where its values do.
    void close() {
        const auto unused = static_cast<std::size_t>(end_ - next_);
        if (unused > 0) blocks_.back().size -= unused;
        capacity_ -= unused;
        next_ = end_ = nullptr;
    }
    void clear() {
        blocks_.clear();
        next_ = end_ = nullptr;
        capacity_ = 0;
    }

    ReadBudget *budget_;
    std::vector<Block> blocks_;
    T *next_ = nullptr, *end_ = nullptr;
    std::size_t capacity_ = 0;
};

} // namespace hinge0
