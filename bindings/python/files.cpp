/// Classifiers from files and into them. Only converts, as module.cpp does.
#include "files.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "hinge0/hinge0.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

using Path = std::filesystem::path;

Status status_of(const std::string &word) {
    for (const Status status : {Status::max_iterations, Status::time_limit, Status::interrupted})
        if (to_string(status) == word) return status;
    return Status::converged;
}

/// The classifier of a fitted estimator with what only files need: the labels, and how the fit of
/// each pair ended.
Classifier completed(const std::variant<Model, Classifier> &model, std::vector<std::string> labels,
                     const std::vector<std::string> &status, const std::vector<double> &objective) {
    const auto *const two = std::get_if<Model>(&model);
    Classifier result = two != nullptr ? classifier_of(*two) : std::get<Classifier>(model);
    if (status.size() != result.pairs.size() || objective.size() != result.pairs.size())
        throw InvalidInput("the report does not fit the pairs");
    for (std::size_t k = 0; k < status.size(); ++k) {
        result.pairs[k].status = status_of(status[k]);
        result.pairs[k].objective = objective[k];
    }
    result.classes = std::move(labels);
    validate(result);
    return result;
}

} // namespace

void add_files(nb::module_ &module) {
    module.def("completed", &completed, "model"_a, "labels"_a, "status"_a, "objective"_a,
               "The classifier with its labels, and status and objective of each pair.");
    module.def("load", &load_classifier, "file"_a, "The classifier of a model file.");
    module.def("with_classes_in_order", &with_classes_in_order, "classifier"_a, "order"_a,
               "The same classifier with its classes in another order.");
    module.def(
        "save", [](const Classifier &classifier, const Path &file) { save(classifier, file); },
        "classifier"_a, "file"_a, "Write a model file.");
    module.def(
        "export_model",
        [](const Classifier &classifier, const Path &file, const std::string &to,
           const std::string &name,
           bool single) { export_model(classifier, file, to, {.name = name, .single = single}); },
        "classifier"_a, "file"_a, "to"_a, nb::kw_only(), "name"_a, "single"_a,
        "Write a file for another program.");
    module.def("to_json", &to_json, "classifier"_a, "All of a classifier, as text.");
    module.def(
        "from_json", [](const std::string &text) { return from_json(text, "JSON"); }, "text"_a,
        "The classifier of such a text.");
}

} // namespace hinge0::python
