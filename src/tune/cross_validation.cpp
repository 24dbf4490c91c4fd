/// Fits of all cells on all splits: for each split and gamma one walk along rising C, which shares
/// kernel columns and hinge starts; walks side by side.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// After so many splits the hopeless cells are given up for the first time, then after every five.
constexpr std::size_t first_round = 2, later_round = 5;
/// A cell is hopeless where its disadvantage is so many standard deviations from chance.
constexpr double hopeless = 3.0;

class Validation {
public:
    Validation(const Samples &samples, const FoldFits &fits, const Recipe &recipe,
               const TuneSettings &settings, const Observer &observer)
        : samples_(samples), fits_(fits), recipe_(recipe), settings_(settings),
          watch_([this, &observer](const Progress &) { return tell(observer); },
                 recipe.settings.time_limit),
          threads_(thread_count(recipe.settings.threads)),
          gammas_(std::max<std::size_t>(1, settings.grid.gamma.size())) {
        result_.grid = settings.grid;
        for (const double C : settings.grid.C)
            for (std::size_t g = 0; g < gammas_; ++g) result_.cells.push_back(new_cell(C, g));
        alive_.assign(result_.cells.size(), 1);
        raised_ = std::vector<std::atomic<char>>(result_.cells.size());
        expected_ = static_cast<double>(result_.cells.size() * settings.splits.size());
    }

    CrossValidation run() {
        const std::size_t splits = settings_.splits.size();
        std::size_t begin = 0;
        for (std::size_t end = std::min(first_round, splits); begin < splits && !watch_.stopped();
             begin = end, end = std::min(splits, (end / later_round + 1) * later_round)) {
            try_round(begin, end);
            if (watch_.was_stopped()) break;
            if (end < splits) give_up_hopeless();
        }
        watch_.rethrow();
        if (watch_.was_stopped())
            result_.status = watch_.out_of_time() ? Status::time_limit : Status::interrupted;
        else if (failure_ && !any_score())
            std::rethrow_exception(failure_);
        for (std::size_t k = 0; k < raised_.size(); ++k)
            result_.cells[k].is_raised = raised_[k] != 0;
        result_.seconds = watch_.seconds();
        return std::move(result_);
    }

private:
    [[nodiscard]] Cell new_cell(double C, std::size_t gamma) const {
        const std::vector<double> none(settings_.splits.size(), unknown);
        const std::vector<double> &values = settings_.grid.gamma;
        return {.C = C,
                .gamma = values.empty() ? unknown : values[gamma],
                .scores = none,
                .support_vectors = none,
                .seconds = none,
                .agreements = none,
                .decisions = std::vector<Vector>(none.size())};
    }
    [[nodiscard]] bool tell(const Observer &observer) const {
        if (!observer) return true;
        return observer({.stage = Progress::Stage::tune,
                         .done = static_cast<double>(done_.load()) / expected_,
                         .iteration = static_cast<int>(done_.load())});
    }
    [[nodiscard]] bool any_score() const {
        for (const Cell &cell : result_.cells)
            for (const double score : cell.scores)
                if (!std::isnan(score)) return true;
        return false;
    }

    void try_round(std::size_t begin, std::size_t end) {
        const std::size_t walks = (end - begin) * gammas_;
        std::vector<std::exception_ptr> failures(walks);
        in_parallel(static_cast<Index>(walks), threads_, watch_, [&](Index k) {
            const auto at = static_cast<std::size_t>(k);
            walk(begin + at / gammas_, at % gammas_, failures[at]);
        });
        for (const std::exception_ptr &failure : failures)
            if (failure && !failure_) failure_ = failure;
    }
    /// One split and gamma, C by C.
    void walk(std::size_t split, std::size_t gamma, std::exception_ptr &failure) {
        if (watch_.stopped()) return;
        std::vector<std::size_t> cells;
        std::vector<double> prices;
        for (std::size_t c = 0; c < settings_.grid.C.size(); ++c)
            if (alive_[c * gammas_ + gamma] != 0) {
                cells.push_back(c * gammas_ + gamma);
                prices.push_back(settings_.grid.C[c]);
            }
        if (cells.empty()) return;
        Recipe recipe = recipe_;
        recipe.settings.threads = 1;
        recipe.settings.time_limit = std::numeric_limits<double>::infinity(); // the watch has it
        recipe.settings.memory_limit /= threads_;
        std::size_t made = 0;
        try {
            const Solver solver(samples_, kernel_of(result_.cells[cells[0]]));
            fits_.walk(
                solver, recipe, settings_.splits[split], prices, [&] { return !watch_.stopped(); },
                [&](std::size_t k, FoldFit fit) {
                    take(cells[k], split, std::move(fit));
                    ++made;
                    ++done_;
                },
                failure);
        } catch (const Interrupted &) {
            return;
        } catch (const Error &) { // kernel values too large, say: no fit, no score
            failure = std::current_exception();
        }
        done_ += static_cast<long>(cells.size() - made);
    }
    [[nodiscard]] Kernel kernel_of(const Cell &cell) const {
        KernelParameters parameters = recipe_.parameters;
        if (!std::isnan(cell.gamma)) parameters.gamma = cell.gamma;
        return make_kernel(recipe_.kernel, parameters, samples_, recipe_.objective.sample_weight);
    }
    void take(std::size_t k, std::size_t split, FoldFit fit) {
        Cell &cell = result_.cells[k];
        if (fit.is_raised) raised_[k] = 1;
        cell.scores[split] =
            fits_.score(settings_.metric, settings_.splits[split].test, fit.decisions);
        cell.support_vectors[split] = fit.support_vectors;
        cell.seconds[split] = fit.seconds;
        cell.decisions[split] = std::move(fit.decisions);
    }

