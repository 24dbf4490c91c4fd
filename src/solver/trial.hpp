#pragma once
/// What a move leads to, found in the tableau of the state it starts from: the same steps as
/// ActiveSet's at O(m k) each, k being the number of samples that have changed sides so far.
#include "core/poll.hpp"
#include "solver/moves.hpp"
#include "solver/tableau.hpp"

namespace hinge0 {

class Trial {
public:
    Trial(Tableau &tableau, const Vector &prices, const std::vector<char> &kept);

    /// F after the move. Infinity if on the way |w|^2/2, which only rises, and the prices of those
    /// not kept that miss their margin amount to `bound`. Minus infinity if only the active set
    /// can tell: too many changes, or a sample that cannot be kept.
    [[nodiscard]] double objective_after(const Move &move, double bound);
    /// Multiplications done so far, about.
    [[nodiscard]] double work() const noexcept { return work_; }

private:
    enum class Role : char { member, dropped, added, outside };
    /// A sample that has changed sides since the tableau was made.
    struct Pivot {
        Index sample;
        double input; ///< of `dropped`: its margin less 1; of `added`: its multiplier
    };
    void reset(const Move &move);
    [[nodiscard]] bool shift(Index sample, double sign);
    void find_direction(Index sample, double sign, Index position);
    [[nodiscard]] Index position_of(Index sample) const;
    [[nodiscard]] Index blocking_sample(double &step, Index except) const;
    void advance(double step);
    void change_sides(Index sample);
    [[nodiscard]] Index most_violated() const;
    [[nodiscard]] double half_norm_squared() const;
    [[nodiscard]] double price() const;
    [[nodiscard]] Role &role(Index i) { return roles_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] Role role(Index i) const { return roles_[static_cast<std::size_t>(i)]; }

    Tableau &tableau_;
    const Vector &prices_;
    const std::vector<char> &kept_before_;
    std::vector<char> kept_;
    std::vector<Index> given_up_; ///< the violators before the move
    std::vector<Role> roles_;
    std::vector<Pivot> pivots_;
    Vector outputs_, rates_;  ///< current outputs, and how they move in the current direction
    Vector inputs_, weights_; ///< rates of the pivots' inputs; those of all columns combined
    std::vector<const double *> columns_;
    double work_ = 0;
};

} // namespace hinge0
