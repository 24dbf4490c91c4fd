/// Prepares samples for kernel evaluation, dense or sparse.
#include "gram/row_set.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/picked_rows.hpp"
#include "gram/loops/loops.hpp"

namespace hinge0 {
namespace {

bool is_precomputed(const Kernel &kernel) {
    return std::holds_alternative<PrecomputedKernel>(kernel);
}

/// Calls visit(feature, value) for the stored values of one row.
template <class Visit> void for_each_value(const DenseRows &rows, Index row, const Visit &visit) {
    for (Index f = 0; f < rows.cols(); ++f) visit(static_cast<int>(f), rows(row, f));
}
template <class Visit> void for_each_value(const SparseRows &rows, Index row, const Visit &visit) {
    for (SparseRows::InnerIterator it(rows, row); it; ++it)
        visit(static_cast<int>(it.col()), it.value());
}

/// Finds places of rising features among the used ones in one walk.
class PlaceFinder {
public:
    explicit PlaceFinder(const std::vector<int> &used) : used_(used), next_(used.begin()) {}
    /// The place of `feature`, -1 if it was dropped.
    Index operator()(int feature) {
        next_ = std::lower_bound(next_, used_.end(), feature);
        return next_ != used_.end() && *next_ == feature ? next_ - used_.begin() : -1;
    }

private:
    const std::vector<int> &used_;
    std::vector<int>::const_iterator next_;
};

/// Where value f of row i is in panels of this width.
std::size_t place_in_panels(Index i, Index f, Index width) {
    return static_cast<std::size_t>((i / panel_rows * width + f) * panel_rows + i % panel_rows);
}

std::size_t panel_values(Index count, Index width) {
    return static_cast<std::size_t>((count + panel_rows - 1) / panel_rows * panel_rows * width);
}

void arrange_by_feature(RightRows &right, Index width) {
    right.stride = right.count() + panel_rows;
    right.by_feature.assign(static_cast<std::size_t>(right.stride * width), 0.0);
    for (Index k = 0; k < right.count(); ++k)
        for (Index f = 0; f < width; ++f)
            right.by_feature[static_cast<std::size_t>(f * right.stride + k)] =
                right.dense[static_cast<std::size_t>(k * width + f)];
}

/// Sparse products are worth it from so many features on, and up to this share of values.
constexpr Index many_features = 32;
constexpr double few_values = 0.25;

/// Features that some row has, in order.
std::vector<int> used_features(const SparseRows &rows) {
    std::vector<int> used(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros());
    if (rows.cols() > rows.nonZeros()) { // flags of all would take longer
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        return used;
    }
    std::vector<char> is_used(static_cast<std::size_t>(rows.cols()), 0);
    for (const int feature : used) is_used[static_cast<std::size_t>(feature)] = 1;
    used.clear();
    for (std::size_t feature = 0; feature < is_used.size(); ++feature)
        if (is_used[feature] != 0) used.push_back(static_cast<int>(feature));
    return used;
}

/// Whether few values are not 0, and the rows' spread is not small beside their distance from 0: a
/// distance would lose digits.
bool suits_sparse_products(const Samples &samples, Index width) {
    Vector mean = Vector::Zero(feature_count(samples));
    double squares = 0, values = 0;
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < rows.rows(); ++i)
                for_each_value(rows, i, [&](int feature, double value) {
                    mean(feature) += value;
                    squares += value * value;
                    values += value != 0 ? 1 : 0;
                });
        },
        samples);
    const auto count = static_cast<double>(std::max<Index>(1, row_count(samples)));
    return values <= few_values * count * static_cast<double>(width) &&
           (mean / count).squaredNorm() <= 0.9 * squares / count; // false for NaN
}

} // namespace

double RowSet::bytes() const {
    return 8.0 * static_cast<double>(panels.size() + static_cast<std::size_t>(given.size())) +
           12.0 * static_cast<double>(sparse.nonZeros()) + 16.0 * static_cast<double>(count);
}

FeatureSpace::FeatureSpace(const Kernel &kernel, const Samples &right, std::vector<Index> columns)
    : kernel_(kernel), columns_(std::move(columns)), width_(feature_count(right)) {
    if (is_precomputed(kernel_))
        width_ = static_cast<Index>(columns_.size());
    else if (const auto *sparse = std::get_if<SparseRows>(&right))
        drop_unused_features(*sparse);
    sparse_products_ = dense_ && width_ >= many_features && !is_precomputed(kernel_) &&
                       sum_of(kernel_) == Sum::squared_distance &&
                       suits_sparse_products(right, width_);
}

void FeatureSpace::drop_unused_features(const SparseRows &right) {
    used_ = used_features(right);
    width_ = static_cast<Index>(used_.size());
    every_feature_ = width_ == right.cols();
    // Dense panels win where the speed of their sums makes up for adding zeros.
    const double cells = static_cast<double>(right.rows()) * static_cast<double>(width_);
    dense_ = width_ <= 256 || static_cast<double>(right.nonZeros()) >= 0.04 * cells;
}

