/// Fits of all cells on all splits: for each split and gamma one walk along rising C, which shares
/// kernel columns and hinge starts; walks side by side.
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {
namespace {

/// The rounds of a cross-validation, made by threads of this process.
class Validation {
public:
    Validation(const Samples &samples, const FoldFits &fits, const Recipe &recipe, Rounds &rounds,
               const Observer &observer)
        : samples_(samples), fits_(fits), recipe_(recipe), rounds_(rounds),
          watch_([this, &observer](const Progress &) { return tell(observer); },
                 recipe.settings.time_limit),
          threads_(thread_count(recipe.settings.threads)) {
        const TuneSettings &settings = rounds.settings();
        expected_ = static_cast<double>(settings.grid.C.size() *
                                        std::max<std::size_t>(1, settings.grid.gamma.size()) *
                                        settings.splits.size());
    }

    CrossValidation run() {
        while (!watch_.stopped()) {
            const std::vector<Walk> walks = rounds_.next();
            if (walks.empty()) break;
            try_round(walks);
        }
        watch_.rethrow();
        Status status = Status::converged;
        if (watch_.was_stopped())
            status = watch_.out_of_time() ? Status::time_limit : Status::interrupted;
        else if (failure_ && !rounds_.any_score())
            std::rethrow_exception(failure_);
        return std::move(rounds_).result(status, watch_.seconds());
    }

private:
    [[nodiscard]] bool tell(const Observer &observer) const {
        if (!observer) return true;
        return observer({.stage = Progress::Stage::tune,
                         .done = static_cast<double>(done_.load()) / expected_,
                         .iteration = static_cast<int>(done_.load())});
    }

    void try_round(const std::vector<Walk> &walks) {
        std::vector<std::exception_ptr> failures(walks.size());
        in_parallel(std::ssize(walks), threads_, watch_, [&](Index k) {
            const auto at = static_cast<std::size_t>(k);
            make(walks[at], failures[at]);
        });
        for (const std::exception_ptr &failure : failures)
            if (failure && !failure_) failure_ = failure;
    }
    void make(const Walk &walk, std::exception_ptr &failure) {
        if (watch_.stopped()) return;
        Recipe recipe = recipe_;
        recipe.settings.threads = 1;
        recipe.settings.time_limit = std::numeric_limits<double>::infinity(); // the watch has it
        recipe.settings.memory_limit /= threads_;
        std::size_t made = 0;
        try {
            const Solver solver(samples_, kernel_of(walk));
            fits_.walk(
                solver, recipe, rounds_.settings().splits[walk.split], walk.C,
                [&] { return !watch_.stopped(); },
                [&](std::size_t k, FoldFit fit) {
                    rounds_.take(walk, k, std::move(fit));
                    ++made;
                    ++done_;
                },
                failure);
        } catch (const Interrupted &) {
            return;
        } catch (const Error &) { // kernel values too large, say: no fit, no score
            failure = std::current_exception();
        }
        done_ += static_cast<long>(walk.C.size() - made);
    }
    [[nodiscard]] Kernel kernel_of(const Walk &walk) const {
        KernelParameters parameters = recipe_.parameters;
        if (!std::isnan(walk.gamma)) parameters.gamma = walk.gamma;
        return make_kernel(recipe_.kernel, parameters, samples_, recipe_.objective.sample_weight);
    }

    const Samples &samples_;
    const FoldFits &fits_;
    const Recipe &recipe_;
    Rounds &rounds_;
    Watch watch_;
    int threads_;
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

private:
    const Dataset &data_;
};

} // namespace

CrossValidation cross_validate(const Samples &samples, const FoldFits &fits, const Recipe &recipe,
                               Rounds &rounds, const Observer &observer) {
    return Validation(samples, fits, recipe, rounds, observer).run();
}

CrossValidation cross_validate(const Dataset &data, const Recipe &recipe,
                               const TuneSettings &settings, const Observer &observer) {
    std::vector<std::int32_t> labels;
    for (const double sign : data.signs()) labels.push_back(sign > 0 ? 1 : 0);
    Rounds rounds(settings, std::move(labels), 2);
    return cross_validate(data.samples(), TwoClassFits(data), recipe, rounds, observer);
}

} // namespace hinge0
