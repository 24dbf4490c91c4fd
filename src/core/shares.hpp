#pragma once
/// Which member of a team of threads does which task.
#include <atomic>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// Tasks 0 <= k < count, dealt out to the members of a team in turn: a task is the same member's in
/// every round, and what it works on may still be in the cache of that core. Who has none left
/// takes those of others.
class Shares {
public:
    Shares(Index count, std::size_t members) : count_(count), taken_(members) {}

    /// The member's next task; -1 if there are no more.
    [[nodiscard]] Index next(std::size_t member) {
        const std::size_t members = taken_.size();
        for (std::size_t turn = 0; turn < members; ++turn) {
            const std::size_t whose = (member + turn) % members;
            const auto task = static_cast<Index>(whose + members * taken_[whose].count++);
            if (task < count_) return task;
        }
        return -1;
    }

private:
    struct alignas(64) Taken { // counters of two members do not share a line of the cache
        std::atomic<std::size_t> count{};
    };
    Index count_;
    std::vector<Taken> taken_;
};

} // namespace hinge0
