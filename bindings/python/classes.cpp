/// Fits of many classes and their classifiers. Only converts, as module.cpp does.
#include "classes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "hinge0/hinge0.hpp"
#include "problem.hpp"
#include "report.hpp"
#include "watcher.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

Scheme scheme_of(const std::string &word) { return word == "ovr" ? Scheme::ovr : Scheme::ovo; }

/// A classifier from the attributes of a fitted estimator, checked once and for all. `coefficients`
/// and `places` of each pair.
Classifier classifier_of_parts(const KernelOptions &kernel, const std::string &loss, double C,
                               std::vector<double> class_weight, const std::string &scheme,
                               const Rows &support, const Integers &rows,
                               const std::vector<Integers> &places,
                               const std::vector<Doubles> &coefficients, const Doubles &biases,
                               Index features, Index training_rows) {
    Classifier result;
    result.kernel = make_kernel(kernel.name, kernel.parameters, features);
    const auto classes = static_cast<Index>(class_weight.size());
    for (Index c = 0; c < classes; ++c) result.classes.push_back(std::to_string(c));
    result.scheme = scheme_of(scheme);
    result.features = features;
    result.support = to_samples(support);
    result.rows.assign(rows.data(), rows.data() + rows.size());
    if (places.size() != biases.size() || coefficients.size() != places.size())
        throw InvalidInput("the pairs do not fit each other");
    for (std::size_t k = 0; k < places.size(); ++k) {
        Pair pair;
        pair.classes = pair_classes(result.scheme, classes, static_cast<Index>(k));
        pair.bias = biases.data()[k];
        pair.coefficients = to_vector(coefficients[k]);
        pair.support.assign(places[k].data(), places[k].data() + places[k].size());
        result.pairs.push_back(std::move(pair));
    }
    result.loss = make_loss(loss);
    result.C = C;
    result.class_weight = std::move(class_weight);
    result.training_rows = training_rows;
    validate(result);
    return result;
}

Dict fit_classes(const Rows &X, const Integers &labels, const std::vector<double> &class_weight,
                 const std::string &scheme, const KernelOptions &kernel, const Objective &objective,
                 const Settings &settings, nb::object callback) {
    Watcher watcher(std::move(callback));
    ClassFit fit;
    try {
        const nb::gil_scoped_release released;
        const Recipe recipe{.kernel = kernel.name,
                            .parameters = kernel.parameters,
                            .objective = objective,
                            .settings = settings};
        fit =
            train(labelled(to_samples(X), labels, static_cast<Index>(class_weight.size())), recipe,
                  {.scheme = scheme_of(scheme), .class_weight = class_weight}, std::ref(watcher));
    } catch (const Error &) {
        watcher.rethrow();
        throw;
    }
    watcher.rethrow();
    nb::list places, coefficients, reports;
    std::vector<double> biases;
    for (const Pair &pair : fit.classifier.pairs) {
        places.append(to_numpy<std::int64_t>(pair.support));
        coefficients.append(to_numpy<double>(pair.coefficients));
        biases.push_back(pair.bias);
    }
    for (const Report &report : fit.reports) reports.append(to_dict(report));
    Dict result;
    result["rows"] = to_numpy<std::int64_t>(fit.classifier.rows);
    result["places"] = places;
    result["coefficients"] = coefficients;
    result["biases"] = to_numpy<double>(biases);
    result["violators"] = to_numpy<std::int64_t>(fit.violators);
    result["report"] = to_dict(fit.summary());
    result["pairs"] = reports;
    result["classifier"] = nb::cast(std::move(fit.classifier));
    return result;
}

using Array = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

Array to_array(const Matrix &values) {
    const auto rows = static_cast<std::size_t>(values.rows());
    const auto cols = static_cast<std::size_t>(values.cols());
    auto *const copy = new double[rows * cols];
    Eigen::Map<DenseRows>(copy, values.rows(), values.cols()) = values;
    nb::capsule owner(copy, [](void *p) noexcept { delete[] static_cast<double *>(p); });
    return {copy, {rows, cols}, owner};
}

Array decide(const Rows &X, const Classifier &classifier, bool per_class, int threads) {
    Matrix values;
    {
        const nb::gil_scoped_release released;
        values = decision_values(classifier, to_samples(X), threads);
        if (per_class) values = class_values(classifier, values);
    }
    return to_array(values);
}

Array chances(const Rows &X, const Classifier &classifier, int threads) {
    Matrix values;
    {
        const nb::gil_scoped_release released;
        values = probabilities(classifier, decision_values(classifier, to_samples(X), threads));
    }
    return to_array(values);
}

nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> label(const Rows &X, const Classifier &classifier,
                                                        int threads) {
    std::vector<Index> found;
    {
        const nb::gil_scoped_release released;
        found = predict_classes(classifier, to_samples(X), threads);
    }
    return to_numpy<std::int64_t>(found);
}

nb::typed<nb::list, nb::any> check(const Rows &X, const Integers &labels,
                                   const Classifier &classifier,
                                   const std::optional<Doubles> &sample_weight) {
    std::vector<Verification> found;
    {
        const nb::gil_scoped_release released;
        const LabelledData data = labelled(to_samples(X), labels, std::ssize(classifier.classes));
        Classifier numbered = classifier; // as the labels are
        numbered.classes = data.classes();
        found = verify(numbered, data, sample_weight ? to_vector(*sample_weight) : Vector{});
    }
    nb::typed<nb::list, nb::any> result;
    for (const Verification &one : found) result.append(to_dict(one));
    return result;
}

} // namespace

void add_classes(nb::module_ &module) {
    nb::class_<Classifier>(module, "Classifier")
        .def(nb::new_(&classifier_of_parts), nb::kw_only(), "kernel"_a, "loss"_a, "C"_a,
             "class_weight"_a, "scheme"_a, "support"_a, "rows"_a.noconvert(), "places"_a,
             "coefficients"_a, "biases"_a.noconvert(), "features"_a, "training_rows"_a)
        .def_prop_ro(
            "kernel", [](const Classifier &model) { return Dict(to_dict(model.kernel)); },
            "Name and parameters.");
    module.def("fit_classes", &fit_classes, "X"_a, "labels"_a, "class_weight"_a, "scheme"_a,
               "kernel"_a, "objective"_a, "settings"_a, nb::kw_only(), "callback"_a.none(),
               "Train many classes; the keys of the result are rows, places, coefficients, biases, "
               "violators, report, pairs and classifier.");
    module.def("class_decisions", &decide, "X"_a, "classifier"_a, "per_class"_a, "threads"_a,
               "h(x) of every row and pair; or one value for each class.");
    module.def("class_probabilities", &chances, "X"_a, "classifier"_a, "threads"_a,
               "The probability of every row and class.");
    module.def("predict_classes", &label, "X"_a, "classifier"_a, "threads"_a,
               "The class of every row, as a number.");
    module.def("verify_classes", &check, "X"_a, "labels"_a, "classifier"_a,
               "sample_weight"_a.none(), "Objective and certificate of every pair.");
}

} // namespace hinge0::python
