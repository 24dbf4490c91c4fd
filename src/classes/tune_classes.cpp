/// C and gamma for many classes: one choice for all pairs, judged by what they say together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classes/pair_solver.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "tune/choose.hpp"

namespace hinge0 {
namespace {

class ManyClassFits : public FoldFits {
public:
    ManyClassFits(const LabelledData &data, const Objective &objective, const ClassOptions &options)
        : data_(data), options_(options), problems_(data, objective, options) {}

    /// C by C, all pairs for each: they share kernel columns and hinge starts with the C before.
    void walk(const Solver &solver, const Recipe &recipe, const Split &split,
              std::span<const double> prices, const std::function<bool()> &go_on,
              const std::function<void(std::size_t, FoldFit)> &done,
              std::exception_ptr &failure) const override {
        const Samples test = chosen_rows(data_.samples(), split.test);
        std::vector<char> trains(static_cast<std::size_t>(data_.size()), 0);
        for (const Index i : split.train) trains[static_cast<std::size_t>(i)] = 1;
        PairSolver pairs(solver, data_, options_, recipe.settings);
        for (std::size_t k = 0; k < prices.size() && go_on(); ++k) {
            const auto problem = [&](Index pair) {
                PairProblem result = problems_.problem(pair);
                result.objective.C = prices[k];
                for (Index i = 0; i < data_.size(); ++i)
                    if (trains[static_cast<std::size_t>(i)] == 0) result.signs(i) = 0;
                return result;
            };
            try {
                Watch watch([&](const Progress &) { return go_on(); });
                const std::vector<Solution> solutions = pairs.solve(problem, 1, watch, [] {});
                if (!go_on()) return;
                done(k, together(solver, recipe, solutions, test, watch));
            } catch (const Interrupted &) {
                return;
            } catch (const Error &) {
                failure = std::current_exception();
            }
        }
    }

private:
    /// What all pairs at one price say of the test rows.
    [[nodiscard]] FoldFit together(const Solver &solver, const Recipe &recipe,
                                   const std::vector<Solution> &solutions, const Samples &test,
                                   const Watch &clock) const {
        std::vector<Pair> pairs;
        FoldFit fit;
        for (std::size_t k = 0; k < solutions.size(); ++k) {
            pairs.push_back(pair_of(problems_.classes(static_cast<Index>(k)), solutions[k]));
            fit.is_raised |= !recipe.settings.searches() && solutions[k].report.starts > 1;
        }
        Classifier classifier = join_pairs(solver.samples(), solver.kernel(), std::move(pairs));
        classifier.classes = data_.classes();
        classifier.scheme = options_.scheme;
        const std::vector<Index> found = predict_classes(classifier, test, 1);
        fit.decisions.resize(std::ssize(found));
        std::ranges::copy(found, fit.decisions.begin());
        fit.support_vectors = static_cast<double>(classifier.rows.size());
        fit.seconds = clock.seconds();
        return fit;
    }

    const LabelledData &data_;
    const ClassOptions &options_;
    PairProblems problems_;
};

} // namespace

std::vector<Split> stratified_splits(const LabelledData &data, int folds, int repeats,
                                     std::uint64_t seed) {
    std::vector<std::string> names;
    for (const std::string &label : data.classes()) names.push_back("class '" + label + "'");
    return stratified_splits(data.labels(), names, folds, repeats, seed);
}

CrossValidation cross_validate(const LabelledData &data, const Recipe &recipe,
                               const ClassOptions &options, const TuneSettings &settings,
                               const Observer &observer) {
    Rounds rounds(settings, data.labels(), std::ssize(data.classes()));
    return cross_validate(data.samples(), ManyClassFits(data, recipe.objective, options), recipe,
                          rounds, observer);
}

ClassTuned tune(LabelledData data, const Recipe &recipe, const ClassOptions &options,
                const TuneSettings &settings, const Observer &observer) {
    ClassTuned tuned;
    const Scaling scaling = choose_and_fit(
        std::move(data), recipe, settings, observer,
        [&](const LabelledData &rows, const Recipe &inner, const TuneSettings &tried) {
            return cross_validate(rows, inner, options, tried, observer);
        },
        [&](const LabelledData &rows, const Recipe &inner, const Observer &heard) {
            return train(rows, inner, options, heard);
        },
        [](const ClassFit &fit) { return fit.summary(); }, tuned);
    tuned.fit.classifier.scaling = scaling;
    return tuned;
}

} // namespace hinge0
