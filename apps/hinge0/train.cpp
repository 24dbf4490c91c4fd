/// hinge0 train: data file in, model file and report out.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "commands.hpp"
#include "core/printable.hpp"
#include "data/text.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "progress.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct TrainOptions {
    DataOptions data;
    std::string output, positive, trace;
    std::string loss = "l0", kernel = "rbf", gamma = "scale", solver = "exact", start = "hinge";
    std::vector<std::string> weights;
    double coef0 = 0;
    bool coef0_given = false;
    KernelParameters parameters;
    Objective objective;
    Settings settings;
    bool standardize = false, json = false, quiet = false;
};

/// Runs a check of option values; what it refuses is a usage error.
template <class Check> auto checked(const Check &check) {
    try {
        return check();
    } catch (const InvalidInput &e) {
        throw UsageError(e.what());
    }
}

double number(const std::string &option, const std::string &text) {
    if (!positive_number()(const_cast<std::string &>(text)).empty())
        throw UsageError(fmt::format("{} must be a positive number, got '{}'", option, text));
    return std::stod(text);
}

Kernel kernel_for(TrainOptions &options, const Samples &samples) {
    KernelParameters p = options.parameters;
    if (options.gamma == "scale")
        p.gamma = options.kernel == "precomputed" ? 1.0 : gamma_scale(samples);
    else if (options.gamma == "auto")
        p.gamma = gamma_auto(samples);
    else
        p.gamma = number("--gamma", options.gamma);
    p.coef0 = options.coef0_given ? options.coef0 : (options.kernel == "imq" ? 1.0 : 0.0);
    return checked([&] { return make_kernel(options.kernel, p, feature_count(samples)); });
}

/// --weight LABEL=NUM, where LABEL is written as in the data or as a number of the same value.
std::array<double, 2> class_weights(const std::vector<std::string> &weights,
                                    const std::array<std::string, 2> &classes) {
    std::array<double, 2> result{1.0, 1.0};
    for (const std::string &weight : weights) {
        const auto split = weight.rfind('=');
        if (split == std::string::npos)
            throw UsageError(fmt::format("--weight must be LABEL=NUM, got '{}'", weight));
        const std::string label = canonical_label(weight.substr(0, split)).value_or("nan");
        if (label != classes[0] && label != classes[1])
            throw UsageError(
                fmt::format("--weight names the label '{}', the data has '{}' and '{}'", label,
                            classes[0], classes[1]));
        result[label == classes[1] ? 1 : 0] = number("--weight", weight.substr(split + 1));
    }
    return result;
}

/// Where the model goes when -o does not say: as LIBSVM does, DATA.model in this folder.
std::string default_output(const std::string &data) {
    if (data == "-") throw UsageError("reading standard input: name the model with -o");
    return std::filesystem::path(data).filename().string() + ".model";
}

void check_options(TrainOptions &options) {
    checked([&] {
        options.objective.loss = make_loss(options.loss);
        validate(options.objective, 0);
        validate(options.settings);
    });
    options.settings.method = options.solver == "admm" ? Method::admm : Method::exact;
    options.settings.start = options.start == "admm" ? Start::admm : Start::hinge;
    if (options.settings.method == Method::admm && options.start != "hinge")
        throw UsageError("--start belongs to --solver exact");
    if (options.gamma != "scale" && options.gamma != "auto") number("--gamma", options.gamma);
    if (options.standardize && options.kernel == "precomputed")
        throw UsageError("--standardize scales features; a precomputed kernel has none");
    if (options.output.empty()) options.output = default_output(options.data.file);
}

/// Reads the data, and scales it if asked to; `start` becomes the decision values of --start MODEL.
Dataset load(TrainOptions &options, Scaling &scaling, std::optional<Vector> &start) {
    Table table = options.data.load();
    if (options.start != "hinge" && options.start != "admm")
        start =
            decision_function(load_model(options.start), table.samples, options.settings.threads);
    if (options.standardize) {
        scaling = standard_scaling(table.samples);
        table.samples = scaled(scaling, table.samples);
    }
    return Dataset(std::move(table), options.positive);
}

int train_command(TrainOptions &options) {
    const auto begin = Clock::now();
    check_options(options);
    catch_interrupts();
    options.data.read.precomputed = options.kernel == "precomputed";
    options.data.read.memory_limit = options.settings.memory_limit;
    options.data.read.should_stop = interrupt_requested;
    Scaling scaling;
    std::optional<Vector> start;
    Dataset data = naming(options.data.file, [&] { return load(options, scaling, start); });
    options.objective.class_weight = class_weights(options.weights, data.classes());
    const double read = std::chrono::duration<double>(Clock::now() - begin).count();

    const Index rows = data.size(), features = data.features();
    TraceFile trace(options.trace);
    Fit fit = naming(options.data.file, [&] {
        const Kernel kernel = kernel_for(options, data.samples());
        ProgressLine line(!options.quiet);
        const auto observer = [&](const Progress &progress) {
            trace.write(progress);
            line.show(progress);
            return !interrupt_requested();
        };
        return train(std::move(data), kernel, options.objective, options.settings, observer, start);
    });
    fit.model.scaling = scaling;
    save(fit.model, options.output);
    trace.close(); // after the model: a full disk must not cost the fit

    fit.report.seconds.read = read;
    fit.report.seconds.total = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!options.quiet)
        say(fmt::format("{}model written to {}\n", in_words(fit.report),
                        printable(options.output)));
    if (options.json) {
        Json json = to_json(fit.report);
        json.update({{"rows", rows},
                     {"features", features},
                     {"C", options.objective.C},
                     {"loss", name(options.objective.loss)},
                     {"kernel", to_json(fit.model.kernel)},
                     {"classes", fit.model.classes},
                     {"model", options.output},
                     {"version", version}});
        print(json);
    }
    if (fit.report.status == Status::interrupted) return Exit::interrupted;
    return fit.report.status == Status::converged ? Exit::done : Exit::not_converged;
}

