/// Signs and prices of the pairs, and a classifier of their solutions.
#include "classes/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/condense.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

PairProblems::PairProblems(const LabelledData &data, Objective objective,
                           const ClassOptions &options)
    : data_(data), objective_(std::move(objective)), scheme_(options.scheme),
      class_weight_(options.class_weight),
      count_(pair_count(scheme_, static_cast<Index>(data.classes().size()))) {
    if (class_weight_.empty()) class_weight_.assign(data.classes().size(), 1.0);
    if (class_weight_.size() != data.classes().size())
        throw InvalidInput(fmt::format("{} class weights for {} classes", class_weight_.size(),
                                       data.classes().size()));
    for (const double weight : class_weight_)
        if (!std::isfinite(weight) || weight <= 0)
            throw InvalidInput(
                fmt::format("class weights must be positive numbers, got {}", weight));
}

PairProblem PairProblems::problem(Index k) const {
    const auto weight = [&](Index label) { return class_weight_[static_cast<std::size_t>(label)]; };
    const std::array<Index, 2> classes = this->classes(k);
    PairProblem result{classes, data_.signs(classes[0], classes[1]), objective_};
    if (classes[0] != Pair::rest) {
        result.objective.class_weight = {weight(classes[0]), weight(classes[1])};
        return result;
    }
    // The rest has rows of several classes: their weights are those of rows.
    result.objective.class_weight = {1.0, 1.0};
    const auto is_one = [](double w) { return w == 1.0; };
    if (std::ranges::all_of(class_weight_, is_one)) return result;
    Vector &of_rows = result.objective.sample_weight;
    if (of_rows.size() == 0) of_rows.setOnes(data_.size());
    for (Index i = 0; i < data_.size(); ++i)
        of_rows(i) *= weight(data_.labels()[static_cast<std::size_t>(i)]);
    return result;
}

Pair pair_of(const std::array<Index, 2> &classes, const Solution &solution) {
    Pair pair{.classes = classes,
              .bias = solution.bias,
              .status = solution.report.status,
              .objective = solution.report.objective};
    for (Index i = 0; i < solution.coefficients.size(); ++i)
        if (solution.coefficients(i) != 0.0) pair.support.push_back(i);
    pair.coefficients = solution.coefficients(pair.support);
    return pair;
}

Classifier join_pairs(const Samples &samples, const Kernel &kernel, std::vector<Pair> pairs) {
    Classifier result;
    result.kernel = kernel;
    result.features = feature_count(samples);
    result.training_rows = row_count(samples);
    std::vector<Index> place(static_cast<std::size_t>(row_count(samples)), 0);
    for (const Pair &pair : pairs)
        for (const Index row : pair.support) place[static_cast<std::size_t>(row)] = 1;
    for (std::size_t row = 0; row < place.size(); ++row)
        if (place[row] != 0) {
            place[row] = std::ssize(result.rows);
            result.rows.push_back(static_cast<Index>(row));
        }
    for (Pair &pair : pairs)
        for (Index &row : pair.support) row = place[static_cast<std::size_t>(row)];
    result.pairs = std::move(pairs);
    if (std::holds_alternative<PrecomputedKernel>(kernel))
        result.support = DenseRows(static_cast<Index>(result.rows.size()), 0);
    else
        result.support = chosen_rows(samples, result.rows);
    return result;
}

} // namespace hinge0
