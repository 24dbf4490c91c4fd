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

int describe_two(const InfoOptions &options, const Model &model) {
    if (options.json) {
        print({{"classes", model.classes},
               {"kernel", to_json(model.kernel)},
               {"loss", name(model.loss)},
               {"C", model.C},
               {"class_weight", model.class_weight},
               {"features", model.features},
               {"training_rows", model.training_rows},
               {"standardized", !model.scaling.empty()},
               {"bias", model.bias},
               {"objective", model.objective},
               {"status", to_string(model.status)},
               {"support_vectors", model.coefficients.size()},
               {"support_rows", row_numbers(model.rows)}});
        return Exit::done;
    }
    write_output(fmt::format("{}: tells '{}' (h > 0) from '{}' by {} features{}\n"
                             "  kernel           {}\n"
                             "  loss             {}, C = {:.6g}, class weights {:.6g} and {:.6g}\n"
                             "  training         {} rows, {}, objective {:.9g}\n"
                             "  support vectors  {}, bias {:.6g}\n",
                             printable(options.model), printable(model.classes[1]),
                             printable(model.classes[0]), model.features,
                             model.scaling.empty() ? "" : ", standardised", in_words(model.kernel),
                             name(model.loss), model.C, model.class_weight[0],
                             model.class_weight[1], model.training_rows, to_string(model.status),
                             model.objective, model.coefficients.size(), model.bias));
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
             {"objective", pair.objective},
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
               {"C", model.C},
               {"class_weight", model.class_weight},
               {"features", model.features},
               {"training_rows", model.training_rows},
               {"standardized", !model.scaling.empty()},
               {"support_vectors", model.rows.size()},
               {"support_rows", row_numbers(model.rows)},
               {"pairs", pairs_json(model)}});
        return Exit::done;
    }
    std::string text = fmt::format(
        "{}: tells {} classes apart by {} features{}, {} ({} pairs), probabilities: {}\n"
        "  kernel           {}\n"
        "  loss             {}, C = {:.6g}\n"
        "  training         {} rows\n"
        "  support vectors  {}\n",
        printable(options.model), model.classes.size(), model.features,
        model.scaling.empty() ? "" : ", standardised", name(model.scheme), model.pairs.size(),
        name(model.pairs[0].calibration), in_words(model.kernel), name(model.loss), model.C,
        model.training_rows, model.rows.size());
    for (const Pair &pair : model.pairs) {
        const auto [low, high] = pair.classes;
        text += fmt::format(
            "  '{}' (h > 0) from '{}': {} support vectors, bias {:.6g}, {}, objective {:.9g}\n",
            printable(model.classes[static_cast<std::size_t>(high)]),
            low == Pair::rest ? "rest" : printable(model.classes[static_cast<std::size_t>(low)]),
            pair.support.size(), pair.bias, to_string(pair.status), pair.objective);
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
