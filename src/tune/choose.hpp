#pragma once
/// From a cross-validation to a fit with its choice, of two classes or of many.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/watch.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {

/// Of the time limit, kept for the fit on all rows.
inline constexpr double share_of_last_fit = 0.2;

/// A model of so many times as many support vectors as wanted is too large to be thinned out.
inline constexpr double most_thinned_out = 4;

/// The first of the cells in this order that has a model of at most `most` support vectors (0: any
/// number): as it is, or with the least of `thinner` that will do. fit(cell, thin) tells how many
/// there are; `given` is the thinning that was asked for, `expected` how many the folds had.
template <class FitCell>
std::size_t first_small_enough(const std::vector<std::size_t> &order, const Vector &expected,
                               Index most, double given, const std::vector<double> &thinner,
                               const FitCell &fit) {
    double fewest = std::numeric_limits<double>::infinity();
    for (const std::size_t k : order) {
        const auto fits = [&](double thin) {
            const auto found = static_cast<double>(fit(k, thin));
            fewest = std::min(fewest, found);
            return most == 0 || found <= static_cast<double>(most);
        };
        // On fewer rows there are fewer: no fit where even those are too many.
        const double in_folds = expected(static_cast<Index>(k));
        const double too_many =
            static_cast<double>(most) * (thinner.empty() ? 1.0 : most_thinned_out);
        if (most > 0 && in_folds > too_many)
            fewest = std::min(fewest, in_folds);
        else if (fits(given))
            return k;
        // As thin as can be tells whether this cell will do; then no thinner than it must be.
        else if (!thinner.empty() && fits(thinner.back()) && std::ranges::any_of(thinner, fits))
            return k;
    }
    throw InvalidInput(
        fmt::format("no cell of the grid has a model of at most {} support vectors", most),
        fmt::format("the smallest has about {:.0f}", fewest));
}

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
    std::atomic<bool> is_stopped = false;
    const auto heard = [&](const Progress &progress) {
        if (!observer(progress)) is_stopped = true;
        return !is_stopped;
    };
    // Who asked to stop waits for the fit: it takes as long as one cell, and is what they want.
    const Observer last = observer && status != Status::interrupted ? Observer(heard) : Observer{};
    const auto fit_cell = [&](std::size_t k, double thin) {
        if (is_stopped) throw Interrupted("interrupted before a model was small enough");
        const Cell &cell = tuned.tried.cells[k];
        recipe.objective.C = cell.C;
        if (!std::isnan(cell.gamma)) recipe.parameters.gamma = cell.gamma;
        recipe.settings.thin = tuned.thin = thin;
        // where nothing is left, a fit still ends with a first minimum
        recipe.settings.time_limit = std::max(1e-3, limit - clock.seconds());
        tuned.fit = fit(data, recipe, last);
        return support_vectors(tuned.fit);
    };
    tuned.best = first_small_enough(
        order, tuned.tried.mean_support_vectors(), settings.max_support_vectors,
        recipe.settings.thin,
        further_thinnings(recipe.objective, recipe.settings, tuned.tried.classes), fit_cell);
    return scaling;
}

} // namespace hinge0
