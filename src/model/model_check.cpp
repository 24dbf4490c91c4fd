/// Holds a model that was put together by hand against all that prediction and verification rely
/// on, so that they need not look again at every index.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge0/error.hpp"
#include "hinge0/model.hpp"
#include "hinge0/settings.hpp"

namespace hinge0 {
namespace {

bool is_precomputed(const Model &model) {
    return std::holds_alternative<PrecomputedKernel>(model.kernel);
}

void check_sizes(const Model &model) {
    constexpr Index most_features = std::numeric_limits<int>::max(); // SparseRows has int indices
    if (model.features < 1 || model.features > most_features || model.training_rows < 0)
        throw InvalidInput(fmt::format("a model needs features and training rows, got {} and {}",
                                       model.features, model.training_rows));
    if (is_precomputed(model) && model.features != model.training_rows)
        throw InvalidInput(fmt::format("a precomputed kernel has one feature for each training "
                                       "row, got {} features and {} rows",
                                       model.features, model.training_rows));
    const auto rows = static_cast<Index>(model.rows.size());
    const Index coefficients = model.coefficients.size(), vectors = row_count(model.support);
    if (coefficients != rows || vectors != rows)
        throw InvalidInput(fmt::format("{} rows of support vectors, but {} coefficients and {} "
                                       "vectors",
                                       rows, coefficients, vectors));
    const Index columns = feature_count(model.support);
    const Index wanted = is_precomputed(model) ? 0 : model.features;
    if (columns != wanted)
        throw InvalidInput(
            fmt::format("the support vectors have {} features instead of {}", columns, wanted));
}

void check_rows(const Model &model) {
    const Index known = model.training_rows > 0 ? model.training_rows : std::ssize(model.rows);
    Index last = -1;
    for (const Index row : model.rows) {
        if (row < 0 || row >= known)
            throw InvalidInput(
                fmt::format("support vector from row {}, rows go from 0 to {}", row, known - 1));
        if (row <= last)
            throw InvalidInput(fmt::format(
                "the rows of the support vectors must rise, got {} after {}", row, last));
        last = row;
    }
}

bool fit_for_use(const DenseRows &support) { return support.allFinite(); }

bool fit_for_use(const SparseRows &support) {
    if (!support.isCompressed()) return false;
    for (Index i = 0; i < support.rows(); ++i) {
        Index last = -1;
        for (SparseRows::InnerIterator it(support, i); it; ++it) {
            if (!std::isfinite(it.value()) || it.index() <= last || it.index() >= support.cols())
                return false;
            last = it.index();
        }
    }
    return true;
}

void check_numbers(const Model &model) {
    if (!std::isfinite(model.bias))
        throw InvalidInput(fmt::format("the bias must be finite, got {}", model.bias));
    const auto usable = [](double c) { return std::isfinite(c) && c != 0; };
    if (!std::all_of(model.coefficients.begin(), model.coefficients.end(), usable))
        throw InvalidInput("the coefficients must be finite and not zero");
    if (!std::visit([](const auto &support) { return fit_for_use(support); }, model.support))
        throw InvalidInput("the support vectors must be finite, sparse ones compressed and with "
                           "rising indices");
}

void check_scaling(const Model &model) {
    const auto &[mean, scale] = model.scaling;
    if (mean.size() == 0 && scale.size() == 0) return;
    if (is_precomputed(model)) throw InvalidInput("a precomputed kernel takes no scaling");
    if (mean.size() != model.features || scale.size() != model.features)
        throw InvalidInput(fmt::format("the scaling has {} means and {} scales for {} features",
                                       mean.size(), scale.size(), model.features));
    if (!mean.allFinite() || !scale.allFinite() || !(scale.minCoeff() > 0))
        throw InvalidInput("the scaling must have finite means and positive finite scales");
}

} // namespace

void validate(const Model &model) {
    validate(model.kernel);
    validate(Objective{.loss = model.loss, .C = model.C, .class_weight = model.class_weight}, 0);
    if (model.classes[0] == model.classes[1])
        throw InvalidInput(fmt::format("both classes have the label '{}'", model.classes[0]));
    check_sizes(model);
    check_rows(model);
    check_numbers(model);
    check_scaling(model);
}

} // namespace hinge0
