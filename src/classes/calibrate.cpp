/// Probabilities from decision values of rows that were not trained on.
#include <fmt/format.h>

#include <limits>

#include "classes/calibration.hpp"
#include "classes/pairs.hpp"
#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// Decision values of one pair, each by a fit without its row.
class HeldOut {
public:
    HeldOut(const LabelledData &data, const Kernel &kernel, const Recipe &recipe,
            const ClassOptions &options, const std::vector<Split> &splits)
        : data_(data), problems_(data, recipe.objective, options), settings_(recipe.settings),
          splits_(splits), solver_(data.samples(), kernel),
          values_(Matrix::Zero(data.size(), problems_.count())) {
        settings_.threads = 1;
        settings_.time_limit = std::numeric_limits<double>::infinity(); // the watch has it
    }

    [[nodiscard]] Index fits() const { return problems_.count() * std::ssize(splits_); }
    void fit(Index k, Watch &watch) {
        const Index pair = k / std::ssize(splits_);
        const Split &split = splits_[static_cast<std::size_t>(k % std::ssize(splits_))];
        PairProblem problem = problems_.problem(pair);
        std::vector<Index> test;
        for (const Index i : split.test) {
            if (problem.signs(i) != 0) test.push_back(i);
            problem.signs(i) = 0;
        }
        const Solution solution = solver_.solve(problem.signs, problem.objective, settings_,
                                                [&](const Progress &) { return !watch.stopped(); });
        const Model model = solver_.model(solution, problem.objective, {"-1", "1"});
        const Vector h = decision_function(model, chosen_rows(data_.samples(), test), 1);
        for (std::size_t i = 0; i < test.size(); ++i)
            values_(test[i], pair) = h(static_cast<Index>(i));
    }
    [[nodiscard]] Calibration calibration(Index pair, CalibrationKind kind) const {
        const PairProblem problem = problems_.problem(pair);
        std::vector<Index> rows;
        for (Index i = 0; i < data_.size(); ++i)
            if (problem.signs(i) != 0) rows.push_back(i);
        const Vector h = values_(rows, pair), signs = problem.signs(rows);
        const Vector &given = problem.objective.sample_weight;
        const Vector weight = given.size() > 0 ? Vector(given(rows)) : Vector{};
        if (kind == CalibrationKind::sigmoid) return fit_sigmoid(h, signs, weight);
        return fit_isotonic(h, signs, weight);
    }

private:
    const LabelledData &data_;
    PairProblems problems_;
    Settings settings_;
    const std::vector<Split> &splits_;
    Solver solver_;
    Matrix values_; ///< of every row and pair
};

} // namespace

void calibrate(ClassFit &fit, LabelledData data, const Recipe &recipe, const ClassOptions &options,
               const CalibrationSettings &settings, const Observer &observer) {
    Classifier &classifier = fit.classifier;
    if (!classifier.scaling.empty())
        data = data.with_samples(scaled(classifier.scaling, data.samples()));
    const std::vector<Split> splits =
        stratified_splits(data, settings.folds, 1, recipe.settings.seed);
    HeldOut held_out(data, classifier.kernel, recipe, options, splits);
    std::atomic<Index> solved = 0;
    Watch watch(
        [&](const Progress &) {
            return !observer || observer({.stage = Progress::Stage::pairs,
                                          .done = static_cast<double>(solved) /
                                                  static_cast<double>(held_out.fits()),
                                          .iteration = static_cast<int>(solved)});
        },
        recipe.settings.time_limit);
    // Only this thread asks the observer, and helpers may have solved all before it gets to.
    bool stopped = watch.stopped();
    try {
        in_parallel(held_out.fits(), thread_count(recipe.settings.threads), watch, [&](Index k) {
            if (watch.stopped()) return;
            held_out.fit(k, watch);
            ++solved;
        });
    } catch (const Interrupted &) {
        stopped = true;
    }
    watch.rethrow();
    if (stopped || watch.was_stopped()) {
        if (!watch.out_of_time()) throw Interrupted("interrupted while calibrating");
        throw Error(fmt::format("the time limit of {:g} s is over while calibrating",
                                recipe.settings.time_limit),
                    "allow more time, or train without --calibrate");
    }
    for (Index k = 0; k < std::ssize(classifier.pairs); ++k)
        classifier.pairs[static_cast<std::size_t>(k)].calibration =
            held_out.calibration(k, settings.kind);
    fit.seconds.total += watch.seconds();
}

} // namespace hinge0
