/// hinge0 verify: a second opinion on a model, from the model and its training data alone.
#include <fmt/core.h>

#include <cmath>

#include "commands.hpp"
#include "core/printable.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "progress.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

struct VerifyOptions {
    std::string model;
    DataOptions data;
    bool json = false, quiet = false;
};

int verify_command(VerifyOptions &options) {
    const Model model = load_model(options.model);
    catch_interrupts();
    options.data.read.should_stop = interrupt_requested;
    options.data.read.precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    // The model knows which label was +1, also when that was chosen with --positive.
    const auto [rows, found] = naming(options.data.file, [&] {
        const Dataset data(options.data.load(), model.classes[1]);
        return std::pair(data.size(), verify(model, data, {}, interrupt_requested));
    });
    const bool agrees =
        std::abs(found.objective - model.objective) <= 1e-6 * (1.0 + std::abs(model.objective));
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

} // namespace

Command add_verify(CLI::App &program) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App *app = program.add_subcommand(
        "verify", "recompute a model's objective and certificate by separate code");
    app->add_option("MODEL", options->model, "a model file of hinge0 train")->required();
    options->data.add_to(*app);
    app->add_flag("--json", options->json, "print the findings as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no words");
    app->footer(
        "DATA must be the training data, in the same order. Exit status 0: the model is a "
        "certified\nlocal minimum; 3: it is not; 1: the model does not belong to the data.");
    return {app, [options] { return verify_command(*options); }};
}

} // namespace hinge0::cli
