/// The whole road of tuning: scaling, cross-validation, choice, fit.
#include "tune/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

std::vector<double> powers_of_two(int first, int last, double factor = 1.0) {
    std::vector<double> values;
    for (int k = first; k <= last; ++k) values.push_back(std::ldexp(factor, k));
    return values;
}

bool has_gamma(const Kernel &kernel) {
    bool found = false;
    for_each_parameter(kernel, [&](std::string_view name, auto) { found |= name == "gamma"; });
    return found;
}

void check_values(const std::vector<double> &values, const char *what) {
    double before = 0;
    for (const double value : values) {
        if (!std::isfinite(value) || value <= before)
            throw InvalidInput(
                fmt::format("the grid's {} must be rising positive numbers, got {}", what, value));
        before = value;
    }
}

} // namespace

void validate_grid(const TuneSettings &settings) {
    if (settings.grid.C.empty()) throw InvalidInput("the grid has no C");
    check_values(settings.grid.C, "C");
    check_values(settings.grid.gamma, "gamma");
    if (settings.max_support_vectors < 0)
        throw InvalidInput(fmt::format("max-support-vectors must be at least 0, got {}",
                                       settings.max_support_vectors));
}

void validate_splits(const std::vector<Split> &splits, const std::vector<std::int32_t> &labels,
                     Index classes) {
    if (splits.empty()) throw InvalidInput("cross-validation needs a split");
    const auto size = static_cast<Index>(labels.size());
    for (std::size_t s = 0; s < splits.size(); ++s) {
        const std::string where = fmt::format("split {}", s + 1);
        for (const std::vector<Index> *rows : {&splits[s].train, &splits[s].test})
            for (const Index i : *rows)
                if (i < 0 || i >= size)
                    throw InvalidInput(fmt::format("row {} is not in the data", i + 1), where);
        std::vector<Index> train = splits[s].train;
        std::sort(train.begin(), train.end());
        if (std::adjacent_find(train.begin(), train.end()) != train.end())
            throw InvalidInput("a row to train on occurs twice", where);
        std::set<std::int32_t> seen;
        for (const Index i : train) seen.insert(labels[static_cast<std::size_t>(i)]);
        if (std::ssize(seen) < classes)
            throw InvalidInput(classes == 2
                                   ? "the rows to train on are of one class"
                                   : fmt::format("the rows to train on have {} of the {} classes",
                                                 seen.size(), classes),
                               where);
        if (splits[s].test.empty()) throw InvalidInput("there is no row to test", where);
    }
}

Grid default_grid(const Recipe &recipe, const Samples &samples) {
    Grid grid{.C = powers_of_two(-1, 9), .gamma = {}};
    KernelParameters numbers = recipe.parameters;
    numbers.gamma = 1.0;
    const Kernel kernel = make_kernel(recipe.kernel, numbers, 1);
    if (!has_gamma(kernel)) return grid;
    const double scale = gamma_scale(samples, recipe.objective.sample_weight);
    if (std::holds_alternative<ExponentialKernel>(kernel) ||
        std::holds_alternative<WendlandKernel>(kernel))
        grid.gamma = powers_of_two(-5, 3, std::sqrt(scale));
    else if (std::holds_alternative<LaplacianKernel>(kernel))
        grid.gamma =
            powers_of_two(-7, 3, std::sqrt(scale / static_cast<double>(feature_count(samples))));
    else
        grid.gamma = powers_of_two(-7, 3, scale);
    return grid;
}

Tuned tune(Dataset data, const Recipe &recipe, const TuneSettings &settings,
           const Observer &observer) {
    Tuned tuned;
    const Scaling scaling = choose_and_fit(
        std::move(data), recipe, settings, observer,
        [&](const Dataset &rows, const Recipe &inner, const TuneSettings &tried) {
            return cross_validate(rows, inner, tried, observer);
        },
        [](const Dataset &rows, const Recipe &inner, const Observer &heard) {
            return train(rows, inner, heard);
        },
        [](const Fit &fit) { return fit.report; }, tuned);
    tuned.fit.model.scaling = scaling;
    const Status status = tuned.tried.status;
    if (status != Status::converged) tuned.fit.report.status = tuned.fit.model.status = status;
    return tuned;
}

} // namespace hinge0
