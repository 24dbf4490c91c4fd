/// Rounds of one linear system for the free multipliers and one look at all rows.
#include "solver/exact_dual.hpp"

#include <Eigen/LU>
#include <cmath>
#include <vector>

namespace hinge0 {
namespace {

constexpr int most_rounds = 50;
/// A margin may be off by this, times the size of the multipliers where that is above 1.
constexpr double precise = 1e-11;

enum class Place : char { at_zero, free, at_price };

class Guess {
public:
    Guess(ColumnCache &columns, const Vector &y, const Vector &prices, const Vector &weights)
        : columns_(columns), y_(y), prices_(prices), places_(static_cast<std::size_t>(y.size())),
          v_(weights) {
        for (Index i = 0; i < y.size(); ++i) {
            const double alpha = y(i) * weights(i);
            place(i) =
                alpha <= 0 ? Place::at_zero : (alpha < prices(i) ? Place::free : Place::at_price);
        }
    }

    [[nodiscard]] ExactDual improve() {
        for (int round = 0; round < most_rounds && solve_free(); ++round)
            if (!change_places()) return {v_, b_, are_met()};
        return {};
    }

private:
    Place &place(Index i) { return places_[static_cast<std::size_t>(i)]; }

    /// y_i h(x_i) = 1 for the free, the others at their bounds, sum_i y_i alpha_i = 0.
    [[nodiscard]] bool solve_free() {
        std::vector<Index> free;
        for (Index i = 0; i < y_.size(); ++i) {
            if (place(i) == Place::free) free.push_back(i);
            v_(i) = place(i) == Place::at_price ? y_(i) * prices_(i) : 0.0;
        }
        if (free.empty()) return false;
        sums();
        const auto n = static_cast<Index>(free.size());
        Matrix system = Matrix::Zero(n + 1, n + 1);
        Vector right(n + 1);
        for (Index j = 0; j < n; ++j) {
            const Index row = free[static_cast<std::size_t>(j)];
            const Column column = columns_.column(row);
            for (Index i = 0; i < n; ++i) system(i, j) = column[free[static_cast<std::size_t>(i)]];
            system(n, j) = system(j, n) = 1;
            right(j) = y_(row) - s_(row);
        }
        right(n) = -v_.sum();
        const Vector solution = system.partialPivLu().solve(right);
        if (!solution.allFinite()) return false;
        v_(free) = solution.head(n);
        b_ = solution(n);
        sums();
        return true;
    }
    /// s = K v
    void sums() {
        s_ = Vector::Zero(y_.size());
        for (Index j = 0; j < y_.size(); ++j)
            if (v_(j) != 0) {
                const Column column = columns_.column(j);
                s_ += v_(j) * Eigen::Map<const Vector>(column.get(), y_.size());
            }
    }
    [[nodiscard]] double slack() const { return precise * (1.0 + v_.cwiseAbs().maxCoeff()); }
    /// Whether the free have their margins: not if the system was singular.
    [[nodiscard]] bool are_met() {
        for (Index i = 0; i < y_.size(); ++i)
            if (place(i) == Place::free && !(std::abs(y_(i) * (s_(i) + b_) - 1) <= slack()))
                return false;
        return true;
    }
    /// Who is on the wrong side of a bound, or pulls away from it. False if nobody is.
    [[nodiscard]] bool change_places() {
        bool changed = false;
        for (Index i = 0; i < y_.size(); ++i) {
            const double alpha = y_(i) * v_(i), margin = y_(i) * (s_(i) + b_);
            const Place before = place(i);
            if (before == Place::free)
                place(i) = alpha < 0            ? Place::at_zero
                           : alpha > prices_(i) ? Place::at_price
                                                : Place::free;
            else if (before == Place::at_zero ? margin < 1 - slack() : margin > 1 + slack())
                place(i) = Place::free;
            changed = changed || place(i) != before;
        }
        return changed;
    }

    ColumnCache &columns_;
    const Vector &y_, &prices_;
    std::vector<Place> places_;
    Vector v_, s_;
    double b_ = 0;
};

} // namespace

ExactDual exact_dual(ColumnCache &columns, const Vector &y, const Vector &prices,
                     const Vector &weights) {
    return Guess(columns, y, prices, weights).improve();
}

} // namespace hinge0
