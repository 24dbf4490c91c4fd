/// Probabilities from decision values of rows that were not trained on.
#include <fmt/format.h>

#include <limits>

#include "classes/pair_solver.hpp"
#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "model/calibration.hpp"
#include "model/votes.hpp"

namespace hinge0 {
namespace {

/// Rows that a step of an isotonic function has besides its own, of the classes that the sigmoid
/// expects: without, its log loss is infinite (docs/classes.md).
constexpr double doubt = 2.0;

Vector probabilities_of(const Calibration &calibration, const Vector &h) {
    return h.unaryExpr([&](double value) { return probability(calibration, value); });
}

/// Decision values of all pairs, each by fits without its row.
class HeldOut {
public:
    HeldOut(const LabelledData &data, const Kernel &kernel, const Recipe &recipe,
            const ClassOptions &options, const std::vector<Split> &splits)
        : data_(data), options_(options), problems_(data, recipe.objective, options),
          settings_(recipe.settings), splits_(splits), solver_(data.samples(), kernel),
          values_(static_cast<std::size_t>(fits())) {
        settings_.threads = 1;
        settings_.time_limit = std::numeric_limits<double>::infinity(); // the watch has it
    }

    [[nodiscard]] Index fits() const { return problems_.count() * std::ssize(splits_); }
    /// All pairs of one split, as a fit has them; `solved` hears of each.
    void fit(Index split, Watch &watch, const std::function<void()> &solved) {
        const std::vector<Index> &test = splits_[static_cast<std::size_t>(split)].test;
        const auto problem = [&](Index pair) {
            PairProblem result = problems_.problem(pair);
            for (const Index i : test) result.signs(i) = 0;
            return result;
        };
        PairSolver pairs(solver_, data_, options_, settings_);
        const std::vector<Solution> solutions = pairs.solve(problem, 1, watch, solved);
        for (Index pair = 0; pair < problems_.count() && !watch.was_stopped(); ++pair) {
            const PairProblem all = problems_.problem(pair);
            const Model model = solver_.model(solutions[static_cast<std::size_t>(pair)],
                                              all.objective, {"-1", "1"});
            values_[static_cast<std::size_t>(pair * std::ssize(splits_) + split)] =
                decision_function(model, chosen_rows(data_.samples(), tested(all, test)), 1);
        }
    }
    [[nodiscard]] Calibration calibration(Index pair, CalibrationKind kind) const {
        const PairProblem problem = problems_.problem(pair);
        if (kind == CalibrationKind::sigmoid) return sigmoid(pair, problem);
        return isotonic(pair, problem);
    }

private:
    /// The rows that a fit, of a pair and a split, leaves out.
    [[nodiscard]] const std::vector<Index> &left_out(Index fit) const {
        return splits_[static_cast<std::size_t>(fit % std::ssize(splits_))].test;
    }
    /// Those of the pair.
    [[nodiscard]] static std::vector<Index> tested(const PairProblem &problem,
                                                   const std::vector<Index> &test) {
        std::vector<Index> rows;
        for (const Index i : test)
            if (problem.signs(i) != 0) rows.push_back(i);
        return rows;
    }
    [[nodiscard]] static Vector weights(const PairProblem &problem,
                                        const std::vector<Index> &rows) {
        const Vector &given = problem.objective.sample_weight;
        return given.size() > 0 ? Vector(given(rows)) : Vector{};
    }
    /// Of the mean decision value of every row.
    [[nodiscard]] Sigmoid sigmoid(Index pair, const PairProblem &problem) const {
        Vector sum = Vector::Zero(data_.size()), count = sum;
        for (Index k = pair * std::ssize(splits_); k < (pair + 1) * std::ssize(splits_); ++k) {
            const std::vector<Index> rows = tested(problem, left_out(k));
            sum(rows) += values_[static_cast<std::size_t>(k)];
            count(rows).array() += 1;
        }
        std::vector<Index> rows;
        for (Index i = 0; i < data_.size(); ++i)
            if (problem.signs(i) != 0) rows.push_back(i);
        return fit_sigmoid(sum(rows).cwiseQuotient(count(rows)), problem.signs(rows),
                           weights(problem, rows));
    }
    /// The mean of the functions of all splits: smoother than one of all rows, and each is fitted
    /// to values of one classifier.
    [[nodiscard]] Isotonic isotonic(Index pair, const PairProblem &problem) const {
        const Calibration expected = sigmoid(pair, problem);
        std::vector<Isotonic> functions;
        for (Index k = pair * std::ssize(splits_); k < (pair + 1) * std::ssize(splits_); ++k) {
            const std::vector<Index> rows = tested(problem, left_out(k));
            const Vector &h = values_[static_cast<std::size_t>(k)];
            Isotonic function = fit_isotonic(h, problem.signs(rows), weights(problem, rows),
                                             probabilities_of(expected, h), doubt);
            const bool has_weight = function.at.size() > 0;
            if (has_weight) functions.push_back(std::move(function));
        }
        return mean_of(functions);
    }

    const LabelledData &data_;
    const ClassOptions &options_;
    PairProblems problems_;
    Settings settings_;
    const std::vector<Split> &splits_;
    Solver solver_;
    std::vector<Vector> values_; ///< of every fit, for the rows that it tests
};

} // namespace

void calibrate(ClassFit &fit, LabelledData data, const Recipe &recipe, const ClassOptions &options,
               const CalibrationSettings &settings, const Observer &observer) {
    Classifier &classifier = fit.classifier;
    if (!classifier.scaling.empty())
        data = data.with_samples(scaled(classifier.scaling, data.samples()));
    const std::vector<Split> splits =
        stratified_splits(data, settings.folds, settings.repeats, recipe.settings.seed);
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
        in_parallel(std::ssize(splits), thread_count(recipe.settings.threads), watch, [&](Index k) {
            if (!watch.stopped()) held_out.fit(k, watch, [&] { ++solved; });
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
