/// hinge0 verify: a second opinion on a model, from the model and its training data alone.
#include <fmt/core.h>

#include <cmath>

#include "class_report.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "model/known_training.hpp"
#include "progress.hpp"
#include "report_text.hpp"
#include "weights_file.hpp"

namespace hinge0::cli {
namespace {

struct VerifyOptions {
    std::string model, weights;
    DataOptions data;
    bool json = false, quiet = false;
};

bool is_near(double found, double said) {
    return std::abs(found - said) <= 1e-6 * (1.0 + std::abs(said));
}

int verify_two(const VerifyOptions &options, const Model &model, const Dataset &data,
               const Vector &weights) {
    const Verification found = verify(model, data, weights, interrupt_requested);
    const Index rows = data.size();
    const bool agrees = is_near(found.objective, model.objective);
    if (!options.quiet)
        say(fmt::format("recomputed from {} and {} rows of data\n"
                        "  objective         {:.9g} ({} what the model says)\n"
                        "  support vectors   {}\n"
                        "  violators         {}\n"
                        "  training accuracy {:.2f} %\n{}",
                        printable(options.model), rows, found.objective, agrees ? "is" : "is NOT",
                        found.support_vectors, found.violators, 100 * found.train_accuracy,
                        in_words(found.certificate)));
    if (options.json)
        print({{"objective", found.objective},
               {"objective_agrees", agrees},
               {"constant_objective", found.constant_objective},
               {"half_norm_squared", found.half_norm_squared},
               {"violators", found.violators},
               {"support_vectors", found.support_vectors},
               {"train_accuracy", found.train_accuracy},
               {"rows", rows},
               {"features", model.features},
               {"C", model.C},
               {"local_minimum", found.certificate.local_minimum},
               {"certificate", to_json(found.certificate)}});
    if (!agrees)
        throw InvalidInput(fmt::format("the objective is {:.9g}, the model says {:.9g}",
                                       found.objective, model.objective),
                           options.model);
    return found.certificate.local_minimum ? Exit::done : Exit::not_converged;
}

int verify_many(const VerifyOptions &options, const Classifier &model, const LabelledData &data,
                const Vector &weights) {
    const std::vector<Verification> found = verify(model, data, weights, interrupt_requested);
    std::size_t agreeing = 0;
    while (agreeing < found.size() &&
           is_near(found[agreeing].objective, model.pairs[agreeing].objective))
        ++agreeing;
    const bool agrees = agreeing == found.size(), certified = all_certified(found);
    const Index violators = total(found, &Verification::violators);
    if (!options.quiet)
        say(fmt::format("recomputed from {} and {} rows of data: {} classes, {} pairs\n"
                        "  objectives        {} what the model says\n"
                        "  support vectors   {} rows, used {} times\n"
                        "  violators         {}\n"
                        "  local minima      {}\n",
                        printable(options.model), data.size(), model.classes.size(), found.size(),
                        agrees ? "are" : "are NOT", model.rows.size(),
                        total(found, &Verification::support_vectors), violators,
                        certified ? "all pairs are certified" : "not all pairs are certified"));
    if (options.json)
        print({{"objective_agrees", agrees},
               {"violators", violators},
               {"support_vectors", model.rows.size()},
               {"rows", data.size()},
               {"features", model.features},
               {"C", model.C},
               {"classes", model.classes},
               {"local_minimum", certified},
               {"pairs", to_json(model, found)}});
    if (!agrees)
        throw InvalidInput(fmt::format("the objective of pair {} is {:.9g}, the model says {:.9g}",
                                       agreeing + 1, found[agreeing].objective,
                                       model.pairs[agreeing].objective),
                           options.model);
    return certified ? Exit::done : Exit::not_converged;
}

int verify_command(VerifyOptions &options) {
    const Classifier model = load_classifier(options.model);
    naming(options.model, [&] { check_known_training(model.training_rows); });
    catch_interrupts();
    options.data.read.should_stop = interrupt_requested;
    options.data.read.precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    return naming(options.data.file, [&] {
        Table table = options.data.load();
        Vector weights = table.weights;
        // The model knows which label was +1, also when that was chosen with --positive.
        LabelledData data(std::move(table), model.is_binary() ? model.classes[1] : "");
        if (!options.weights.empty()) weights = read_weights(options.weights, data.size());
        return model.is_binary()
                   ? verify_two(options, model_of(model, 0), Dataset(std::move(data)), weights)
                   : verify_many(options, model, data, weights);
    });
}

} // namespace

Command add_verify(CLI::App &program) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App *app = program.add_subcommand(
        "verify", "recompute a model's objective and certificate by separate code");
    app->add_option("MODEL", options->model, "a model file of hinge0 train")->required();
    options->data.add_to(*app);
    app->add_option("--weights", options->weights, "the file of train's --weights");
    app->add_flag("--json", options->json, "print the findings as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no words");
    app->footer(
        "DATA must be the training data, in the same order. Exit status 0: the model is a "
        "certified\nlocal minimum; 3: it is not; 1: the model does not belong to the data.");
    return {app, [options] { return verify_command(*options); }};
}

} // namespace hinge0::cli
