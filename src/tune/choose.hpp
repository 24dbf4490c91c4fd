#pragma once
/// From a cross-validation to a fit with its choice, of two classes or of many.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/watch.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"
#include "tune/last_fits.hpp"

namespace hinge0 {

/// Of the time limit, kept for the fit on all rows.
inline constexpr double share_of_last_fit = 0.2;

/// The grids of all kernels, one after the other, each with the same share of the time that is
/// left; cross_validate(kernel, grid, time_limit) tries one. Leaves in `tuned` the kernel that is
/// taken and what was tried with it, and returns the order of its cells; none if none was tried.
template <class AnyTuned, class Try>
std::vector<std::size_t> try_kernels(const std::string &kernel, const TuneSettings &settings,
                                     const Watch &clock, const Try &cross_validate,
                                     AnyTuned &tuned) {
    std::vector<KernelGrid> grids{{kernel, settings.grid}};
    grids.insert(grids.end(), settings.others.begin(), settings.others.end());
    const double limit = (1.0 - share_of_last_fit) * clock.time_limit();
    std::vector<std::size_t> order;
    std::vector<double> scores;
    Status status = Status::converged;
    for (std::size_t k = 0; k < grids.size() && status != Status::interrupted; ++k) {
        const double left = std::max(1e-9, limit - clock.seconds());
        CrossValidation tried = cross_validate(grids[k].kernel, grids[k].grid,
                                               left / static_cast<double>(grids.size() - k));
        if (tried.status != Status::converged) status = tried.status;
        std::vector<std::size_t> ranked = ranking(tried, settings.rule);
        const double none = std::numeric_limits<double>::quiet_NaN();
        const auto of_best = [&](const Vector &means) {
            return ranked.empty() ? none : means(static_cast<Index>(ranked.front()));
        };
        scores.push_back(of_best(tried.mean_scores()));
        tuned.kernels.push_back(
            {grids[k].kernel, scores.back(), of_best(tried.mean_support_vectors()), tried.seconds});
        if (better_kernel(scores, settings.metric, settings.rule) == k) {
            tuned.kernel = grids[k].kernel;
            tuned.tried = std::move(tried);
            order = std::move(ranked);
        }
    }
    tuned.tried.status = status;
    return order;
}

/// Cross-validation, choice, fit: cross_validate(data, recipe, settings) tries the cells,
/// fit(data, recipe, observer) fits all rows, report(fit) is its Report; `data` and `recipe` come
/// standardised if that was asked for. Leaves what was tried and the best cell in `tuned`; returns
/// the scaling.
template <class Data, class AnyTuned, class Try, class FitAll, class ReportOf>
Scaling choose_and_fit(Data data, Recipe recipe, const TuneSettings &settings,
                       const Observer &observer, const Try &cross_validate, const FitAll &fit,
                       const ReportOf &report, AnyTuned &tuned) {
    const double limit = recipe.settings.time_limit;
    const Watch clock({}, limit);
    Scaling scaling;
    if (recipe.standardize) {
        scaling = standard_scaling(data.samples(), recipe.objective.sample_weight);
        data = data.with_samples(scaled(scaling, data.samples()));
        recipe.standardize = false;
    }
    const auto try_one = [&](const std::string &kernel, const Grid &grid, double time_limit) {
        Recipe inner = recipe;
        inner.kernel = kernel;
        inner.settings.time_limit = time_limit;
        TuneSettings with_grid = settings;
        with_grid.grid = grid;
        return cross_validate(data, inner, with_grid);
    };
    const std::vector<std::size_t> order =
        try_kernels(recipe.kernel, settings, clock, try_one, tuned);
    recipe.kernel = tuned.kernel;
    if (order.empty() && tuned.tried.status == Status::time_limit)
        throw Error(fmt::format("the time limit of {:g} s is over before the first fit", limit),
                    "allow more time, or a smaller grid");
    if (order.empty()) throw Interrupted("interrupted before the first fit");
    const auto fit_all = [&](const Recipe &chosen, const Observer &heard) {
        return fit(data, chosen, heard);
    };
    LastFits<decltype(tuned.fit), decltype(fit_all), ReportOf> fits(
        tuned.tried, settings, recipe, clock, observer, fit_all, report);
    const Attempt chosen = fits.choose(order);
    tuned.best = chosen.cell;
    tuned.thin = chosen.thin.value_or(recipe.settings.thin);
    tuned.fit = fits.take(chosen);
    return scaling;
}

} // namespace hinge0
