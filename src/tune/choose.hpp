#pragma once
/// From a cross-validation to a fit with its choice, of two classes or of many.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/watch.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {

/// Of the time limit, kept for the fit on all rows.
inline constexpr double share_of_last_fit = 0.2;

/// Cross-validation, choice, fit: cross_validate(data, recipe) tries the cells, fit(data, recipe,
/// observer) fits all rows, support_vectors(fit) counts; `data` and `recipe` come standardised if
/// that was asked for. Leaves what was tried and the best cell in `tuned`; returns the scaling.
template <class Data, class AnyTuned, class Try, class FitAll, class Count>
Scaling choose_and_fit(Data data, Recipe recipe, const TuneSettings &settings,
                       const Observer &observer, const Try &cross_validate, const FitAll &fit,
                       const Count &support_vectors, AnyTuned &tuned) {
    const double limit = recipe.settings.time_limit;
    const Watch clock({}, limit);
    Scaling scaling;
    if (recipe.standardize) {
        scaling = standard_scaling(data.samples(), recipe.objective.sample_weight);
        data = data.with_samples(scaled(scaling, data.samples()));
        recipe.standardize = false;
    }
    recipe.settings.time_limit = (1.0 - share_of_last_fit) * limit;
    tuned.tried = cross_validate(data, recipe);
    const Status status = tuned.tried.status;
    const std::vector<std::size_t> order = ranking(tuned.tried, settings.rule);
    if (order.empty() && status == Status::time_limit)
        throw Error(fmt::format("the time limit of {:g} s is over before the first fit", limit),
                    "allow more time, or a smaller grid");
    if (order.empty()) throw Interrupted("interrupted before the first fit");
    // where nothing is left, a fit still ends with a first minimum
    recipe.settings.time_limit = std::max(1e-3, limit - clock.seconds());
    const auto most = static_cast<double>(settings.max_support_vectors);
    const Vector support = tuned.tried.mean_support_vectors();
    double fewest = std::numeric_limits<double>::infinity();
    for (const std::size_t k : order) {
        // On fewer rows there are fewer: no fit where even those are too many.
        fewest = std::min(fewest, support(static_cast<Index>(k)));
        if (most > 0 && support(static_cast<Index>(k)) > most) continue;
        const Cell &cell = tuned.tried.cells[k];
        recipe.objective.C = cell.C;
        if (!std::isnan(cell.gamma)) recipe.parameters.gamma = cell.gamma;
        tuned.best = k;
        // Who asked to stop waits for the fit: it takes as long as one cell, and is what they want.
        tuned.fit = fit(data, recipe, status == Status::interrupted ? Observer{} : observer);
        const auto found = static_cast<double>(support_vectors(tuned.fit));
        if (most == 0 || found <= most) return scaling;
        fewest = std::min(fewest, found);
    }
    throw InvalidInput(
        fmt::format("no cell of the grid has a model of at most {} support vectors", most),
        fmt::format("the smallest has about {:.0f}", fewest));
}

} // namespace hinge0
