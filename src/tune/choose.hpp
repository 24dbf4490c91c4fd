#pragma once
/// From a cross-validation to a fit with its choice, of two classes or of many.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "core/watch.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {

/// Of the time limit, kept for the fit on all rows.
inline constexpr double share_of_last_fit = 0.2;

/// Fits on all rows, of the cells of a grid, in what is left of a time limit. fit(recipe, observer)
/// makes one, report(fit) is its Report.
template <class Fit, class FitAll, class ReportOf> class LastFits {
public:
    LastFits(const CrossValidation &tried, const TuneSettings &settings, Recipe recipe,
             const Watch &clock, const Observer &observer, const FitAll &fit,
             const ReportOf &report)
        : tried_(tried), settings_(settings), recipe_(std::move(recipe)), clock_(clock),
          observer_(observer), fit_(fit), report_(report) {}

    /// The first of the cells in this order whose model is small enough.
    Attempt choose(const std::vector<std::size_t> &order) {
        const auto found =
            first_small_enough(order, tried_.mean_support_vectors(), settings_.max_support_vectors,
                               further_thinnings(recipe_.objective, recipe_.settings),
                               [&](const Attempt &attempt) { return make(attempt); });
        if (found) return *found;
        if (is_stopped_) throw Interrupted("interrupted before a model was small enough");
        throw Error(fmt::format("the time limit of {:g} s is over before a model was small enough",
                                clock_.time_limit()),
                    "allow more time, or more support vectors");
    }
    [[nodiscard]] Fit take(const Attempt &attempt) { return std::move(made_.at(attempt.thin)); }

private:
    [[nodiscard]] bool is_over() const {
        return is_stopped_ || clock_.seconds() > clock_.time_limit();
    }
    /// The first fit is made in any case, and is the result even if it was stopped on its way,
    /// unless it must be small: an unfinished one may be so by chance.
    std::optional<Index> make(const Attempt &attempt) {
        if (has_begun_ && is_over()) return {};
        if (attempt.cell != cell_) made_.clear();
        cell_ = attempt.cell;
        Recipe recipe = recipe_;
        const Cell &cell = tried_.cells[cell_];
        recipe.objective.C = cell.C;
        if (!std::isnan(cell.gamma)) recipe.parameters.gamma = cell.gamma;
        if (attempt.thin) recipe.settings.thin = *attempt.thin;
        // where nothing is left, a fit still ends with a first minimum
        recipe.settings.time_limit = std::max(1e-3, clock_.time_limit() - clock_.seconds());
        // Who asked to stop waits for the fit: it takes as long as one cell, and is what they want.
        const auto heard = [&](const Progress &progress) {
            if (!observer_(progress)) is_stopped_ = true;
            return !is_stopped_;
        };
        const bool has_listener = observer_ && tried_.status != Status::interrupted;
        try {
            made_.insert_or_assign(attempt.thin,
                                   fit_(recipe, has_listener ? Observer(heard) : Observer{}));
        } catch (const Error &) {
            if (!has_begun_ || !is_over()) throw;
            return {};
        }
        has_begun_ = true;
        const Report report = report_(made_.at(attempt.thin));
        const bool is_whole =
            report.status != Status::interrupted && report.status != Status::time_limit;
        if (!is_whole && settings_.max_support_vectors > 0) return {};
        return report.support_vectors;
    }

    const CrossValidation &tried_;
    const TuneSettings &settings_;
    Recipe recipe_;
    const Watch &clock_;
    const Observer &observer_;
    const FitAll &fit_;
    const ReportOf &report_;
    std::map<std::optional<double>, Fit> made_{}; ///< of one cell, by what they thin out
    std::size_t cell_ = 0;
    bool has_begun_ = false;
    std::atomic<bool> is_stopped_ = false;
};

/// Cross-validation, choice, fit: cross_validate(data, recipe) tries the cells, fit(data, recipe,
/// observer) fits all rows, report(fit) is its Report; `data` and `recipe` come standardised if
/// that was asked for. Leaves what was tried and the best cell in `tuned`; returns the scaling.
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
    recipe.settings.time_limit = (1.0 - share_of_last_fit) * limit;
    tuned.tried = cross_validate(data, recipe);
    const std::vector<std::size_t> order = ranking(tuned.tried, settings.rule);
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
