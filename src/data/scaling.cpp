/// Standardisation. Columns are first brought to at most 1 by a power of two, which loses nothing,
/// so that no square or sum overflows.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr const char *advice = "scale the features in the file, or leave out --standardize";

double weight_of(const Vector &weight, Index row) { return weight.size() > 0 ? weight(row) : 1.0; }

/// Calls visit(column, value, weight) for every stored value of a row that weighs something.
template <class Visit>
void for_each(const DenseRows &rows, const Vector &weight, const Visit &visit) {
    for (Index i = 0; i < rows.rows(); ++i)
        if (const double w = weight_of(weight, i); w > 0)
            for (Index j = 0; j < rows.cols(); ++j) visit(j, rows(i, j), w);
}
template <class Visit>
void for_each(const SparseRows &rows, const Vector &weight, const Visit &visit) {
    for (Index i = 0; i < rows.rows(); ++i)
        if (const double w = weight_of(weight, i); w > 0)
            for (SparseRows::InnerIterator it(rows, i); it; ++it) visit(it.index(), it.value(), w);
}

/// Two passes: the mean, then the deviations from it. The sum of the deviations, 0 but for
/// rounding, corrects both mean and variance. Values that are not stored are zeros.
template <class Rows> Scaling scaling_of(const Rows &rows, const Vector &weight) {
    const Index columns = rows.cols();
    const double n = weight.size() > 0 ? weight.sum() : static_cast<double>(rows.rows());
    Vector largest = Vector::Zero(columns), stored = Vector::Zero(columns);
    for_each(rows, weight, [&](Index j, double x, double w) {
        largest[j] = std::max(largest[j], std::abs(x));
        stored[j] += w;
    });
    const Vector unit = largest.unaryExpr(
        [](double x) { return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0; });
    Vector mean = Vector::Zero(columns);
    for_each(rows, weight, [&](Index j, double x, double w) { mean[j] += w * (x / unit[j]); });
    mean /= n;
    Vector sum = -(n - stored.array()) * mean.array();
    Vector squares = (n - stored.array()) * mean.array().square();
    for_each(rows, weight, [&](Index j, double x, double w) {
        const double deviation = x / unit[j] - mean[j];
        sum[j] += w * deviation;
        squares[j] += w * (deviation * deviation);
    });
    const Vector correction = sum / n;
    const Vector variance = (squares / n - correction.cwiseAbs2()).cwiseMax(0.0);
    mean += correction;
    Scaling scaling{mean.cwiseProduct(unit), variance.cwiseSqrt().cwiseProduct(unit)};
    constexpr double rounding = 10 * std::numeric_limits<double>::epsilon();
    for (Index j = 0; j < columns; ++j)
        if (scaling.scale[j] <= rounding * std::abs(scaling.mean[j])) scaling.scale[j] = 1.0;
    return scaling;
}

double scaled_value(double x, double mean, double scale, Index row, Index column) {
    const double direct = (x - mean) / scale;
    if (std::isfinite(direct)) return direct;
    const double halved = (0.5 * x - 0.5 * mean) / (0.5 * scale); // when only x - mean overflows
    if (!std::isfinite(halved))
        throw InvalidInput(
            fmt::format("feature {} of row {} is not finite after scaling", column + 1, row + 1));
    return halved;
}

} // namespace

Scaling standard_scaling(const Samples &samples, const Vector &weight) {
    if (row_count(samples) == 0) throw InvalidInput("the data has no rows");
    if (weight.size() > 0 && (weight.size() != row_count(samples) || !(weight.sum() > 0)))
        throw InvalidInput("scaling needs a weight for every row, not all of them zero");
    constexpr double vectors = 10; // of one number a feature, in scaling_of
    require_memory(vectors * sizeof(double) * static_cast<double>(feature_count(samples)), 0,
                   fmt::format("standardising {} features", feature_count(samples)), advice);
    return std::visit([&](const auto &rows) { return scaling_of(rows, weight); }, samples);
}

Samples scaled(const Scaling &scaling, const Samples &samples) {
    if (scaling.empty()) return samples;
    const Index rows = row_count(samples), columns = scaling.mean.size();
    const Index given = feature_count(samples);
    const auto *const sparse = std::get_if<SparseRows>(&samples);
    if (given > columns || (given < columns && sparse == nullptr))
        throw InvalidInput(
            fmt::format("the data has {} features, but the scaling is for {}", given, columns));
    require_memory(static_cast<double>(rows) * static_cast<double>(columns) * sizeof(double), 0,
                   "scaling to dense rows", advice);
    DenseRows result = sparse == nullptr ? std::get<DenseRows>(samples) : DenseRows();
    if (sparse != nullptr) {
        result.setZero(rows, columns);
        result.leftCols(given) = *sparse;
    }
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j)
            result(i, j) = scaled_value(result(i, j), scaling.mean[j], scaling.scale[j], i, j);
    return result;
}

} // namespace hinge0
