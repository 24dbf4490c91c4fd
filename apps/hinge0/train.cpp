/// hinge0 train: data file in, model file and report out.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <typeinfo>

#include "checks.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "core/threads.hpp"
#include "data/readers.hpp"
#include "data/text.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "model/model_file.hpp"
#include "progress.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

/// Of all rows together: what is squared on the way stays a number.
constexpr double largest_price = 1e150;
constexpr std::uint64_t most_int = std::numeric_limits<int>::max();

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

/// scale = 1/(d var X), where that is a number.
double scaled_gamma(const Samples &samples) {
    constexpr double smallest = 1e-150; // squares of smaller features are no longer numbers
    double largest = 0;
    if (const auto *dense = std::get_if<DenseRows>(&samples))
        largest = dense->cwiseAbs().maxCoeff();
    else
        for (const double x : std::get<SparseRows>(samples).coeffs())
            largest = std::max(largest, std::abs(x));
    const double gamma = gamma_scale(samples);
    if ((largest > 0 && largest < smallest) || !std::isfinite(gamma))
        throw InvalidInput(fmt::format("the features, up to {:g}, are too small for --gamma scale; "
                                       "scale them (--standardize) or give --gamma a number",
                                       largest));
    return gamma;
}

Kernel kernel_for(TrainOptions &options, const Samples &samples) {
    KernelParameters p = options.parameters;
    if (options.gamma == "scale")
        p.gamma = options.kernel == "precomputed" ? 1.0 : scaled_gamma(samples);
    else if (options.gamma == "auto")
        p.gamma = gamma_auto(samples);
    else
        p.gamma = to_positive_number("--gamma", options.gamma);
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
        result[label == classes[1] ? 1 : 0] =
            to_positive_number("--weight", weight.substr(split + 1));
    }
    return result;
}

/// --start names a model file, rather than a way to start.
bool starts_from_model(const TrainOptions &options) {
    return options.start != "hinge" && options.start != "admm";
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
    if (options.gamma != "scale" && options.gamma != "auto")
        static_cast<void>(to_positive_number("--gamma", options.gamma));
    if (options.standardize && options.kernel == "precomputed")
        throw UsageError("--standardize scales features; a precomputed kernel has none");
    if (options.output.empty()) options.output = default_output(options.data.file);
    if (options.json && options.output == "-")
        throw UsageError(
            "-o - and --json would both write to standard output: name a file with -o");
    const std::string data = find_data(options.data.file);
    const std::string start = starts_from_model(options) ? options.start : "";
    for (const auto &[option, file] :
         {std::pair("-o", options.output), {"--trace", options.trace}}) {
        refuse_overwriting(option, file, "DATA", data);
        refuse_overwriting(option, file, "the model of --start", start);
    }
    refuse_overwriting("--trace", options.trace, "the model of -o", options.output);
}

/// What a fit may cost must be a number: each price, and all of them together.
void check_prices(const Objective &objective, const Vector &signs) {
    const Vector price = prices(objective, signs);
    if (!(price.minCoeff() > 0))
        throw UsageError(
            fmt::format("-C {:g} and --weight multiply to 0: choose larger ones", objective.C));
    if (!(price.sum() <= largest_price))
        throw UsageError(fmt::format("-C {:g} is too large: the prices of {} rows add up to {:g}, "
                                     "over {:g}",
                                     objective.C, price.size(), price.sum(), largest_price));
}

/// Reads the data, and scales it if asked to; `start` becomes the decision values of --start MODEL.
Dataset load(TrainOptions &options, Scaling &scaling, std::optional<Vector> &start) {
    Table table = options.data.load();
    if (starts_from_model(options))
        start =
            decision_function(load_model(options.start), table.samples, options.settings.threads);
    if (options.standardize) {
        scaling = standard_scaling(table.samples);
        table.samples = scaled(scaling, table.samples);
    }
    return Dataset(std::move(table), options.positive);
}

/// load() within the time limit, of which the solver gets what is left.
Dataset load_in_time(TrainOptions &options, const Deadline &deadline, Scaling &scaling,
                     std::optional<Vector> &start) {
    options.data.read.precomputed = options.kernel == "precomputed";
    options.data.read.memory_limit = options.settings.memory_limit;
    options.data.read.should_stop = [&] { return interrupt_requested() || deadline.is_over(); };
    const auto too_late = [&] {
        return Error(deadline.in_words() + " while reading", display_name(options.data.file));
    };
    try {
        Dataset data = naming(options.data.file, [&] { return load(options, scaling, start); });
        if (deadline.is_over()) throw too_late();
        options.settings.time_limit = deadline.left();
        return data;
    } catch (const Interrupted &) {
        if (interrupt_requested()) throw;
        throw too_late();
    }
}

