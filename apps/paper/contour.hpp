#pragma once
/// Level lines and regions of a function known on a regular grid (marching squares).
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0::paper {

struct Point {
    double x = 0, y = 0;
};
using Polyline = std::vector<Point>;

/// Values at (x0 + i dx, y0 + j dy), stored as values(j, i).
struct Field {
    double x0 = 0, y0 = 0, dx = 1, dy = 1;
    DenseRows values;

    [[nodiscard]] Point at(Index i, Index j) const {
        return {x0 + static_cast<double>(i) * dx, y0 + static_cast<double>(j) * dy};
    }
};

/// The lines on which the field is `level`, joined end to end; a closed line repeats its first
/// point.
[[nodiscard]] std::vector<Polyline> level_lines(const Field &field, double level);
/// Polygons, all turning the same way and touching without overlap, that fill where the field is
/// above `level`.
[[nodiscard]] std::vector<Polyline> region_above(const Field &field, double level);

} // namespace hinge0::paper
