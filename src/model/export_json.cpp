/// A classifier as JSON (docs/export.md has the schema).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

#include "hinge0/export.hpp"
#include "model/plain_labels.hpp"

namespace hinge0 {
namespace {

/// The shortest decimal that reads as the same double. Readers make an integer of "-0".
std::string text_of(double value) {
    std::string text = fmt::format("{}", value);
    return text == "-0" ? "-0.0" : text;
}
std::string text_of(Index value) { return std::to_string(value); }
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(std::string_view value) { return nlohmann::json(value).dump(); }

template <class Range> std::string list(const Range &values) {
    std::string out = "[";
    for (const auto &value : values) {
        if (out.size() > 1) out += ", ";
        out += text_of(value);
    }
    return out + "]";
}

class JsonWriter {
public:
    explicit JsonWriter(const Classifier &classifier) : model_(classifier) {}

    std::string write() {
        line("{{\n  \"format\": \"hinge0\",\n  \"version\": 1,\n");
        line("  \"kernel\": {},\n", kernel());
        line("  \"loss\": \"{}\",\n  \"C\": {},\n", name(model_.loss), text_of(model_.C));
        line("  \"multi_class\": \"{}\",\n", name(model_.scheme));
        line("  \"classes\": {},\n  \"class_weight\": {},\n", list(model_.classes),
             list(model_.class_weight));
        line("  \"features\": {},\n  \"training_rows\": {},\n", model_.features,
             model_.training_rows);
        line("  \"scaling\": {},\n", scaling());
        line("  \"support_vectors\": {{\n    \"rows\": {},\n", list(model_.rows));
        std::visit([&](const auto &rows) { vectors(rows); }, model_.support);
        line("  }},\n  \"pairs\": [");
        for (std::size_t k = 0; k < model_.pairs.size(); ++k) {
            line("{}\n    ", k > 0 ? "," : "");
            pair(model_.pairs[k]);
        }
        line("\n  ]\n}}\n");
        return std::move(out_);
    }

private:
    template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }
    [[nodiscard]] std::string kernel() const {
        std::string out = fmt::format(R"({{"name": "{}")", name(model_.kernel));
        for_each_parameter(model_.kernel, [&](std::string_view key, const auto &value) {
            out += fmt::format(", \"{}\": {}", key, text_of(value));
        });
        return out + "}";
    }
    [[nodiscard]] std::string scaling() const {
        if (model_.scaling.empty()) return "null";
        return fmt::format("{{\n    \"mean\": {},\n    \"scale\": {}\n  }}",
                           list(model_.scaling.mean), list(model_.scaling.scale));
    }
    /// "<key>": one list for each vector.
    template <class RowText>
    void lists(std::string_view key, const RowText &row, std::string_view end) {
        line("    \"{}\": [", key);
        for (Index i = 0; i < std::ssize(model_.rows); ++i)
            line("{}\n      {}", i > 0 ? "," : "", row(i));
        line("{}]{}\n", model_.rows.empty() ? "" : "\n    ", end);
    }
    void vectors(const DenseRows &rows) {
        line("    \"storage\": \"dense\",\n");
        lists(
            "values", [&](Index i) { return list(rows.row(i)); }, "");
    }
    void vectors(const SparseRows &rows) {
        const auto entries = [&](Index i, const auto &of) {
            std::vector<std::decay_t<decltype(of(SparseRows::InnerIterator(rows, 0)))>> result;
            for (SparseRows::InnerIterator it(rows, i); it; ++it) result.push_back(of(it));
            return list(result);
        };
        const auto index = [](const auto &it) { return Index{it.col()}; };
        const auto value = [](const auto &it) { return double{it.value()}; };
        line("    \"storage\": \"sparse\",\n");
        lists(
            "indices", [&](Index i) { return entries(i, index); }, ",");
        lists(
            "values", [&](Index i) { return entries(i, value); }, "");
    }
    void pair(const Pair &pair) {
        const auto [low, high] = pair.classes;
        line("{{\"classes\": [{}, {}], \"status\": \"{}\", \"objective\": {}, \"bias\": {},\n",
             low == Pair::rest ? "null" : text_of(low), high, to_string(pair.status),
             text_of(pair.objective), text_of(pair.bias));
        line("     \"support\": {},\n     \"coefficients\": {},\n     \"calibration\": ",
             list(pair.support), list(pair.coefficients));
        if (const auto *sigmoid = std::get_if<Sigmoid>(&pair.calibration))
            line(R"({{"name": "sigmoid", "slope": {}, "offset": {}}})", text_of(sigmoid->slope),
                 text_of(sigmoid->offset));
        else if (const auto *isotonic = std::get_if<Isotonic>(&pair.calibration))
            line(R"({{"name": "isotonic", "points": {}, "probabilities": {}}})", list(isotonic->at),
                 list(isotonic->value));
        else
            line("null");
        line("}}");
    }

    const Classifier &model_;
    std::string out_;
};

} // namespace

std::string to_json(const Classifier &classifier) {
    require_plain_labels(classifier, "JSON");
    return JsonWriter(classifier).write();
}

} // namespace hinge0
