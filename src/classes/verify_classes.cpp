/// Every pair as a two-class model of its own rows.
#include <fmt/format.h>

#include <algorithm>

#include "classes/pairs.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "model/known_training.hpp"

namespace hinge0 {
namespace {

void check_same_data(const Classifier &classifier, const LabelledData &data) {
    check_known_training(classifier.training_rows);
    if (data.size() != classifier.training_rows)
        throw InvalidInput(fmt::format("the model was trained on {} rows, the data has {}",
                                       classifier.training_rows, data.size()));
    const bool sparse = std::holds_alternative<SparseRows>(data.samples());
    if (sparse ? data.features() > classifier.features : data.features() != classifier.features)
        throw InvalidInput(fmt::format("the data has {} features, but the model expects {}",
                                       data.features(), classifier.features));
    if (data.classes() != classifier.classes)
        throw InvalidInput(fmt::format(
            "the model knows {} classes, from '{}' to '{}', the data has {}, from '{}' "
            "to '{}'",
            classifier.classes.size(), classifier.classes.front(), classifier.classes.back(),
            data.classes().size(), data.classes().front(), data.classes().back()));
}

/// The model of a pair, counting its own rows alone.
Model on_its_rows(Model model, const std::vector<Index> &rows) {
    for (Index &row : model.rows) {
        const auto place = std::ranges::lower_bound(rows, row);
        if (place == rows.end() || *place != row)
            throw InvalidInput(
                fmt::format("row {} supports '{}' against '{}', but is of neither class; is this "
                            "the training data, in the same order?",
                            row + 1, model.classes[0], model.classes[1]));
        row = place - rows.begin();
    }
    model.training_rows = static_cast<Index>(rows.size());
    if (std::holds_alternative<PrecomputedKernel>(model.kernel))
        model.features = model.training_rows;
    return model;
}

} // namespace

std::vector<Verification> verify(const Classifier &classifier, const LabelledData &data,
                                 const Vector &sample_weight,
                                 const std::function<bool()> &should_stop) {
    check_same_data(classifier, data);
    if (sample_weight.size() > 0 && sample_weight.size() != data.size())
        throw InvalidInput(
            fmt::format("{} sample weights for {} rows", sample_weight.size(), data.size()));
    const bool given = std::holds_alternative<PrecomputedKernel>(classifier.kernel);
    const PairProblems problems(
        data, {.loss = classifier.loss, .C = classifier.C, .sample_weight = sample_weight},
        {.scheme = classifier.scheme, .class_weight = classifier.class_weight});
    std::vector<Verification> found;
    for (Index k = 0; k < problems.count(); ++k) {
        const PairProblem problem = problems.problem(k);
        std::vector<Index> rows;
        for (Index i = 0; i < data.size(); ++i)
            if (problem.signs(i) != 0) rows.push_back(i);
        Model model = on_its_rows(model_of(classifier, k), rows);
        model.class_weight = problem.objective.class_weight;
        model.classes = {"-1", "1"}; // a class may be called "rest", too
        std::vector<std::string> labels;
        labels.reserve(rows.size());
        for (const Index i : rows) labels.push_back(model.classes[problem.signs(i) > 0 ? 1 : 0]);
        const Dataset part(given ? chosen_block(data.samples(), rows)
                                 : chosen_rows(data.samples(), rows),
                           labels, model.classes[1]);
        const Vector &weight = problem.objective.sample_weight;
        found.push_back(
            verify(model, part, weight.size() > 0 ? Vector(weight(rows)) : Vector{}, should_stop));
    }
    return found;
}

} // namespace hinge0
