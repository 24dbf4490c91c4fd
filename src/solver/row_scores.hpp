#pragma once
/// What a pass over a block of rows sums up, and how blocks are put together: in their order, so
/// that the bits depend on the blocks alone, not on who computes them.
#include "solver/margins.hpp"
#include "solver/rows.hpp"

namespace hinge0 {

/// A kept row that was wanted.
struct Candidate {
    double margin;
    Index row;
};

/// So many, of the smallest margins.
void keep_smallest(std::vector<Candidate> &rows, Index most);

struct BlockScore {
    double missed_prices = 0;
    Index violators = 0;
    std::vector<Candidate> found[2]{}; ///< of class -1 and +1, at most so many of each as wanted
};

/// Of rows with these numbers, margins and kept flags; `numbers` rise.
[[nodiscard]] BlockScore score_block(std::span<const Index> numbers, const Vector &margins,
                                     const Vector &y, const Vector &prices, const Flags &kept,
                                     const Wanted &wanted);
[[nodiscard]] Score joined(std::span<BlockScore> blocks, Index most_of_each);

} // namespace hinge0