Fit fit_in_time(TrainOptions &options, const Deadline &deadline, Dataset data, TraceFile &trace,
                const std::optional<Vector> &start) {
    const Kernel kernel = kernel_for(options, data.samples());
    ProgressLine line(!options.quiet);
    const auto observer = [&](const Progress &progress) {
        trace.write(progress);
        line.show(progress);
        return !interrupt_requested();
    };
    try {
        return train(std::move(data), kernel, options.objective, options.settings, observer, start);
    } catch (const Error &e) {
        // The solver throws a plain Error when its time is over, and names what was left of it.
        if (typeid(e) != typeid(Error) || !deadline.is_over()) throw;
        throw Error(deadline.in_words() + " before there is a model",
                    "allow more time, or train on fewer rows");
    }
}

/// The exact solver promises a local minimum. Where rounding keeps it from showing one, that is not
/// what was asked for, whatever its status.
bool lacks_certificate(const TrainOptions &options, const Report &report) {
    return options.settings.method == Method::exact &&
           std::holds_alternative<L0Loss>(options.objective.loss) &&
           report.status == Status::converged && !report.certificate.local_minimum;
}

void write_model(const Model &model, const std::string &output) {
    if (output == "-")
        write_output(checked_text(model, "standard output"));
    else
        save(model, output);
}

void tell(const TrainOptions &options, const Fit &fit, Index rows) {
    const bool to_stdout = options.output == "-";
    if (!options.quiet)
        say(fmt::format("{}model written to {}\n", in_words(fit.report),
                        to_stdout ? "standard output" : printable(options.output)));
    if (!options.json) return;
    Json json = to_json(fit.report);
    json.update({{"rows", rows},
                 {"features", fit.model.features},
                 {"C", options.objective.C},
                 {"loss", name(options.objective.loss)},
                 {"kernel", to_json(fit.model.kernel)},
                 {"classes", fit.model.classes},
                 {"model", options.output},
                 {"version", version}});
    print(json);
}

int train_command(TrainOptions &options) {
    const Deadline deadline(options.settings.time_limit);
    check_options(options);
    catch_interrupts();
    Scaling scaling;
    std::optional<Vector> start;
    Dataset data = load_in_time(options, deadline, scaling, start);
    options.objective.class_weight = class_weights(options.weights, data.classes());
    check_prices(options.objective, data.signs());
    const double read = deadline.seconds();

    const Index rows = data.size();
    TraceFile trace(options.trace);
    Fit fit = naming(options.data.file,
                     [&] { return fit_in_time(options, deadline, std::move(data), trace, start); });
    fit.model.scaling = scaling;
    write_model(fit.model, options.output);
    trace.close(); // after the model: a full disk must not cost the fit

    fit.report.seconds.read = read;
    fit.report.seconds.total = deadline.seconds();
    const bool uncertified = lacks_certificate(options, fit.report);
    if (uncertified)
        fit.report.notes.emplace_back(
            "rounding errors keep the certificate from holding: this may be no local minimum; "
            "choose a larger gamma or a smaller C");
    tell(options, fit, rows);
    if (fit.report.status == Status::interrupted) return Exit::interrupted;
    const bool converged = fit.report.status == Status::converged && !uncertified;
    return converged ? Exit::done : Exit::not_converged;
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
    app.add_option("--degree", o.parameters.degree, "of poly")
        ->transform(whole_number_in(1, 100))
        ->capture_default_str();
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
        ->transform(whole_number_in(1, 1000000))
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
        ->transform(whole_number_in(1, most_int))
        ->capture_default_str();
    app.add_option("--time-limit", o.settings.time_limit,
                   "seconds at most, for reading and training")
        ->check(positive_number());
    app.add_option("--seed", o.settings.seed,
                   "of admm's starting multipliers and of the search's kicks")
        ->transform(whole_number_in(0, std::numeric_limits<std::uint64_t>::max()))
        ->capture_default_str();
    app.add_option("--threads", o.settings.threads, "0: all cores; the model does not depend on it")
        ->transform(whole_number_in(0, most_threads))
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
    app->add_option("-o,--output", options->output,
                    "model file (default: DATA.model, here; '-' is standard output)");
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
