#pragma once
/// Quick solutions of the hinge SVM (docs/math.md), by SMO: what they get right is a good first
/// kept set.
#include <list>
#include <mutex>

#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"

namespace hinge0 {

/// The dual of the hinge SVM with bounds `prices`, at some feasible point.
class HingeDual {
public:
    HingeDual(Vector y, Vector prices);

    /// Moves pairs, `most` at most, until the worst violates the optimality conditions by less than
    /// eps.
    void solve(ColumnCache &columns, double eps, long most, Watch &watch);
    /// Twice the prices. Where most multipliers are at their bounds all are doubled, so that these
    /// stay there; otherwise most would be right as they are.
    void double_prices();
    [[nodiscard]] bool is_of(const Vector &y, const Vector &prices) const {
        return y_ == y && prices_ == prices;
    }
    /// y_i h(x_i)
    [[nodiscard]] Vector margins() const;

private:
    void set(Index t, double value);
    [[nodiscard]] double room_above(Index t) const {
        return y_(t) > 0 ? prices_(t) - alpha_(t) : alpha_(t);
    }
    [[nodiscard]] double room_below(Index t) const {
        return y_(t) > 0 ? alpha_(t) : prices_(t) - alpha_(t);
    }
    void move(Index t, double step, bool to_bound);

    Vector y_, prices_, alpha_;
    Vector no_rise_, no_fall_; ///< infinity for those whose y alpha may not rise (fall), else 0
    Vector fall_;              ///< K (y alpha) - y: falls where y alpha should rise
    double b_ = 0;
};

/// y_i h(x_i) of the hinge SVM with these prices.
[[nodiscard]] Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices,
                                   double eps, Watch &watch);

/// Hinge solutions for rising prices, each from the one for half the prices. The path that leads to
/// a solution does not depend on what was asked before: what is remembered saves time and changes
/// no bit.
class HingePath {
public:
    /// As hinge_margins, by the path.
    [[nodiscard]] Vector margins(ColumnCache &columns, const Vector &y, const Vector &prices,
                                 double eps, Watch &watch);

private:
    [[nodiscard]] std::list<HingeDual> recall(const Vector &y, const Vector &prices);
    void remember(std::list<HingeDual> solution);

    std::mutex mutex_;
    std::list<HingeDual> lately_; ///< the last one first
};

} // namespace hinge0
