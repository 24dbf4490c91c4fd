#pragma once
/// What a move leads to, found in the tableau of the state it starts from: the same steps as
/// ActiveSet's at O(m k) each, k being the number of samples that have changed sides so far.
#include "solver/moves.hpp"
#include "solver/pivot_block.hpp"
#include "solver/tableau.hpp"

namespace hinge0 {

class Trial {
public:
    Trial(Tableau &tableau, const Vector &prices);

    /// Whether a trial ends once |w|^2/2, which only rises on its way, and the prices of those not
    /// kept that miss their margin by then reach the bound. They might meet it later: only a trial
    /// to the end shows that a move does not pay.
    enum class End : char { early, proven };
    /// F after the move; infinity if the trial ended because it is not below the bound. Minus
    /// infinity if only the active set can tell: too many changes, or a sample that cannot be kept.
    [[nodiscard]] double objective_after(const Move &move, double bound, End end);
    /// Multiplications done so far, about.
    [[nodiscard]] double work() const noexcept { return work_; }

private:
    enum class Outcome : char { done, too_much, unknown };

    void reset(const Move &move, End end);
    [[nodiscard]] bool jump(double bound, double &found);
    [[nodiscard]] bool drop_negative();
    [[nodiscard]] bool change_all();
    void list_violated();
    [[nodiscard]] Outcome shift(Index at, double sign, double bound, End end);
    /// Returns the rate of the sample's own output, or of its input if it is a pivot.
    [[nodiscard]] double find_direction(Index at, double sign, Index pivot);
    [[nodiscard]] Index blocking_position(double &step, Index except) const;
    void advance(double step);
    void find_margins(Index first, Index end);
    [[nodiscard]] bool change_sides(Index at);
    [[nodiscard]] Index most_violated();
    [[nodiscard]] double half_norm_squared() const;
    [[nodiscard]] double price() const;
    [[nodiscard]] bool is_member(Index at) const noexcept { return at < tableau_.members(); }
    [[nodiscard]] double least(double half_norm, End end) const {
        return end == End::early ? half_norm + price() : half_norm;
    }

    Tableau &tableau_;
    Vector prices_; ///< by position, as everything here
    Index drop_ = -1, take_ = -1;
    PivotBlock pivots_;  ///< those that have changed sides since the tableau was made
    Vector inputs_;      ///< of the pivots. Dropped members: margin less 1; added ones: multiplier
    Vector input_rates_; ///< how they move in the current direction
    Vector outputs_, rates_;
    Index followed_ = 0; ///< the first rows, whose outputs every step updates
    Vector in_force_;    ///< 1 for members, 0 for those that were dropped
    Vector hindrance_;   ///< after the movable: 0 for samples that may enter, infinity for others
    std::vector<Index> below_;            ///< scratch for those below their margins
    std::vector<const double *> columns_; ///< of the tableau, for the pivots
    Vector weights_;
    std::vector<Index> changing_; ///< positions that are about to change sides
    int steps_ = 0;
    double work_ = 0;
};

} // namespace hinge0
