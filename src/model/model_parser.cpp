/// Text of format 1 -> Model.
#include <fmt/format.h>

#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "model/model_file.hpp"
#include "model/model_reading.hpp"

namespace hinge0 {
namespace {

using namespace model_reading;

void read_training(WordReader &reader, Model &model) {
    model.loss = read_loss(reader);
    model.C = read_line(reader, "C", [&] { return reader.positive_number("C"); });
    model.class_weight = read_line(reader, "class_weight", [&] {
        const double negative = reader.positive_number("class_weight");
        return std::array{negative, reader.positive_number("class_weight")};
    });
    model.classes = read_line(reader, "classes", [&] {
        std::string negative = read_label(reader);
        return std::array{std::move(negative), read_label(reader)};
    });
    if (model.classes[0] == model.classes[1])
        reader.fail("the two class labels are equal, both " + in_quotes(model.classes[0]));
    read_sizes(reader, model.kernel, 1, model.features, model.training_rows);
    model.status = read_line(reader, "status", [&] { return read_status(reader); });
    model.objective = read_line(reader, "objective", [&] { return reader.number("objective"); });
}

/// Support vectors with rows and coefficients.
void read_expansion(WordReader &reader, Model &model) {
    std::vector<double> coefficients;
    const auto begin = [&](Index) {
        model.rows.push_back(read_rising_row(reader, model.rows, model.training_rows));
        coefficients.push_back(reader.number("coefficient"));
        if (coefficients.back() == 0) reader.fail("a coefficient must not be zero");
    };
    const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    // "1 1\n" is the shortest beginning.
    model.support =
        read_support(reader, precomputed ? 0 : model.features, {.least_bytes = 4, .begin = begin});
    model.coefficients =
        Eigen::Map<const Vector>(coefficients.data(), static_cast<Index>(coefficients.size()));
    if (reader.next_line())
        reader.fail(fmt::format("support_vectors says {}, but more lines follow",
                                model.coefficients.size()));
}

} // namespace

Model parse_model(std::string_view text, const std::string &name, bool check_sum) {
    if (format_of(text, name) != 1)
        throw FileError("a model of several classes, with probabilities or of another program: "
                        "this needs one of two classes that hinge0 has trained",
                        name + ":1");
    WordReader reader(check_last_line(text, name, check_sum), name);
    static_cast<void>(reader.next_line());
    Model model;
    model.kernel = read_kernel(reader);
    read_training(reader, model);
    model.scaling = read_scaling(reader, model.kernel, model.features);
    model.bias = read_line(reader, "bias", [&] { return reader.number("bias"); });
    read_expansion(reader, model);
    return model;
}

} // namespace hinge0
