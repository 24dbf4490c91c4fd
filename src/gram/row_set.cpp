/// Prepares samples for kernel evaluation, dense or sparse.
#include "gram/row_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

template <class K> constexpr bool is_translation_invariant = false;
template <> constexpr bool is_translation_invariant<RbfKernel> = true;
template <> constexpr bool is_translation_invariant<ExponentialKernel> = true;
template <> constexpr bool is_translation_invariant<InverseMultiquadricKernel> = true;
template <> constexpr bool is_translation_invariant<WendlandKernel> = true;

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

[[noreturn]] void throw_too_large(const Samples &samples, Index row, Index offset) {
    int worst = 0;
    double largest = -1;
    std::visit(
        [&](const auto &rows) {
            for_each_value(rows, row, [&](int feature, double value) {
                if (std::fabs(value) <= largest) return;
                largest = std::fabs(value);
                worst = feature;
            });
        },
        samples);
    throw InvalidInput(fmt::format("feature {} of row {} reaches {:.3g}, too large for the kernel; "
                                   "scale the data (--standardize) or lower gamma or degree",
                                   worst + 1, offset + row + 1, largest));
}

} // namespace

bool translation_invariant(const Kernel &kernel) {
    return std::visit([]<class K>(const K &) { return is_translation_invariant<K>; }, kernel);
}

FeatureSpace::FeatureSpace(const Kernel &kernel, const Samples &right, std::vector<Index> columns)
    : kernel_(kernel), columns_(std::move(columns)), width_(feature_count(right)) {
    if (is_precomputed(kernel_)) {
        width_ = static_cast<Index>(columns_.size());
        return;
    }
    if (const auto *sparse = std::get_if<SparseRows>(&right)) drop_unused_features(*sparse);
    if (!dense_ || !translation_invariant(kernel_)) return;
    centre_ = column_means(right);
    if (!centre_.allFinite()) centre_.resize(0); // values too large to average are refused later
}

Vector FeatureSpace::column_means(const Samples &right) const {
    Vector sums = Vector::Zero(width_);
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < rows.rows(); ++i) {
                PlaceFinder place(used_);
                for_each_value(rows, i, [&](int feature, double value) {
                    sums(every_feature_ ? feature : place(feature)) += value;
                });
            }
        },
        right);
    return sums / static_cast<double>(std::max<Index>(1, row_count(right)));
}

void FeatureSpace::drop_unused_features(const SparseRows &right) {
    every_feature_ = false;
    used_.assign(right.innerIndexPtr(), right.innerIndexPtr() + right.nonZeros());
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    width_ = static_cast<Index>(used_.size());
    // Dense tiles win where the matrix product's speed makes up for multiplying zeros.
    const double cells = static_cast<double>(right.rows()) * static_cast<double>(width_);
    dense_ = width_ <= 256 || static_cast<double>(right.nonZeros()) >= 0.04 * cells;
}

double FeatureSpace::bytes(const Samples &samples, Index count) const {
    const auto *sparse = std::get_if<SparseRows>(&samples);
    const double share = static_cast<double>(count) / static_cast<double>(row_count(samples));
    if (!dense_ && sparse != nullptr) return 12.0 * static_cast<double>(sparse->nonZeros()) * share;
    return 8.0 * static_cast<double>(count) * static_cast<double>(width_);
}

RowSet FeatureSpace::prepare(const Samples &samples, Index first, Index count, Index offset) const {
    RowSet rows;
    if (dense_) {
        rows.dense = densify(samples, first, count);
        if (centre_.size() > 0) rows.dense.rowwise() -= centre_.transpose();
    } else {
        rows.sparse = compact(samples, first, count);
    }
    rows.norms = norms(samples, rows, first, offset);
    return rows;
}

Matrix FeatureSpace::densify(const Samples &samples, Index first, Index count) const {
    Matrix out = Matrix::Zero(count, width_);
    if (is_precomputed(kernel_)) {
        for (Index j = 0; j < width_; ++j)
            for (Index i = 0; i < count; ++i)
                out(i, j) = std::visit(
                    [&](const auto &rows) {
                        return rows.coeff(first + i, columns_[static_cast<std::size_t>(j)]);
                    },
                    samples);
        return out;
    }
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < count; ++i) {
                PlaceFinder place(used_);
                for_each_value(rows, first + i, [&](int feature, double value) {
                    const Index p = every_feature_ ? feature : place(feature);
                    if (p >= 0 && p < width_) out(i, p) = value;
                });
            }
        },
        samples);
    return out;
}

SparseRows FeatureSpace::compact(const Samples &samples, Index first, Index count) const {
    SparseRows out(count, width_);
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < count; ++i) {
                out.startVec(i);
                PlaceFinder place(used_);
                for_each_value(rows, first + i, [&](int feature, double value) {
                    if (const Index p = place(feature); p >= 0 && value != 0.0)
                        out.insertBack(i, p) = value;
                });
            }
        },
        samples);
    out.finalize();
    return out;
}

Vector FeatureSpace::norms(const Samples &samples, const RowSet &rows, Index first,
                           Index offset) const {
    const Index count = dense_ ? rows.dense.rows() : rows.sparse.rows();
    Vector result = Vector::Zero(count);
    if (is_precomputed(kernel_)) return result;
    const bool manhattan = std::holds_alternative<LaplacianKernel>(kernel_);
    for (Index i = 0; i < count; ++i) {
        if (!manhattan)
            result(i) = dense_ ? rows.dense.row(i).squaredNorm() : rows.sparse.row(i).squaredNorm();
        if (!every_feature_)
            std::visit(
                [&](const auto &all) {
                    PlaceFinder place(used_);
                    for_each_value(all, first + i, [&](int feature, double value) {
                        if (place(feature) < 0)
                            result(i) += manhattan ? std::fabs(value) : value * value;
                    });
                },
                samples);
    }
    const Vector diagonal = manhattan ? result : kernel_diagonal(kernel_, {.norms = result});
    for (Index i = 0; i < count; ++i)
        if (!std::isfinite(diagonal(i)) || !(result(i) < 1e300))
            throw_too_large(samples, first + i, offset);
    return result;
}

RowSet select_rows(const RowSet &rows, std::span<const Index> chosen) {
    const auto count = static_cast<Index>(chosen.size());
    RowSet out;
    out.norms.resize(count);
    if (rows.is_dense())
        out.dense.resize(count, rows.dense.cols());
    else
        out.sparse.resize(count, rows.sparse.cols());
    for (Index i = 0; i < count; ++i) {
        const Index row = chosen[static_cast<std::size_t>(i)];
        out.norms(i) = rows.norms(row);
        if (rows.is_dense()) {
            out.dense.row(i) = rows.dense.row(row);
            continue;
        }
        out.sparse.startVec(i);
        for (SparseRows::InnerIterator it(rows.sparse, row); it; ++it)
            out.sparse.insertBack(i, it.col()) = it.value();
    }
    if (!rows.is_dense()) out.sparse.finalize();
    return out;
}

Vector kernel_diagonal(const Kernel &kernel, const RowSet &rows) {
    return std::visit(
        [&]<class K>(const K &k) -> Vector {
            if constexpr (ProductKernel<K>)
                return rows.norms.unaryExpr([&](double n) { return k(n, n, n); });
            else if constexpr (ManhattanKernel<K>)
                return Vector::Constant(rows.size(), k.of_manhattan(0.0));
            else
                return rows.dense.diagonal();
        },
        kernel);
}

} // namespace hinge0