double FeatureSpace::bytes(const Samples &samples, Index count) const {
    const auto *sparse = std::get_if<SparseRows>(&samples);
    const double share = static_cast<double>(count) / static_cast<double>(row_count(samples));
    if (!dense_ && sparse != nullptr) return 12.0 * static_cast<double>(sparse->nonZeros()) * share;
    const double value_bytes = sparse_products_ ? 8.0 + 12.0 * few_values : 8.0;
    return value_bytes * static_cast<double>(count) * static_cast<double>(width_);
}

RowSet FeatureSpace::prepare(const Samples &samples, Index first, Index count) const {
    RowSet rows{.count = count};
    if (is_precomputed(kernel_))
        rows.given = given_values(samples, first, count);
    else if (dense_)
        fill_panels(samples, first, rows);
    if (!dense_ || sparse_products_) rows.sparse = compact(samples, first, count);
    measure(samples, first, rows);
    return rows;
}

Matrix FeatureSpace::given_values(const Samples &samples, Index first, Index count) const {
    Matrix out(count, width_);
    std::visit(
        [&](const auto &rows) {
            for (Index j = 0; j < width_; ++j)
                for (Index i = 0; i < count; ++i)
                    out(i, j) = rows.coeff(first + i, columns_[static_cast<std::size_t>(j)]);
        },
        samples);
    return out;
}

bool FeatureSpace::keeps_places(const Samples &samples) const {
    return every_feature_ && feature_count(samples) <= width_;
}

void FeatureSpace::fill_panels(const Samples &samples, Index first, RowSet &out) const {
    out.panels.assign(panel_values(out.count, width_), 0.0);
    const bool as_it_is = keeps_places(samples);
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < out.count; ++i) {
                PlaceFinder place(used_);
                for_each_value(rows, first + i, [&](int feature, double value) {
                    const Index p = as_it_is ? feature : place(feature);
                    if (p >= 0) out.panels[place_in_panels(i, p, width_)] = value;
                });
            }
        },
        samples);
}

SparseRows FeatureSpace::compact(const Samples &samples, Index first, Index count) const {
    SparseRows out(count, width_);
    const bool as_it_is = keeps_places(samples);
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < count; ++i) {
                out.startVec(i);
                PlaceFinder place(used_);
                for_each_value(rows, first + i, [&](int feature, double value) {
                    const Index p = as_it_is ? feature : place(feature);
                    if (p >= 0 && value != 0.0) out.insertBack(i, p) = value;
                });
            }
        },
        samples);
    out.finalize();
    return out;
}

/// Fills `outside` and `squares`.
void FeatureSpace::measure(const Samples &samples, Index first, RowSet &out) const {
    out.outside = Vector::Zero(out.count);
    const bool measures_all = out.sparse.size() > 0, as_it_is = keeps_places(samples);
    if (is_precomputed(kernel_) || (!measures_all && as_it_is)) return;
    const bool manhattan = std::holds_alternative<LaplacianKernel>(kernel_);
    const auto size = [=](double value) { return manhattan ? std::fabs(value) : value * value; };
    if (measures_all) out.squares = Vector::Zero(out.count);
    std::visit(
        [&](const auto &all) {
            for (Index i = 0; i < out.count; ++i) {
                PlaceFinder place(used_);
                for_each_value(all, first + i, [&](int feature, double value) {
                    if (!as_it_is && place(feature) < 0)
                        out.outside(i) += size(value);
                    else if (measures_all)
                        out.squares(i) += size(value);
                });
            }
        },
        samples);
}

RightRows FeatureSpace::right(const RowSet &set, std::span<const Index> rows) const {
    RightRows out{.rows = {rows.begin(), rows.end()}, .set = &set};
    if (!dense_ || is_precomputed(kernel_)) return out;
    out.dense.reserve(rows.size() * static_cast<std::size_t>(width_));
    for (const Index i : rows)
        for (Index f = 0; f < width_; ++f)
            out.dense.push_back(set.panels[place_in_panels(i, f, width_)]);
    if (sparse_products_) arrange_by_feature(out, width_);
    return out;
}

RowSet FeatureSpace::subset(const RowSet &set, std::span<const Index> rows) const {
    RowSet out{.count = static_cast<Index>(rows.size())};
    const std::vector<Index> chosen(rows.begin(), rows.end()); // for Eigen
    out.outside = set.outside(chosen);
    if (is_precomputed(kernel_)) {
        out.given = set.given(chosen, chosen);
    } else if (dense_) {
        out.panels.assign(panel_values(out.count, width_), 0.0);
        for (Index k = 0; k < out.count; ++k)
            for (Index f = 0; f < width_; ++f)
                out.panels[place_in_panels(k, f, width_)] =
                    set.panels[place_in_panels(chosen[static_cast<std::size_t>(k)], f, width_)];
    }
    if (set.sparse.size() > 0) {
        out.sparse = picked_rows(set.sparse, rows);
        out.squares = set.squares(chosen);
    }
    return out;
}

} // namespace hinge0
