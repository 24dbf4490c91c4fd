/// The first minimum, or with a search: starts, descents, kicks, and the best of all settled.
#include "solver/exact.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "solver/kicks.hpp"
#include "solver/many_rows.hpp"
#include "solver/notes.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

/// Hinge solutions at these shares of C give up few samples (1) or many (0.03); which is better
/// depends on the data. A fit tries the first two, with --starts all.
constexpr double hinge_shares[] = {0.1, 0.3, 0.03, 1.0};
constexpr std::size_t usual_starts = 2;
/// Where all of these end in constant classifiers, one after the other.
constexpr double larger_shares[] = {10.0, 100.0, 1000.0};
/// Precision of the hinge starts: their signs matter, not their digits.
constexpr double hinge_eps = 0.1;
/// Multiplications that one start may spend on its search, some ten seconds; a count, not a time,
/// so that the same fit does the same on every machine.
constexpr double work_per_start = 3e10;
/// With --starts N, so many kicks for each of the N.
constexpr Index kicks_per_start = 32;
/// Below this number of rows, threads are not worth their start.
constexpr Index least_rows_for_threads = 600;

/// The samples with a margin of at least `least`; those on the right side for 0.
Flags kept_by(const Vector &margins, double least = 0.0) {
    Flags kept(static_cast<std::size_t>(margins.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = margins(static_cast<Index>(i)) >= least ? 1 : 0;
    return kept;
}

/// The last resort where every other start is constant: margins of 1 for two samples, else 0.
Vector one_of_each_class(const Vector &y) {
    Vector margins = Vector::Zero(y.size());
    for (const double sign : {-1.0, 1.0})
        margins(std::find(y.data(), y.data() + y.size(), sign) - y.data()) = 1.0;
    return margins;
}

class Exact {
public:
    Exact(Workspace &workspace, const Vector &y, const Vector &prices, const Settings &settings,
          Watch &watch)
        : first_(workspace.first_minima()), columns_(workspace.columns()), y_(y), prices_(prices),
          settings_(settings), watch_(watch),
          threads_(y.size() < least_rows_for_threads ? 1 : thread_count(settings.threads)),
          working_set_(working_set(settings.working_set, y.size())),
          minima_(watch, L0Loss{}.constant(class_price(-1), class_price(1))) {}

    ExactResult run(const std::vector<Vector> &margins) {
        if (!settings_.searches()) return take_first(margins);
        try_first_starts(margins);
        if (searches_.empty()) try_last_resorts();
        if (!searches_.empty()) search();
        if (best_) take(*best_);
        return finish();
    }

private:
    using MakeKept = std::function<Flags()>;
    /// What a start leads to; `search` is empty for a constant classifier.
    struct Outcome {
        std::unique_ptr<Search> search;
        std::vector<Sight> sights;
    };

    [[nodiscard]] bool looks_longer() const { return settings_.starts > 1; }
    [[nodiscard]] double class_price(double sign) const {
        return (y_.array() == sign).select(prices_, 0.0).sum();
    }
    [[nodiscard]] MakeKept hinge_start(double share) {
        return [this, share] {
            return kept_by(
                hinge_margins(columns_, y_, share * prices_, hinge_eps, threads_, watch_));
        };
    }

    /// Fact 8: what the start classifies well is kept, solved exactly, and that is all.
    [[nodiscard]] ExactResult take_first(const std::vector<Vector> &given) {
        if (working_set_ > 0) rows_.emplace(columns_, y_, prices_, settings_.seed, threads_);
        // Algorithm 1 says itself what it keeps.
        const double least = settings_.start == Start::admm ? 0.0 : settings_.least_kept();
        for (const Vector &margins : given) start_from(margins, least);
        if (!has_result() && rows_)
            take(first_of_many(*rows_, working_set_, y_.size(), settings_, threads_, watch_));
        else if (!has_result())
            start_from_hinges();
        return finish();
    }
    void start_from(const Vector &margins, double least) {
        ++result_.starts;
        if (rows_)
            take(hard_margin_of_many(*rows_,
                                     rows_->keep(margins, least, near_ones(working_set_)).found,
                                     settings_.thinning(), threads_, watch_));
        else
            take(*first_.of(margins, least, settings_.thinning(), y_, columns_, threads_, watch_));
    }
    void start_from_hinges() {
        double share = settings_.hinge_share;
        for (int k = 0; k <= most_raises && !has_result(); ++k, share *= raise) {
            const Vector prices = share * prices_;
            const HingePoint hinge = first_.hinge_path().point(columns_, y_, prices,
                                                               first_minimum_eps, threads_, watch_);
            start_from(hinge.margins, settings_.least_kept());
            if (watch_.stopped()) break;
        }
        if (!has_result()) start_from(one_of_each_class(y_), 1.0);
    }

    void take(const Minimum &found) {
        if (found.support_vectors == 0) return;
        minima_.tell({found, prices_});
        result_.steps = found.steps;
        result_.coefficients = found.coefficients;
        result_.b = found.bias;
    }
    void take(const HardMargin &found) {
        if (found.h.rows.empty()) return;
        minima_.tell(Sight(found));
        result_.steps = static_cast<int>(found.steps);
        result_.coefficients = Vector::Zero(y_.size());
        result_.coefficients(found.h.rows) = found.h.weights;
        result_.b = found.h.bias;
    }
    void take(const FirstOfMany &first) {
        result_.starts += first.starts;
        take(first.found);
    }
    [[nodiscard]] bool has_result() const { return result_.coefficients.size() > 0; }

    void try_first_starts(const std::vector<Vector> &margins) {
        std::vector<MakeKept> starts;
        starts.reserve(margins.size() + std::size(hinge_shares));
        for (const Vector &given : margins) starts.emplace_back([&] { return kept_by(given); });
        const std::size_t shares = looks_longer() ? std::size(hinge_shares) : usual_starts;
        for (std::size_t k = 0; margins.empty() && k < shares; ++k)
            starts.push_back(hinge_start(hinge_shares[k]));
        try_starts(starts);
    }
    /// One after the other, the first that is not constant.
    void try_last_resorts() {
        std::vector<MakeKept> starts;
        for (const double share : hinge_shares) starts.push_back(hinge_start(share));
        for (const double share : larger_shares) starts.push_back(hinge_start(share));
        starts.emplace_back([this] { return kept_by(one_of_each_class(y_), 1.0); });
        for (std::size_t k = usual_starts; k < starts.size() && searches_.empty(); ++k)
            if (!watch_.stopped()) try_starts({starts[k]});
    }

    /// Tries all starts, side by side. What they do does not depend on the threads, and they are
    /// told of in their order.
    void try_starts(const std::vector<MakeKept> &starts) {
        std::vector<Outcome> outcomes(starts.size());
        in_parallel(static_cast<Index>(starts.size()), threads_, watch_, [&](Index k) {
            const auto at = static_cast<std::size_t>(k);
            try_start(starts[at], outcomes[at]);
        });
        for (Outcome &outcome : outcomes) {
            ++result_.starts;
            for (const Sight &sight : outcome.sights) minima_.tell(sight);
            if (!outcome.search) continue;
            budget_ -= work_per_start - outcome.search->budget();
            watch_moves(*outcome.search);
            searches_.push_back(std::move(outcome.search));
        }
    }
    /// From here on, accepted moves are told of at once.
    void watch_moves(Search &search) {
        search.watch([this](const ActiveSet &s, double f) { minima_.tell({s, f}); });
    }
    /// Solves for a first kept set and descends; usually only to where it shows which is best.
    void try_start(const MakeKept &make_kept, Outcome &outcome) {
        Flags kept = make_kept();
        ActiveSet state(columns_, y_);
        const auto go_on = [this](const ActiveSet &, double) { return !watch_.stopped(); };
        // Stopped on the way it is a minimum as well, that of the samples which it keeps by then.
        const bool solved = state.solve(kept, go_on) && state.polish(kept, watch_);
        if (state.is_constant()) return;
        const double left = work_per_start - state.work();
        outcome.search = std::make_unique<Search>(std::move(state), prices_, watch_);
        outcome.search->allow(left);
        outcome.search->watch(
            [&outcome](const ActiveSet &s, double f) { outcome.sights.emplace_back(s, f); });
        outcome.sights.emplace_back(outcome.search->state(), outcome.search->objective());
        if (solved) outcome.search->descend(looks_longer() ? std::numeric_limits<int>::max() : 1);
    }

    /// From the starts to the best minimum: descents, kicks, and at last every single move.
    void search() {
        const auto best =
            std::min_element(searches_.begin(), searches_.end(), [](const auto &a, const auto &b) {
                return a->objective() < b->objective();
            });
        if (!looks_longer()) {
            std::swap(searches_.front(), *best);
            searches_.resize(1);
        }
        (looks_longer() ? *best : searches_.front())->descend();
        // A few kicks for small problems, where they are cheap, and more with --starts.
        const Index m = y_.size();
        const Index kicks = looks_longer() ? kicks_per_start * settings_.starts
                                           : (m <= 100 ? std::min<Index>(500 / m, 40) : 0);
        best_ = Kicks(settings_.seed, threads_, watch_, minima_)
                    .spread(std::move(searches_), kicks, budget_);
        if (looks_longer()) result_.starts = std::max(result_.starts, settings_.starts);
        watch_moves(*best_);
        best_->allow(budget_);
        best_->use_threads(threads_);
        result_.one_opt = best_->settle();
    }

    void take(const Search &best) {
        const ActiveSet &state = best.state();
        result_.moves = static_cast<int>(best.moves());
        result_.steps = static_cast<int>(state.steps());
        result_.coefficients = Vector::Zero(y_.size());
        for (std::size_t p = 0; p < state.gamma().size(); ++p) {
            const Index i = state.gamma()[p];
            result_.coefficients(i) = y_(i) * state.alpha()(static_cast<Index>(p));
        }
        result_.b = state.bias();
    }
    [[nodiscard]] ExactResult finish() {
        const bool found = has_result();
        result_.wins_above = minima_.wins_above();
        if (watch_.was_stopped())
            result_.status = watch_.out_of_time() ? Status::time_limit : Status::interrupted;
        if (!found && watch_.was_stopped()) throw_without_minimum(watch_);
        if (!found) { // nothing but constant classifiers: the better of the two
            result_.coefficients = Vector::Zero(y_.size());
            result_.b = class_price(1) >= class_price(-1) ? 1.0 : -1.0;
        }
        return result_;
    }

    FirstMinima &first_;
    ColumnCache &columns_;
    const Vector &y_, &prices_;
    const Settings &settings_;
    Watch &watch_;
    int threads_;
    Index working_set_;                ///< 0: all rows
    std::optional<RowsInMemory> rows_; ///< of a fit by working sets
    Minima minima_;
    double budget_ = work_per_start * settings_.starts;
    std::vector<std::unique_ptr<Search>> searches_; ///< where the starts led
    std::unique_ptr<Search> best_;
    ExactResult result_;
};

} // namespace

ExactResult solve_exactly(Workspace &workspace, const Vector &y, const Vector &prices,
                          const Settings &settings, Watch &watch,
                          const std::vector<Vector> &margins) {
    return Exact(workspace, y, prices, settings, watch).run(margins);
}

} // namespace hinge0
