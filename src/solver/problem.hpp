#pragma once
/// What one solve works on: the rows that take part, groups of equal ones as one row with the price
/// of all; and the way back from there to all rows.
#include <optional>

#include "data/condense.hpp"
#include "hinge0/settings.hpp"
#include "hinge0/solver.hpp"

namespace hinge0 {

class Problem {
public:
    /// Throws InvalidInput if a class has no row, or `start` does not fit.
    Problem(const Samples &samples, const Vector &signs, const Objective &objective, bool merge,
            const std::optional<Vector> &start);

    /// Which rows stand for all, in the order of what follows.
    [[nodiscard]] const std::vector<Index> &rows() const noexcept { return condensed_.rows; }
    /// Every row stands for itself.
    [[nodiscard]] bool is_all() const noexcept { return !condensed_.changed; }
    [[nodiscard]] const Vector &y() const noexcept { return y_; }
    [[nodiscard]] const Vector &prices() const noexcept { return prices_; }
    [[nodiscard]] const std::optional<Vector> &start() const noexcept { return start_; }

    /// Brings a solution of the problem to all rows and fills in what follows from it. `decisions`:
    /// K c of the rows that stand for all; `largest`: the largest kernel value.
    void finish(const Vector &decisions, double largest, Solution &solution) const;

private:
    [[nodiscard]] Vector dealt_out(const Vector &coefficients) const;
    void sum_up(const Vector &y, const Vector &prices, const Vector &c, const Vector &values,
                double largest, Solution &solution) const;

    const Vector &signs_;
    const Objective &objective_;
    Condensed condensed_;
    Vector y_, prices_;
    std::optional<Vector> start_;
};

/// The class for which its weight speaks so loudly that one row of it costs more than all rows of
/// the other: whoever set it wants that class always. 0: there is none.
[[nodiscard]] double class_that_outweighs(const Vector &signs, const Objective &objective);

} // namespace hinge0
