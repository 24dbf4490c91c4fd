#pragma once
/// The dual of the hinge SVM (docs/math.md), solved by SMO: pair by pair over all rows where these
/// are few, within blocks of rows where they are many.
#include <span>
#include <vector>

#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"

namespace hinge0 {

/// The dual with bounds `prices`, at some feasible point.
class HingeDual {
public:
    HingeDual(Vector y, Vector prices);

    /// Moves pairs, `most` at most, until the worst violates the optimality conditions by less than
    /// eps; returns how many. The result does not depend on the threads.
    long solve(ColumnCache &columns, double eps, long most, int threads, Watch &watch);
    long solve_by_pairs(ColumnCache &columns, double eps, long most, Watch &watch);
    long solve_by_blocks(ColumnCache &columns, double eps, long most, int threads, Watch &watch);
    /// Twice the prices. Where most multipliers are at their bounds all are doubled, so that these
    /// stay there; otherwise most would be right as they are.
    void double_prices();
    /// More variables, at 0, whose rows have the sums K (y alpha) with the others.
    void add_rows(const Vector &y, const Vector &prices, const Vector &sums);
    /// Only these variables; the others must be 0.
    void keep_rows(std::span<const Index> rows);
    [[nodiscard]] bool is_of(const Vector &y, const Vector &prices) const {
        return y_ == y && prices_ == prices;
    }
    [[nodiscard]] const Vector &alpha() const noexcept { return alpha_; }
    /// y alpha
    [[nodiscard]] Vector weights() const { return y_.cwiseProduct(alpha_); }
    [[nodiscard]] double bias() const noexcept { return b_; }
    /// How much the worst pair violates the optimality conditions.
    [[nodiscard]] double gap() const;
    /// K (y alpha)
    [[nodiscard]] Vector sums() const { return fall_ + y_; }
    /// y_i h(x_i)
    [[nodiscard]] Vector margins() const;

private:
    /// How far y alpha is from optimal: by high - low.
    struct Gap {
        double low, high;
    };
    [[nodiscard]] Gap measured_gap() const;
    Gap measure_gap();
    template <class GetColumn>
    long move_pairs(const GetColumn &column, const Vector &diagonal, double eps, long most,
                    Watch &watch);
    [[nodiscard]] std::vector<Index> next_block(std::span<const Index> last, Index size) const;
    long move_within(std::span<const Index> block, std::span<const Column> columns, double eps,
                     long most, int threads, Watch &watch);
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

} // namespace hinge0