void add_problem_options(CLI::App &app, TrainOptions &o) {
    app.add_option("-C", o.objective.C, "price of giving up one sample")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--weight", o.weights, "LABEL=NUM: multiplies C for one class; repeatable")
        ->type_name("LABEL=NUM");
    app.add_option("--positive", o.positive,
                   "train this label against all others (named 'rest'); needed for > 2 classes");
    app.add_option("--loss", o.loss, "l0, hinge or squared-hinge")
        ->check(CLI::IsMember({"l0", "hinge", "squared-hinge"}))
        ->capture_default_str();
    app.add_option("--kernel", o.kernel,
                   "rbf exp(-g|x-z|^2), exponential exp(-g|x-z|), laplacian exp(-g|x-z|_1),\n"
                   "imq (coef0^2+|x-z|^2)^-beta, wendland (zero beyond |x-z| = 1/g), linear,\n"
                   "poly (g x.z+coef0)^degree, precomputed (DATA holds the kernel matrix)")
        ->check(CLI::IsMember({"rbf", "linear", "poly", "exponential", "laplacian", "imq",
                               "wendland", "precomputed"}))
        ->capture_default_str();
    app.add_option("--gamma", o.gamma, "a number, scale = 1/(d var X), or auto = 1/d")
        ->capture_default_str();
    app.add_option("--degree", o.parameters.degree, "of poly")->capture_default_str();
    app.add_option("--coef0", o.coef0, "of poly (default 0) and imq (default 1)")
        ->each([&o](const std::string &) { o.coef0_given = true; });
    app.add_option("--beta", o.parameters.beta, "of imq")->capture_default_str();
    app.add_flag("--standardize", o.standardize,
                 "scale features to mean 0, deviation 1; the model remembers how");
}

void add_solver_options(CLI::App &app, TrainOptions &o) {
    app.add_option("--solver", o.solver,
                   "exact: a certified local minimum, improved by search;\n"
                   "admm: Algorithm 1 of the paper (convex losses always use it)")
        ->check(CLI::IsMember({"exact", "admm"}))
        ->capture_default_str();
    app.add_option("--start", o.start, "exact: where it starts: hinge, admm, or a model file")
        ->capture_default_str();
    app.add_option("--starts", o.settings.starts,
                   "exact: more than 1 looks longer for a lower minimum")
        ->capture_default_str();
    app.add_option("--sigma", o.settings.sigma, "admm: penalty")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--iota", o.settings.iota, "admm: dual step, below 1.618")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--tol", o.settings.tolerance, "admm: stop when all four residuals are below")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--max-iter", o.settings.max_iterations, "admm: iterations at most")
        ->capture_default_str();
    app.add_option("--time-limit", o.settings.time_limit, "seconds at most")
        ->check(positive_number());
    app.add_option("--seed", o.settings.seed,
                   "of admm's starting multipliers and of the search's kicks")
        ->check(CLI::NonNegativeNumber) // -1 would become 2^64 - 1
        ->capture_default_str();
    app.add_option("--threads", o.settings.threads, "0: all cores; the model does not depend on it")
        ->capture_default_str();
    app.add_option("--memory-limit", o.settings.memory_limit,
                   "refuse to take more bytes (suffixes kb, mb, gb); default: what is free")
        ->transform(CLI::AsSizeValue(false));
}

} // namespace

Command add_train(CLI::App &program) {
    auto options = std::make_shared<TrainOptions>();
    CLI::App *app = program.add_subcommand("train", "train a classifier, write its model");
    options->data.add_to(*app);
    app->add_option("-o,--output", options->output, "model file (default: DATA.model, here)");
    add_problem_options(*app, *options);
    add_solver_options(*app, *options);
    app->add_option("--trace", options->trace,
                    "write one CSV line an iteration, or a minimum on the way, to this file");
    app->add_flag("--json", options->json, "print the report as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no report, no progress");
    app->footer(std::string("Examples:\n"
                            "  hinge0 train heart.csv --label disease --standardize -C 2\n"
                            "  xzcat big.xz | hinge0 train - -o big.model --gamma 0.5 -C 8\n"
                            "  hinge0 train digits.libsvm --positive 3 --kernel laplacian\n\n") +
                exit_statuses);
    return {app, [options] { return train_command(*options); }};
}

} // namespace hinge0::cli
