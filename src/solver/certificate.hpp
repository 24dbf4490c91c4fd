#pragma once
/// The numbers of a report that follow from a classifier alone: objective, counts, certificate.
#include <limits>

#include "hinge0/loss.hpp"
#include "hinge0/report.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// What a report says of rows that are no support vectors: sums, so that rows in several places
/// can be summed up where they are.
struct Others {
    Index rows = 0;
    Index violators = 0, right = 0;
    double missed_prices = 0;
    double class_prices[2] = {0, 0};
    double squared_slacks = 0;  ///< |u|^2
    double squared_offsets = 0; ///< |u - deficit|^2
    double worst_offset = 0;
    double gamma = std::numeric_limits<double>::infinity(); ///< least u_i^2 / (2 C_i) of violators
    double largest = 0;                                     ///< kernel value

    void add(const Others &more);
};
/// Of rows with these values of h, under the l0 loss.
[[nodiscard]] Others others_of(const Vector &y, const Vector &prices, const Vector &h);

/// Fills objective .. certificate of `report` for h = Kc + b on these rows and `others`, which are
/// of the l0 loss alone. `largest`: the largest kernel value, which tells how far rounding can take
/// Kc.
void evaluate(const Vector &y, const Vector &prices, const Loss &loss, const Vector &c,
              const Vector &Kc, double b, double largest, Report &report,
              const Others &others = {});

} // namespace hinge0
