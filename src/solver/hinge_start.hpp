#pragma once
/// Quick solutions of the hinge SVM: what they get right is a good first kept set.
#include <list>
#include <mutex>

#include "solver/hinge_dual.hpp"

namespace hinge0 {

/// Pairs that one solution on a path may move: the same for every point, and few, since at prices
/// of 1e14 there are fifty, hard ones among them.
[[nodiscard]] inline long pairs_on_a_path(Index rows) { return 10L * rows + 10'000; }

/// The hinge SVM by rising prices: most multipliers are at their bounds long before these are
/// reached. Stopped on the way it is a feasible point. Adds the pairs that were moved to `steps`.
[[nodiscard]] HingeDual hinge_by_rising_prices(ColumnCache &columns, const Vector &y,
                                               const Vector &prices, double eps, int threads,
                                               Watch &watch, long &steps);

/// y_i h(x_i) of the hinge SVM with these prices.
[[nodiscard]] Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices,
                                   double eps, int threads, Watch &watch);

/// What a hinge SVM says of its rows.
struct HingePoint {
    Vector margins; ///< y_i h(x_i)
    Vector alpha;   ///< the multipliers
};

/// Hinge solutions for rising prices, each from the one for half the prices. The path that leads to
/// a solution does not depend on what was asked before: what is remembered saves time and changes
/// no bit.
class HingePath {
public:
    [[nodiscard]] HingePoint point(ColumnCache &columns, const Vector &y, const Vector &prices,
                                   double eps, int threads, Watch &watch);

private:
    [[nodiscard]] std::list<HingeDual> recall(const Vector &y, const Vector &prices);
    void remember(std::list<HingeDual> solution);

    std::mutex mutex_;
    std::list<HingeDual> lately_; ///< the last one first
};

} // namespace hinge0
