/// hinge0 info: a model in words, or the program itself.
#include <fmt/format.h>

#include "commands.hpp"
#include "core/printable.hpp"
#include "gram/gram.hpp"
#include "hinge0/hinge0.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

struct InfoOptions {
    std::string model;
    bool json = false;
};

int describe_program(bool json) {
    const BuildInfo build = build_info();
    if (json)
        print({{"version", version},
               {"compiler", build.compiler},
               {"blas", build.blas},
               {"instruction_set", build.instruction_set},
               {"backends", backend_names()},
               {"threads", build.threads}});
    else
        write_output(fmt::format("hinge0 {}\n  compiler         {}\n  BLAS             {}\n"
                                 "  kernel maps      {}\n  back ends        {}\n"
                                 "  threads          {}\n",
                                 version, build.compiler, build.blas, build.instruction_set,
                                 fmt::join(backend_names(), ", "), build.threads));
    return Exit::done;
}

/// Counted from 1, as in the model file.
std::vector<Index> row_numbers(std::vector<Index> rows) {
    for (Index &row : rows) ++row;
    return rows;
}

/// A number of the training; null where another program did it.
template <class AnyModel> Json if_known(const AnyModel &model, Json &&value) {
    return model.training_rows > 0 ? std::move(value) : Json();
}

/// The lines about loss and training.
template <class AnyModel>
std::string training_in_words(const AnyModel &model, const std::string &weights,
                              const std::string &outcome) {
    if (model.training_rows == 0)
        return fmt::format("  loss             {}, C not known\n"
                           "  training         by another program: cannot be verified\n",
                           name(model.loss));
    return fmt::format("  loss             {}, C = {:.6g}{}\n  training         {} rows{}\n",
                       name(model.loss), model.C, weights, model.training_rows, outcome);
}

int describe_two(const InfoOptions &options, const Model &model) {
    if (options.json) {
        print({{"classes", model.classes},
               {"kernel", to_json(model.kernel)},
               {"loss", name(model.loss)},
               {"C", if_known(model, model.C)},
               {"class_weight", model.class_weight},
               {"features", model.features},
               {"training_rows", if_known(model, model.training_rows)},
               {"standardized", !model.scaling.empty()},
               {"bias", model.bias},
               {"objective", if_known(model, model.objective)},
               {"status", to_string(model.status)},
               {"support_vectors", model.coefficients.size()},
               {"support_rows", if_known(model, row_numbers(model.rows))}});
        return Exit::done;
    }
    const std::string weights = fmt::format(", class weights {:.6g} and {:.6g}",
                                            model.class_weight[0], model.class_weight[1]),
                      outcome = fmt::format(", {}, objective {:.9g}", to_string(model.status),
                                            model.objective);
    write_output(fmt::format(
        "{}: tells '{}' (h > 0) from '{}' by {} features{}\n"
        "  kernel           {}\n{}"
        "  support vectors  {}, bias {:.6g}\n",
        printable(options.model), printable(model.classes[1]), printable(model.classes[0]),
        model.features, model.scaling.empty() ? "" : ", standardised", in_words(model.kernel),
        training_in_words(model, weights, outcome), model.coefficients.size(), model.bias));
    return Exit::done;
}

Json pairs_json(const Classifier &model) {
    Json pairs = Json::array();
    for (const Pair &pair : model.pairs) {
        const auto [low, high] = pair.classes;
        pairs.push_back(
            {{"classes",
              {low == Pair::rest ? "rest" : model.classes[static_cast<std::size_t>(low)],
               model.classes[static_cast<std::size_t>(high)]}},
             {"bias", pair.bias},
             {"objective", if_known(model, pair.objective)},
             {"status", to_string(pair.status)},
             {"support_vectors", pair.support.size()}});
    }
    return pairs;
}

int describe_many(const InfoOptions &options, const Classifier &model) {
    if (options.json) {
        print({{"classes", model.classes},
               {"multi_class", name(model.scheme)},
               {"calibration", name(model.pairs[0].calibration)},
               {"kernel", to_json(model.kernel)},
               {"loss", name(model.loss)},
               {"C", if_known(model, model.C)},
               {"class_weight", model.class_weight},
               {"features", model.features},
               {"training_rows", if_known(model, model.training_rows)},
               {"standardized", !model.scaling.empty()},
               {"support_vectors", model.rows.size()},
               {"support_rows", if_known(model, row_numbers(model.rows))},
               {"pairs", pairs_json(model)}});
        return Exit::done;
    }
    std::string text = fmt::format(
        "{}: tells {} classes apart by {} features{}, {} ({} pairs), probabilities: {}\n"
        "  kernel           {}\n{}"
        "  support vectors  {}\n",
        printable(options.model), model.classes.size(), model.features,
        model.scaling.empty() ? "" : ", standardised", name(model.scheme), model.pairs.size(),
        name(model.pairs[0].calibration), in_words(model.kernel), training_in_words(model, "", ""),
        model.rows.size());
    for (const Pair &pair : model.pairs) {
        const auto [low, high] = pair.classes;
        text += fmt::format(
            "  '{}' (h > 0) from '{}': {} support vectors, bias {:.6g}{}\n",
            printable(model.classes[static_cast<std::size_t>(high)]),
            low == Pair::rest ? "rest" : printable(model.classes[static_cast<std::size_t>(low)]),
            pair.support.size(), pair.bias,
            model.training_rows > 0
                ? fmt::format(", {}, objective {:.9g}", to_string(pair.status), pair.objective)
                : "");
    }
    write_output(text);
    return Exit::done;
}

int describe_model(const InfoOptions &options) {
    const Classifier model = load_classifier(options.model);
    return model.is_binary() && !model.is_calibrated() ? describe_two(options, model_of(model, 0))
                                                       : describe_many(options, model);
}

} // namespace

Command add_info(CLI::App &program) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App *app = program.add_subcommand("info", "describe a model, or this program");
    app->add_option("MODEL", options->model, "a model file; without one: version and build");
    app->add_flag("--json", options->json, "as one JSON object");
    return {app, [options] {
                return options->model.empty() ? describe_program(options->json)
                                              : describe_model(*options);
            }};
}

} // namespace hinge0::cli
