/// C and gamma for many classes: one choice for all pairs, judged by what they say together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classes/pairs.hpp"
#include "core/watch.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "tune/choose.hpp"

namespace hinge0 {
namespace {

class ManyClassFits : public FoldFits {
public:
    ManyClassFits(const LabelledData &data, const Objective &objective, const ClassOptions &options)
        : data_(data), options_(options), problems_(data, objective, options) {}

    /// Pair by pair, and C by C for each: so they share kernel columns and hinge starts.
    void walk(const Solver &solver, const Recipe &recipe, const Split &split,
              std::span<const double> prices, const std::function<bool()> &go_on,
              const std::function<void(std::size_t, FoldFit)> &done,
              std::exception_ptr &failure) const override {
        const Samples test = chosen_rows(data_.samples(), split.test);
        std::vector<char> trains(static_cast<std::size_t>(data_.size()), 0);
        for (const Index i : split.train) trains[static_cast<std::size_t>(i)] = 1;
        std::vector<Walk> walks(prices.size());
        for (Walk &one : walks) one.decisions.resize(std::ssize(split.test), problems_.count());
        for (Index pair = 0; pair < problems_.count() && go_on(); ++pair) {
            PairProblem problem = problems_.problem(pair);
            for (Index i = 0; i < data_.size(); ++i)
                if (trains[static_cast<std::size_t>(i)] == 0) problem.signs(i) = 0;
            for (std::size_t k = 0; k < prices.size() && go_on(); ++k) {
                problem.objective.C = prices[k];
                try {
                    solve(solver, recipe, problem, pair, test, go_on, walks[k]);
                } catch (const Interrupted &) {
                    return;
                } catch (const Error &) {
                    failure = std::current_exception();
                    walks[k].failed = true;
                }
            }
        }
        if (!go_on()) return;
        for (std::size_t k = 0; k < walks.size(); ++k)
            if (!walks[k].failed) done(k, together(walks[k]));
    }
    [[nodiscard]] double score(Metric metric, const std::vector<Index> &rows,
                               const Vector &decisions) const override {
        const bool balanced = metric == Metric::balanced_accuracy;
        std::vector<double> right(data_.classes().size(), 0), of(right);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const std::size_t label = balanced ? static_cast<std::size_t>(label_of(rows[k])) : 0;
            right[label] += is_right(rows[k], decisions(static_cast<Index>(k))) ? 1 : 0;
            ++of[label];
        }
        double sum = 0, count = 0;
        for (std::size_t c = 0; c < of.size(); ++c)
            if (of[c] > 0) {
                sum += right[c] / of[c];
                ++count;
            }
        return sum / count;
    }
    [[nodiscard]] bool is_right(Index row, double decision) const override {
        return static_cast<double>(label_of(row)) == decision;
    }

private:
    /// All pairs at one price.
    struct Walk {
        Matrix decisions; ///< of the test rows, a column for each pair
        std::vector<Index> support{};
        bool is_raised = false, failed = false;
        double seconds = 0;
    };

    [[nodiscard]] Index label_of(Index row) const {
        return data_.labels()[static_cast<std::size_t>(row)];
    }
    static void solve(const Solver &solver, const Recipe &recipe, const PairProblem &problem,
                      Index pair, const Samples &test, const std::function<bool()> &go_on,
                      Walk &walk) {
        const Watch clock;
        const Solution solution = solver.solve(problem.signs, problem.objective, recipe.settings,
                                               [&](const Progress &) { return go_on(); });
        if (!go_on()) return;
        const Model model = solver.model(solution, problem.objective, {"-1", "1"});
        walk.decisions.col(pair) = decision_function(model, test, 1);
        walk.support.insert(walk.support.end(), model.rows.begin(), model.rows.end());
        walk.is_raised |= !recipe.settings.searches() && solution.report.starts > 1;
        walk.seconds += clock.seconds();
    }
    [[nodiscard]] FoldFit together(Walk &walk) const {
        Classifier voters;
        voters.classes = data_.classes();
        voters.scheme = options_.scheme;
        for (Index k = 0; k < problems_.count(); ++k) {
            voters.pairs.emplace_back();
            voters.pairs.back().classes =
                pair_classes(options_.scheme, std::ssize(voters.classes), k);
        }
        const std::vector<Index> found = classes_of(voters, walk.decisions);
        std::ranges::sort(walk.support);
        const auto again = std::unique(walk.support.begin(), walk.support.end());
        FoldFit fit{.decisions = Vector(std::ssize(found)),
                    .support_vectors = static_cast<double>(again - walk.support.begin()),
                    .is_raised = walk.is_raised,
                    .seconds = walk.seconds};
        std::ranges::copy(found, fit.decisions.begin());
        return fit;
    }

    const LabelledData &data_;
    const ClassOptions &options_;
    PairProblems problems_;
};

void validate(const TuneSettings &settings, const LabelledData &data) {
    validate_grid(settings);
    validate_splits(settings.splits, data.labels(), std::ssize(data.classes()));
    if (settings.metric == Metric::f1 || settings.metric == Metric::auc)
        throw InvalidInput(fmt::format("the metric {} is for two classes; use accuracy or "
                                       "balanced-accuracy",
                                       name(settings.metric)));
    if (settings.rule == Rule::consensus)
        throw InvalidInput("the rule consensus is for two classes");
}

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
    validate(settings, data);
    return cross_validate(data.samples(), ManyClassFits(data, recipe.objective, options), recipe,
                          settings, observer);
}

ClassTuned tune(LabelledData data, const Recipe &recipe, const ClassOptions &options,
                const TuneSettings &settings, const Observer &observer) {
    ClassTuned tuned;
    const Scaling scaling = choose_and_fit(
        std::move(data), recipe, settings, observer,
        [&](const LabelledData &rows, const Recipe &inner) {
            return cross_validate(rows, inner, options, settings, observer);
        },
        [&](const LabelledData &rows, const Recipe &inner, const Observer &heard) {
            return train(rows, inner, options, heard);
        },
        [](const ClassFit &fit) { return std::ssize(fit.classifier.rows); }, tuned);
    tuned.fit.classifier.scaling = scaling;
    return tuned;
}

} // namespace hinge0
