#pragma once
/// Moves between local minima, and what F is predicted to do in each; formulas in docs/exact.md.
#include <vector>

#include "solver/tableau.hpp"

namespace hinge0 {

/// Gives up a support vector, takes back a violator, or both (a swap); -1 for none.
struct Move {
    double change; ///< of F, predicted or exact
    Index drop = -1, take = -1;
};
/// The order in which moves are tried.
[[nodiscard]] bool is_better(const Move &a, const Move &b);

struct Predictions {
    std::vector<Move> moves;      ///< all single ones, best first
    std::vector<Index> violators; ///< the samples that can be taken back,
    Vector rates;                 ///< and how their margins grow with their multipliers: s_j
};
[[nodiscard]] Predictions predict_moves(const ActiveSet &state, const Vector &prices,
                                        const Flags &kept);
/// The same from the columns of a tableau.
[[nodiscard]] Predictions predict_moves(Tableau &tableau, const Vector &prices);

/// The best few swaps among those that are predicted to pay.
class BestSwaps {
public:
    BestSwaps(std::size_t most, const Predictions &singles) : most_(most), singles_(singles) {}
    /// Considers all swaps that give up this member.
    void consider(Tableau &tableau, const Vector &prices, Index member);
    /// Best first.
    [[nodiscard]] std::vector<Move> sorted() const;

private:
    void remember(const Move &swap);

    std::size_t most_;
    const Predictions &singles_;
    std::vector<Move> swaps_; ///< a heap with the worst on top
};

} // namespace hinge0
