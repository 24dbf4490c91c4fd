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
/// left, until one is interrupted; cross_validate(kernel, grid, time_limit) tries one.
template <class Try>
TriedKernels try_kernels(const std::string &kernel, const TuneSettings &settings,
                         const Watch &clock, const Try &cross_validate) {
    std::vector<KernelGrid> grids{{kernel, settings.grid}};
    grids.insert(grids.end(), settings.others.begin(), settings.others.end());
    const double limit = (1.0 - share_of_last_fit) * clock.time_limit();
    TriedKernels tries;
    for (std::size_t k = 0; k < grids.size(); ++k) {
        TriedKernel &one = tries.kernels.emplace_back();
        one.kernel = grids[k].kernel;
        if (tries.status == Status::interrupted) continue;
        const double left = std::max(1e-9, limit - clock.seconds());
        one.tried = cross_validate(grids[k].kernel, grids[k].grid,
                                   left / static_cast<double>(grids.size() - k));
        one.order = ranking(one.tried, settings.rule);
        if (one.tried.status != Status::converged) tries.status = one.tried.status;
    }
    std::vector<std::vector<double>> scores;
    for (const TriedKernel &one : tries.kernels)
        scores.push_back(one.order.empty() ? std::vector<double>{}
                                           : one.tried.cells[one.order.front()].scores);
    tries.order = kernel_ranking(scores, settings.metric, settings.rule);
    return tries;
}

inline std::vector<KernelScore> scores_of(const TriedKernels &tries) {
    std::vector<KernelScore> scores;
    for (const TriedKernel &one : tries.kernels) {
        const auto of_best = [&](const auto &means) {
            return one.order.empty() ? std::numeric_limits<double>::quiet_NaN()
                                     : means()(static_cast<Index>(one.order.front()));
        };
        scores.push_back({one.kernel, of_best([&] { return one.tried.mean_scores(); }),
                          of_best([&] { return one.tried.mean_support_vectors(); }),
                          one.tried.seconds});
    }
    return scores;
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
    TriedKernels tries = try_kernels(recipe.kernel, settings, clock, try_one);
    if (tries.order.empty() && tries.status == Status::time_limit)
        throw Error(fmt::format("the time limit of {:g} s is over before the first fit", limit),
                    "allow more time, or a smaller grid");
    if (tries.order.empty()) throw Interrupted("interrupted before the first fit");
    const auto fit_all = [&](const Recipe &chosen, const Observer &heard) {
        return fit(data, chosen, heard);
    };
    LastFits<decltype(tuned.fit), decltype(fit_all), ReportOf> fits(tries, settings, recipe, clock,
                                                                    observer, fit_all, report);
    const Attempt chosen = fits.choose();
    const TriedKernels::Place place = tries.place(chosen.cell);
    tuned.kernels = scores_of(tries);
    tuned.kernel = tries.kernels[place.kernel].kernel;
    tuned.tried = std::move(tries.kernels[place.kernel].tried);
    tuned.tried.status = tries.status;
    tuned.best = place.cell;
    tuned.thin = chosen.thin.value_or(recipe.settings.thin);
    tuned.fit = fits.take(chosen);
    return scaling;
}

} // namespace hinge0
