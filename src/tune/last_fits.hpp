#pragma once
/// The fits on all rows that end a tuning.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "core/watch.hpp"
#include "hinge0/error.hpp"
#include "hinge0/small_enough.hpp"
#include "hinge0/tune.hpp"

namespace hinge0 {

struct TriedKernel {
    std::string kernel;
    CrossValidation tried{};
    std::vector<std::size_t> order{}; ///< of its cells, from the best to the worst
};

/// All kernels of a tuning; their cells are numbered one kernel after the other.
struct TriedKernels {
    std::vector<TriedKernel> kernels{};
    std::vector<std::size_t> order{}; ///< from the one that is taken to the last
    Status status = Status::converged;

    struct Place {
        std::size_t kernel, cell;
    };
    [[nodiscard]] Place place(std::size_t cell) const {
        std::size_t k = 0;
        for (; cell >= kernels[k].tried.cells.size(); ++k) cell -= kernels[k].tried.cells.size();
        return {k, cell};
    }
    /// The cells of the kernel that is taken, then those of the others.
    [[nodiscard]] std::vector<std::size_t> all_in_order() const {
        std::vector<std::size_t> first{0}, result;
        for (const TriedKernel &one : kernels)
            first.push_back(first.back() + one.tried.cells.size());
        for (const std::size_t k : order)
            for (const std::size_t cell : kernels[k].order) result.push_back(first[k] + cell);
        return result;
    }
    [[nodiscard]] Vector mean_support_vectors() const {
        std::vector<double> all;
        for (const TriedKernel &one : kernels) {
            const Vector means = one.tried.mean_support_vectors();
            all.insert(all.end(), means.begin(), means.end());
        }
        return Eigen::Map<const Vector>(all.data(), std::ssize(all));
    }
};

/// Fits on all rows, of the cells of a grid, in what is left of a time limit. fit(recipe, observer)
/// makes one, report(fit) is its Report.
template <class Fit, class FitAll, class ReportOf> class LastFits {
public:
    LastFits(const TriedKernels &tries, const TuneSettings &settings, Recipe recipe,
             const Watch &clock, const Observer &observer, const FitAll &fit,
             const ReportOf &report)
        : tries_(tries), settings_(settings), recipe_(std::move(recipe)), clock_(clock),
          observer_(observer), fit_(fit), report_(report) {}

    /// The first of the cells whose model is small enough.
    Attempt choose() {
        const auto found = first_small_enough(
            tries_.all_in_order(), tries_.mean_support_vectors(), settings_.max_support_vectors,
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
    [[nodiscard]] Recipe recipe_of(const Attempt &attempt) const {
        const auto [kernel, place] = tries_.place(attempt.cell);
        const Cell &cell = tries_.kernels[kernel].tried.cells[place];
        Recipe recipe = recipe_;
        recipe.kernel = tries_.kernels[kernel].kernel;
        recipe.objective.C = cell.C;
        if (!std::isnan(cell.gamma)) recipe.parameters.gamma = cell.gamma;
        if (attempt.thin) recipe.settings.thin = *attempt.thin;
        // where nothing is left, a fit still ends with a first minimum
        recipe.settings.time_limit = std::max(1e-3, clock_.time_limit() - clock_.seconds());
        return recipe;
    }
    /// The first fit is made in any case, and is the result even if it was stopped on its way,
    /// unless it must be small: an unfinished one may be so by chance.
    std::optional<Index> make(const Attempt &attempt) {
        if (has_begun_ && is_over()) return {};
        if (attempt.cell != cell_) made_.clear();
        cell_ = attempt.cell;
        // Who asked to stop waits for the fit: it takes as long as one cell, and is what they want.
        const auto heard = [&](const Progress &progress) {
            if (!observer_(progress)) is_stopped_ = true;
            return !is_stopped_;
        };
        const bool has_listener = observer_ && tries_.status != Status::interrupted;
        try {
            made_.insert_or_assign(attempt.thin, fit_(recipe_of(attempt),
                                                      has_listener ? Observer(heard) : Observer{}));
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

    const TriedKernels &tries_;
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

} // namespace hinge0
