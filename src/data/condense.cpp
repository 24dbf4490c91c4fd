/// Sorting rows, grouping equal ones, and picking rows.
#include "data/condense.hpp"

#include <algorithm>
#include <numeric>

#include "core/picked_rows.hpp"

namespace hinge0 {
namespace {

/// -1, 0 or 1 as row i comes before, equals or comes after row j, feature by feature.
int compare_rows(const DenseRows &rows, Index i, Index j) {
    for (Index f = 0; f < rows.cols(); ++f)
        if (rows(i, f) != rows(j, f)) return rows(i, f) < rows(j, f) ? -1 : 1;
    return 0;
}

/// A stored zero equals a missing one.
int compare_rows(const SparseRows &rows, Index i, Index j) {
    SparseRows::InnerIterator a(rows, i), z(rows, j);
    const auto skip_zeros = [](SparseRows::InnerIterator &it) {
        while (it && it.value() == 0.0) ++it;
    };
    for (;; ++a, ++z) {
        skip_zeros(a);
        skip_zeros(z);
        if (!a && !z) return 0;
        const bool left = !z || (a && a.index() <= z.index());
        const bool right = !a || (z && z.index() <= a.index());
        const double x = left ? a.value() : 0.0, w = right ? z.value() : 0.0;
        if (x != w) return x < w ? -1 : 1;
    }
}

double first_feature(const DenseRows &rows, Index i) { return rows.cols() > 0 ? rows(i, 0) : 0.0; }
double first_feature(const SparseRows &rows, Index i) {
    const SparseRows::InnerIterator it(rows, i);
    return it && it.index() == 0 ? it.value() : 0.0;
}

SparseRows pick(const SparseRows &samples, const std::vector<Index> &rows) {
    return picked_rows(samples, rows);
}
DenseRows pick(const DenseRows &samples, const std::vector<Index> &rows) {
    return samples(rows, Eigen::all);
}

/// Groups of single rows, in the order in which they were given.
Condensed without_merging(std::vector<Index> rows, const Vector &weight, Index count) {
    Condensed result;
    result.changed = static_cast<Index>(rows.size()) != count;
    result.group.assign(static_cast<std::size_t>(count), -1);
    result.weight = Vector::Ones(static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        result.group[static_cast<std::size_t>(rows[k])] = static_cast<Index>(k);
        if (weight.size() > 0) result.weight(static_cast<Index>(k)) = weight(rows[k]);
    }
    result.rows = std::move(rows);
    return result;
}

} // namespace

Condensed condense(const Samples &samples, const Vector &signs, const Vector &weight, bool merge) {
    const auto weight_of = [&](Index i) { return weight.size() > 0 ? weight(i) : 1.0; };
    std::vector<Index> present;
    for (Index i = 0; i < signs.size(); ++i)
        if (weight_of(i) > 0 && signs(i) != 0) present.push_back(i);
    if (!merge) return without_merging(std::move(present), weight, signs.size());

    const auto compare = [&](Index i, Index j) {
        if (signs(i) != signs(j)) return signs(i) < signs(j) ? -1 : 1;
        return std::visit([&](const auto &rows) { return compare_rows(rows, i, j); }, samples);
    };
    // Most rows are told apart by what stands beside their number here, without a look at them.
    struct Place {
        double sign, first;
        Index row;
    };
    std::vector<Place> order(present.size());
    std::ranges::transform(present, order.begin(), [&](Index i) {
        const auto first = [&](const auto &rows) { return first_feature(rows, i); };
        return Place{signs(i), std::visit(first, samples), i};
    });
    std::ranges::sort(order, [&](const Place &a, const Place &z) {
        if (a.sign != z.sign) return a.sign < z.sign;
        if (a.first != z.first) return a.first < z.first;
        if (const int sign = compare(a.row, z.row); sign != 0) return sign < 0;
        // equal rows by weight, so that the sum of their weights does not depend on their order
        const double left = weight_of(a.row), right = weight_of(z.row);
        return left != right ? left < right : a.row < z.row;
    });
    Condensed result;
    result.group.assign(static_cast<std::size_t>(signs.size()), -1);
    std::vector<double> sums;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Index row = order[k].row;
        const bool differs =
            k == 0 || order[k - 1].first != order[k].first || compare(order[k - 1].row, row) != 0;
        if (differs) {
            result.rows.push_back(row);
            sums.push_back(0);
        }
        result.rows.back() = std::min(result.rows.back(), row);
        result.group[static_cast<std::size_t>(row)] = static_cast<Index>(result.rows.size()) - 1;
        sums.back() += weight_of(row);
    }
    const bool all_ones = std::ranges::all_of(sums, [](double w) { return w == 1.0; });
    if (all_ones && result.rows.size() == present.size())
        return without_merging(std::move(present), weight, signs.size());
    result.changed = true;
    result.weight = Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
    return result;
}

Samples chosen_rows(const Samples &samples, const std::vector<Index> &rows) {
    return std::visit([&](const auto &all) { return Samples(pick(all, rows)); }, samples);
}

Samples chosen_block(const Samples &kernel_matrix, const std::vector<Index> &rows) {
    if (const auto *const dense = std::get_if<DenseRows>(&kernel_matrix))
        return DenseRows((*dense)(rows, rows));
    // the columns of a symmetric matrix are its rows
    const SparseRows half = pick(std::get<SparseRows>(kernel_matrix), rows);
    const SparseRows turned = half.transpose();
    return SparseRows(SparseRows(pick(turned, rows)).transpose());
}

} // namespace hinge0
