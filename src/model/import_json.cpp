/// JSON as docs/export.md has it -> Classifier.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"
#include "model/json_value.hpp"
#include "model/model_reading.hpp"

namespace hinge0 {
namespace {

using model_reading::most_classes, model_reading::most_features, model_reading::most_rows;

/// The one of `all` that has this name.
template <class Choice, class Name>
Choice one_of(const JsonValue &value, std::initializer_list<Choice> all, const Name &name) {
    const std::string word = value.text();
    for (const Choice &choice : all)
        if (name(choice) == word) return choice;
    value.fail(fmt::format("is unknown: {}", in_quotes(word)));
}

Kernel read_kernel(const JsonValue &value) {
    Kernel kernel;
    try {
        kernel = make_kernel(value["name"].text(), {}, 1);
    } catch (const InvalidInput &) {
        value["name"].fail(fmt::format("is unknown: {}", in_quotes(value["name"].text())));
    }
    std::vector<std::string_view> keys{"name"};
    for_each_parameter(kernel, [&](const char *key, auto &parameter) {
        keys.emplace_back(key);
        if constexpr (std::is_same_v<decltype(parameter), int &>)
            parameter = static_cast<int>(value[key].integer(0, std::numeric_limits<int>::max()));
        else
            parameter = value[key].number();
    });
    value.expect_keys(keys);
    return kernel;
}

std::vector<std::string> read_classes(const JsonValue &value) {
    if (value.size() < 2 || static_cast<Index>(value.size()) > most_classes)
        value.fail(fmt::format("must be 2 to {} labels, got {}", most_classes, value.size()));
    std::vector<std::string> classes;
    for (std::size_t i = 0; i < value.size(); ++i) {
        classes.push_back(value[i].text());
        if (std::ranges::any_of(classes.back(), is_control))
            value[i].fail("holds control characters");
    }
    return classes;
}

DenseRows read_dense(const JsonValue &values, std::size_t count, Index columns) {
    // Lengths first: a count that is not true must not take memory.
    for (std::size_t i = 0; i < count; ++i)
        if (static_cast<Index>(values[i].size()) != columns)
            values[i].fail(fmt::format("must have {} numbers, got {}", columns, values[i].size()));
    DenseRows result(static_cast<Index>(count), columns);
    for (std::size_t i = 0; i < count; ++i)
        result.row(static_cast<Index>(i)) = values[i].numbers(columns).transpose();
    return result;
}

SparseRows read_sparse(const JsonValue &values, const JsonValue &indices, std::size_t count,
                       Index columns) {
    if (indices.size() != count)
        indices.fail(fmt::format("must have {} lists, got {}", count, indices.size()));
    SparseRows result(static_cast<Index>(count), columns);
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = static_cast<Index>(i);
        const std::vector<Index> places = indices[i].rising(0, columns - 1);
        const Vector numbers = values[i].numbers(std::ssize(places));
        result.startVec(row);
        for (std::size_t k = 0; k < places.size(); ++k)
            result.insertBack(row, places[k]) = numbers(static_cast<Index>(k));
    }
    result.finalize();
    return result;
}

void read_support(const JsonValue &value, Classifier &model) {
    const bool sparse =
        one_of(value["storage"], {false, true}, [](bool s) { return s ? "sparse" : "dense"; });
    if (sparse)
        value.expect_keys({"rows", "storage", "indices", "values"});
    else
        value.expect_keys({"rows", "storage", "values"});
    model.rows =
        value["rows"].rising(0, model.training_rows > 0 ? model.training_rows - 1 : most_rows);
    const JsonValue values = value["values"];
    if (values.size() != model.rows.size())
        values.fail(fmt::format("must have {} lists, got {}", model.rows.size(), values.size()));
    const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    const Index columns = precomputed ? 0 : model.features;
    if (sparse)
        model.support = read_sparse(values, value["indices"], model.rows.size(), columns);
    else
        model.support = read_dense(values, model.rows.size(), columns);
}

Calibration read_calibration(const JsonValue &value) {
    if (value.is_null()) return {};
    const bool smooth =
        one_of(value["name"], {false, true}, [](bool s) { return s ? "sigmoid" : "isotonic"; });
    if (smooth) {
        value.expect_keys({"name", "slope", "offset"});
        return Sigmoid{.slope = value["slope"].number(), .offset = value["offset"].number()};
    }
    value.expect_keys({"name", "points", "probabilities"});
    return Isotonic{.at = value["points"].numbers(), .value = value["probabilities"].numbers()};
}

Pair read_pair(const JsonValue &value, const Classifier &model) {
    value.expect_keys(
        {"classes", "status", "objective", "bias", "support", "coefficients", "calibration"});
    const auto last = static_cast<Index>(model.classes.size()) - 1;
    const JsonValue classes = value["classes"];
    if (classes.size() != 2) classes.fail("must be two classes");
    Pair pair;
    pair.classes = {classes[0].is_null() ? Pair::rest : classes[0].integer(0, last),
                    classes[1].integer(0, last)};
    pair.status =
        one_of(value["status"],
               {Status::converged, Status::max_iterations, Status::time_limit, Status::interrupted},
               [](Status status) { return to_string(status); });
    pair.objective = value["objective"].number();
    pair.bias = value["bias"].number();
    pair.support = value["support"].rising(0, std::ssize(model.rows) - 1);
    pair.coefficients = value["coefficients"].numbers(std::ssize(pair.support));
    pair.calibration = read_calibration(value["calibration"]);
    return pair;
}

Classifier read_model(const JsonValue &value) {
    if (value["format"].text() != "hinge0") value.fail("is not of the format \"hinge0\"");
    if (const Index version = value["version"].integer(1, most_rows); version != 1)
        value.fail(fmt::format("has version {}; this hinge0 reads version 1", version));
    value.expect_keys({"format", "version", "kernel", "loss", "C", "multi_class", "classes",
                       "class_weight", "features", "training_rows", "scaling", "support_vectors",
                       "pairs"});
    Classifier model;
    model.kernel = read_kernel(value["kernel"]);
    model.loss = one_of<Loss>(value["loss"], {L0Loss{}, HingeLoss{}, SquaredHingeLoss{}},
                              [](const Loss &loss) { return name(loss); });
    model.C = value["C"].number();
    model.scheme = one_of(value["multi_class"], {Scheme::ovo, Scheme::ovr},
                          [](Scheme scheme) { return name(scheme); });
    model.classes = read_classes(value["classes"]);
    const Vector weight = value["class_weight"].numbers(std::ssize(model.classes));
    model.class_weight.assign(weight.begin(), weight.end());
    model.features = value["features"].integer(1, most_features);
    model.training_rows = value["training_rows"].integer(0, most_rows);
    if (const JsonValue scaling = value["scaling"]; !scaling.is_null()) {
        scaling.expect_keys({"mean", "scale"});
        model.scaling = {scaling["mean"].numbers(model.features),
                         scaling["scale"].numbers(model.features)};
    }
    read_support(value["support_vectors"], model);
    const JsonValue pairs = value["pairs"];
    for (std::size_t k = 0; k < pairs.size(); ++k)
        model.pairs.push_back(read_pair(pairs[k], model));
    return model;
}

} // namespace

Classifier from_json(std::string_view text, const std::string &name) {
    const nlohmann::json document = parse_json(text, name);
    Classifier model = read_model(JsonValue(document, "the model", name));
    try {
        validate(model);
    } catch (const InvalidInput &error) {
        throw FileError(error.what(), name);
    }
    return model;
}

} // namespace hinge0
