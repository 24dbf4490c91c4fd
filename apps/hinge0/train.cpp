/// hinge0 train: data file in, model file and report out.
#include <fmt/core.h>

#include <algorithm>
#include <typeinfo>

#include "checks.hpp"
#include "class_report.hpp"
#include "commands.hpp"
#include "core/memory.hpp"
#include "core/printable.hpp"
#include "fit_options.hpp"
#include "hinge0/hinge0.hpp"
#include "model_output.hpp"
#include "progress.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

struct TrainOptions {
    FitOptions fit;
    std::string output, trace;
    int folds = CalibrationSettings{}.folds;
    bool json = false, quiet = false;
};

void check_options(TrainOptions &options) {
    options.fit.check();
    if (options.output.empty()) options.output = default_output(options.fit.data.file);
    if (options.json && options.output == "-")
        throw UsageError(
            "-o - and --json would both write to standard output: name a file with -o");
    const std::string data = find_data(options.fit.data.file);
    const std::string start = options.fit.starts_from_model() ? options.fit.start : "";
    for (const auto &[option, file] :
         {std::pair("-o", options.output), {"--trace", options.trace}}) {
        refuse_overwriting(option, file, "DATA", data);
        refuse_overwriting(option, file, "the model of --start", start);
    }
    refuse_overwriting("--trace", options.trace, "the model of -o", options.output);
}

Fit fit_in_time(TrainOptions &options, const Deadline &deadline, Dataset data, TraceFile &trace) {
    std::optional<Vector> start;
    if (options.fit.starts_from_model())
        start = decision_function(load_model(options.fit.start), data.samples(),
                                  options.fit.recipe.settings.threads);
    ProgressLine line(!options.quiet);
    const auto observer = [&](const Progress &progress) {
        trace.write(progress);
        line.show(progress);
        return !interrupt_requested();
    };
    try {
        return train(std::move(data), options.fit.recipe, observer, start);
    } catch (const Error &e) {
        // The solver throws a plain Error when its time is over, and names what was left of it.
        if (typeid(e) != typeid(Error) || !deadline.is_over()) throw;
        throw Error(deadline.in_words() + " before there is a model",
                    "allow more time, or train on fewer rows");
    }
}

ClassFit fit_classes(const TrainOptions &options, const Deadline &deadline, LabelledData data) {
    if (options.fit.starts_from_model())
        throw UsageError("--start MODEL is for two classes, without --calibrate");
    if (!options.trace.empty()) throw UsageError("--trace is for two classes, without --calibrate");
    ProgressLine line(!options.quiet);
    const auto observer = [&](const Progress &progress) {
        line.show(progress);
        return !interrupt_requested();
    };
    try {
        if (options.fit.calibration.empty())
            return train(std::move(data), options.fit.recipe, options.fit.classes, observer);
        const CalibrationSettings calibration{.kind = options.fit.calibration == "sigmoid"
                                                          ? CalibrationKind::sigmoid
                                                          : CalibrationKind::isotonic,
                                              .folds = options.folds};
        // first, because it refuses classes with few rows
        (void)stratified_splits(data, calibration.folds, 1, 0);
        ClassFit fit = train(data, options.fit.recipe, options.fit.classes, observer);
        Recipe recipe = options.fit.recipe;
        recipe.settings.time_limit = std::max(1e-3, deadline.left());
        calibrate(fit, std::move(data), recipe, options.fit.classes, calibration, observer);
        return fit;
    } catch (const Error &e) {
        if (typeid(e) != typeid(Error) || !deadline.is_over()) throw;
        throw Error(deadline.in_words() + " before there is a model",
                    "allow more time, or train on fewer rows");
    }
}

void tell(const TrainOptions &options, const std::string &words, Json json) {
    const bool to_stdout = options.output == "-";
    if (!options.quiet)
        say(fmt::format("{}model written to {}\n", words,
                        to_stdout ? "standard output" : printable(options.output)));
    if (!options.json) return;
    json.update({{"model", options.output}, {"version", version}});
    print(json);
}

int exit_status(const Report &report) {
    if (report.status == Status::interrupted) return Exit::interrupted;
    return report.reached_its_goal() ? Exit::done : Exit::not_converged;
}

/// Before it is taken, where it is not little.
void tell_memory(double need, double limit) {
    constexpr double mib = 1024.0 * 1024;
    if (need < 256 * mib) return;
    const std::string have = limit > 0
                                 ? "the memory limit"
                                 : fmt::format("{:.0f} MiB available", available_memory() / mib);
    say(fmt::format("training holds at most {:.0f} MiB ({})\n", need / mib, have));
}

int train_two(TrainOptions &options, const Deadline &deadline, Dataset data, double read) {
    TraceFile trace(options.trace);
    Fit fit = naming(options.fit.data.file,
                     [&] { return fit_in_time(options, deadline, std::move(data), trace); });
    write_model(fit.model, options.output);
    trace.close(); // after the model: a full disk must not cost the fit
    fit.report.seconds.read = read;
    fit.report.seconds.total = deadline.seconds();
    Json json = to_json(fit.report);
    json["classes"] = fit.model.classes;
    tell(options, in_words(fit.report), std::move(json));
    return exit_status(fit.report);
}

int train_many(TrainOptions &options, const Deadline &deadline, LabelledData data, double read) {
    ClassFit fit = naming(options.fit.data.file,
                          [&] { return fit_classes(options, deadline, std::move(data)); });
    write_model(fit.classifier, options.output);
    fit.seconds.read = read;
    fit.seconds.total = deadline.seconds();
    tell(options, in_words(fit), to_json(fit));
    return exit_status(fit.summary());
}

int train_command(TrainOptions &options) {
    const Deadline deadline(options.fit.recipe.settings.time_limit);
    check_options(options);
    catch_interrupts();
    LabelledData data = options.fit.read(deadline);
    const double read = deadline.seconds();
    const Settings &settings = options.fit.recipe.settings;
    const double memory = memory_estimate(data.samples(), settings);
    if (!options.quiet) tell_memory(memory, settings.memory_limit);
    return data.classes().size() == 2 && options.fit.calibration.empty()
               ? train_two(options, deadline, Dataset(std::move(data)), read)
               : train_many(options, deadline, std::move(data), read);
}

} // namespace

Command add_train(CLI::App &program) {
    auto options = std::make_shared<TrainOptions>();
    CLI::App *app = program.add_subcommand("train", "train a classifier, write its model");
    app->add_option("-o,--output", options->output,
                    "model file (default: DATA.model, here; '-' is standard output)");
    options->fit.add_to(*app);
    app->add_option("--folds", options->folds, "of the cross-validation of --calibrate")
        ->transform(whole_number_in(2, 1000000))
        ->needs("--calibrate");
    app->add_option("--trace", options->trace,
                    "write one CSV line an iteration, or a minimum on the way, to this file");
    app->add_flag("--json", options->json, "print the report as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no report, no progress");
    app->footer(std::string("Examples:\n"
                            "  hinge0 train heart.csv --label disease --standardize -C 2\n"
                            "  xzcat big.xz | hinge0 train - -o big.model --gamma 0.5 -C 8\n"
                            "  hinge0 train digits.libsvm --multi-class ovr --weight balanced\n"
                            "  hinge0 train digits.libsvm --positive 3 --kernel laplacian\n\n") +
                exit_statuses);
    return {app, [options] { return train_command(*options); }};
}

} // namespace hinge0::cli
