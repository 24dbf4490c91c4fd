/// Marching squares: each cell of the grid gives at most two segments between its edges; segments
/// that share an edge belong to the same line.
#include "contour.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

namespace hinge0::paper {
namespace {

/// An edge of the grid: from the node (i, j) to the right, or upwards.
struct Edge {
    Index i, j;
    bool up;
    // NOLINTNEXTLINE(modernize-use-nullptr): it sees the 0 to which the generated <=> compares
    auto operator<=>(const Edge &) const = default;
};
using Segment = std::pair<Edge, Edge>;

Point crossing(const Field &field, const Edge &edge, double level) {
    const double a = field.values(edge.j, edge.i);
    const double z = edge.up ? field.values(edge.j + 1, edge.i) : field.values(edge.j, edge.i + 1);
    const double share = (level - a) / (z - a);
    const Point p = field.at(edge.i, edge.j);
    return edge.up ? Point{p.x, p.y + share * field.dy} : Point{p.x + share * field.dx, p.y};
}

/// The four corners of a cell, anticlockwise, and the edge that follows each.
struct CellRing {
    std::array<Point, 4> corner;
    std::array<double, 4> value;
    std::array<Edge, 4> edge;
};
CellRing ring(const Field &f, Index i, Index j) {
    return {{f.at(i, j), f.at(i + 1, j), f.at(i + 1, j + 1), f.at(i, j + 1)},
            {f.values(j, i), f.values(j, i + 1), f.values(j + 1, i + 1), f.values(j + 1, i)},
            {Edge{i, j, false}, Edge{i + 1, j, true}, Edge{i, j + 1, false}, Edge{i, j, true}}};
}

void add_segments(const CellRing &cell, double level, std::vector<Segment> &segments) {
    std::vector<Edge> crossed;
    for (std::size_t k = 0; k < 4; ++k)
        if ((cell.value[k] > level) != (cell.value[(k + 1) % 4] > level))
            crossed.push_back(cell.edge[k]);
    if (crossed.size() == 2) segments.emplace_back(crossed[0], crossed[1]);
    if (crossed.size() != 4) return;
    // a saddle: the mean tells whether the corners above the level are joined through the middle
    const double mean = 0.25 * (cell.value[0] + cell.value[1] + cell.value[2] + cell.value[3]);
    const bool joined = (mean > level) == (cell.value[0] > level);
    const std::size_t shift = joined ? 0 : 1;
    segments.emplace_back(crossed[shift], crossed[shift + 1]);
    segments.emplace_back(crossed[(shift + 2) % 4], crossed[(shift + 3) % 4]);
}

std::vector<Segment> all_segments(const Field &field, double level) {
    std::vector<Segment> segments;
    for (Index j = 0; j + 1 < field.values.rows(); ++j)
        for (Index i = 0; i + 1 < field.values.cols(); ++i)
            add_segments(ring(field, i, j), level, segments);
    return segments;
}

/// Follows segments from `start` until the line ends or closes; used segments are removed.
Polyline follow(std::multimap<Edge, Edge> &next, Edge start, const Field &field, double level) {
    Polyline line{crossing(field, start, level)};
    for (auto step = next.find(start); step != next.end(); step = next.find(start)) {
        const Edge to = step->second;
        next.erase(step);
        const auto [low, high] = next.equal_range(to);
        for (auto back = low; back != high; ++back)
            if (back->second == start) {
                next.erase(back);
                break;
            }
        line.push_back(crossing(field, to, level));
        start = to;
    }
    return line;
}

} // namespace

std::vector<Polyline> level_lines(const Field &field, double level) {
    std::multimap<Edge, Edge> next; // every segment both ways
    for (const auto &[a, z] : all_segments(field, level)) {
        next.emplace(a, z);
        next.emplace(z, a);
    }
    std::set<Edge> ends;
    for (const auto &[edge, unused] : next)
        if (next.count(edge) == 1) ends.insert(edge);
    std::vector<Polyline> lines;
    for (const Edge &edge : ends)
        if (next.contains(edge)) lines.push_back(follow(next, edge, field, level));
    while (!next.empty()) lines.push_back(follow(next, next.begin()->first, field, level));
    return lines;
}

std::vector<Polyline> region_above(const Field &field, double level) {
    std::vector<Polyline> polygons;
    for (Index j = 0; j + 1 < field.values.rows(); ++j) {
        bool open = false; // the last polygon is a run of whole cells that may grow
        for (Index i = 0; i + 1 < field.values.cols(); ++i) {
            const CellRing cell = ring(field, i, j);
            Polyline polygon;
            for (std::size_t k = 0; k < 4; ++k) {
                const bool here = cell.value[k] > level, there = cell.value[(k + 1) % 4] > level;
                if (here) polygon.push_back(cell.corner[k]);
                if (here != there) polygon.push_back(crossing(field, cell.edge[k], level));
            }
            const bool whole = polygon.size() == 4 && cell.value[0] > level &&
                               cell.value[1] > level && cell.value[2] > level &&
                               cell.value[3] > level;
            if (whole && open) {
                polygons.back()[1] = cell.corner[1];
                polygons.back()[2] = cell.corner[2];
            } else if (!polygon.empty()) {
                polygons.push_back(std::move(polygon));
            }
            open = whole;
        }
    }
    return polygons;
}

} // namespace hinge0::paper
