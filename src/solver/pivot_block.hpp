#pragma once
/// The inverse of B over a few positions of a tableau, as these come and go; O(k^2) each.
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

class PivotBlock {
public:
    /// More changes than this are left to the active set.
    static constexpr Index most = 128;

    /// One number per pivot, without allocation.
    using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;

    PivotBlock() : inverse_(most, most) {}

    [[nodiscard]] Index size() const noexcept { return static_cast<Index>(positions_.size()); }
    [[nodiscard]] Index position(Index k) const { return positions_[static_cast<std::size_t>(k)]; }
    /// Where a position is among the pivots; -1 if it is none.
    [[nodiscard]] Index find(Index position) const;
    void clear() { positions_.clear(); }
    /// `column` is B(:, position), `row(k)` is B(position, k-th pivot). False, and nothing done, if
    /// the block is full or would be singular: B(position, position), once the other pivots are
    /// done, is rounding or not above `least`.
    [[nodiscard]] bool add(Index position, const double *column, const Row &row, double least);
    /// False, and nothing done, if what is left would be singular.
    [[nodiscard]] bool remove(Index k);
    /// out = B^-1 right, over the pivots.
    void solve(const double *right, double *out) const;
    [[nodiscard]] auto inverse_column(Index k) const { return inverse_.col(k).head(size()); }

private:
    std::vector<Index> positions_;
    Matrix inverse_;
};

} // namespace hinge0