    [[nodiscard]] bool is_right(std::size_t k, std::size_t split, std::size_t test) const {
        const Vector &decisions = result_.cells[k].decisions[split];
        return decisions.size() > 0 && fits_.is_right(settings_.splits[split].test[test],
                                                      decisions(static_cast<Index>(test)));
    }
    /// Gives up the cells that are clearly worse than the best so far, by the rows that one of the
    /// two gets right and the other does not (McNemar's test).
    void give_up_hopeless() {
        if (!settings_.race || settings_.metric != Metric::accuracy) return;
        const std::vector<std::size_t> order = ranking(result_, Rule::best);
        if (order.empty()) return;
        for (const std::size_t k : order) {
            if (alive_[k] == 0) continue;
            double for_best = 0, for_other = 0;
            for (std::size_t s = 0; s < settings_.splits.size(); ++s)
                for (std::size_t i = 0; i < settings_.splits[s].test.size(); ++i) {
                    const bool best = is_right(order[0], s, i), other = is_right(k, s, i);
                    for_best += best && !other ? 1 : 0;
                    for_other += other && !best ? 1 : 0;
                }
            if (for_best - for_other > hopeless * std::sqrt(for_best + for_other)) alive_[k] = 0;
        }
    }

    const Samples &samples_;
    const FoldFits &fits_;
    const Recipe &recipe_;
    const TuneSettings &settings_;
    Watch watch_;
    int threads_;
    std::size_t gammas_;
    CrossValidation result_;
    std::vector<std::atomic<char>> raised_; ///< of each cell, set by any of its splits
    std::vector<char> alive_;               ///< of each cell, whether it is still tried
    std::exception_ptr failure_;
    double expected_ = 1;
    std::atomic<long> done_ = 0;
};

class TwoClassFits : public FoldFits {
public:
    explicit TwoClassFits(const Dataset &data) : data_(data) {}

    void walk(const Solver &solver, const Recipe &recipe, const Split &split,
              std::span<const double> prices, const std::function<bool()> &go_on,
              const std::function<void(std::size_t, FoldFit)> &done,
              std::exception_ptr &failure) const override {
        Vector signs = Vector::Zero(data_.size());
        for (const Index i : split.train) signs(i) = data_.signs()(i);
        const Samples test = chosen_rows(data_.samples(), split.test);
        Objective objective = recipe.objective;
        for (std::size_t k = 0; k < prices.size() && go_on(); ++k) {
            const Watch clock;
            objective.C = prices[k];
            try {
                const Solution solution = solver.solve(signs, objective, recipe.settings,
                                                       [&](const Progress &) { return go_on(); });
                if (!go_on()) return;
                const Model model = solver.model(solution, objective, data_.classes());
                done(k, {.decisions = decision_function(model, test, 1),
                         .support_vectors = static_cast<double>(model.rows.size()),
                         .is_raised = !recipe.settings.searches() && solution.report.starts > 1,
                         .seconds = clock.seconds()});
            } catch (const Interrupted &) {
                return;
            } catch (const Error &) {
                failure = std::current_exception();
            }
        }
    }
    [[nodiscard]] double score(Metric metric, const std::vector<Index> &rows,
                               const Vector &decisions) const override {
        return hinge0::score(metric, data_.signs()(rows), decisions);
    }
    [[nodiscard]] bool is_right(Index row, double decision) const override {
        return (decision > 0) == (data_.signs()(row) > 0);
    }

private:
    const Dataset &data_;
};

/// The scores that the splits would have if the consensus were the labels.
void ask_for_agreement(const Dataset &data, const TuneSettings &settings, CrossValidation &tried) {
    const Vector labels = consensus(tried, settings.splits, data.signs());
    for (Cell &cell : tried.cells)
        for (std::size_t s = 0; s < settings.splits.size(); ++s)
            if (cell.decisions[s].size() > 0)
                cell.agreements[s] =
                    score(settings.metric, labels(settings.splits[s].test), cell.decisions[s]);
}

} // namespace

CrossValidation cross_validate(const Samples &samples, const FoldFits &fits, const Recipe &recipe,
                               const TuneSettings &settings, const Observer &observer) {
    return Validation(samples, fits, recipe, settings, observer).run();
}

CrossValidation cross_validate(const Dataset &data, const Recipe &recipe,
                               const TuneSettings &settings, const Observer &observer) {
    validate(settings, data.signs());
    CrossValidation tried =
        cross_validate(data.samples(), TwoClassFits(data), recipe, settings, observer);
    const double seconds = tried.seconds;
    const Watch clock;
    ask_for_agreement(data, settings, tried);
    tried.seconds = seconds + clock.seconds();
    return tried;
}

} // namespace hinge0
