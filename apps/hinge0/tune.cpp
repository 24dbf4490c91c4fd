/// hinge0 tune: C and gamma by cross-validation, then train's road with them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "class_report.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "fit_options.hpp"
#include "folds_file.hpp"
#include "grid_option.hpp"
#include "hinge0/hinge0.hpp"
#include "model_output.hpp"
#include "progress.hpp"
#include "report_text.hpp"
#include "tune_page.hpp"

namespace hinge0::cli {
namespace {

struct TuneOptions {
    FitOptions fit;
    std::string output, folds_file, page, rule = "smooth", metric = "accuracy";
    std::vector<std::string> grid;
    int folds = 5, repeats = 0;
    bool no_race = false, json = false, quiet = false;
    bool fixed_C = false, fixed_gamma = false; ///< -C or --gamma was given: it is not tuned
    bool fixed_kernel = false;                 ///< --kernel was given
    TuneSettings settings;
    std::string command; ///< as it was typed, for the page
};

template <class Value> Value by_name(const std::vector<Value> &values, const std::string &word) {
    for (const Value value : values)
        if (name(value) == word) return value;
    return values.front(); // not reached: the option's own check let the word through
}

void check_options(TuneOptions &options) {
    options.fit.check();
    if (!options.fit.calibration.empty())
        throw UsageError("--calibrate belongs to train: train with the C and gamma chosen here");
    if (options.fit.start != "hinge" && options.fit.start != "admm")
        throw UsageError("--start MODEL belongs to train: every fold starts for itself");
    options.settings.rule = by_name<Rule>(
        {Rule::smooth, Rule::consensus, Rule::small, Rule::best, Rule::one_se}, options.rule);
    options.settings.metric = by_name<Metric>(
        {Metric::accuracy, Metric::balanced_accuracy, Metric::f1, Metric::auc, Metric::brier},
        options.metric);
    options.settings.race = !options.no_race;
    if (options.output.empty()) options.output = default_output(options.fit.data.file);
    if (options.json && options.output == "-")
        throw UsageError(
            "-o - and --json would both write to standard output: name a file with -o");
    const std::string data = find_data(options.fit.data.file);
    for (const auto &[option, file] : {std::pair("-o", options.output), {"--html", options.page}}) {
        refuse_overwriting(option, file, "DATA", data);
        refuse_overwriting(option, file, "the folds of --folds-file", options.folds_file);
    }
    refuse_overwriting("--html", options.page, "the model of -o", options.output);
}

/// The first kernel of --grid is the recipe's, and the others must be as good.
void check_kernels(TuneOptions &options, const GridOption &said) {
    const std::vector<std::string> &kernels = said.kernels();
    if (kernels.empty()) {
        check_options(options);
        return;
    }
    if (options.fixed_kernel)
        throw UsageError("--kernel and --grid kernel=NAMES both say which kernels are tried");
    if (std::ranges::find(kernels, "precomputed") != kernels.end())
        throw UsageError("--grid kernel: a precomputed kernel is the only one of its data");
    for (std::size_t k = kernels.size(); k-- > 0;) {
        options.fit.recipe.kernel = kernels[k];
        check_options(options);
    }
}

/// What is tried: the default, or --grid, or the one value that was given.
Grid grid_of(const TuneOptions &options, const std::string &kernel_name, const GridOption &said,
             const Samples &samples) {
    Recipe recipe = options.fit.recipe;
    recipe.kernel = kernel_name;
    Grid grid = said.apply(default_grid(recipe, samples), recipe, samples);
    if (options.fixed_C && !said.says_C()) grid.C = {recipe.objective.C};
    if (!options.fixed_gamma || said.says_gamma()) return grid;
    const Kernel kernel =
        make_kernel(recipe.kernel, recipe.parameters, samples, recipe.objective.sample_weight);
    for_each_parameter(kernel, [&](std::string_view name, double value) {
        if (name == "gamma") grid.gamma = {value};
    });
    return grid;
}

void set_grids(TuneOptions &options, const GridOption &said, const Samples &samples) {
    const std::string &first = options.fit.recipe.kernel;
    options.settings.grid = grid_of(options, first, said, samples);
    for (const std::string &kernel : said.kernels())
        if (kernel != first)
            options.settings.others.push_back({kernel, grid_of(options, kernel, said, samples)});
}

/// The samples as the fits see them.
Samples scaled_as(const Recipe &recipe, const Samples &samples) {
    if (!recipe.standardize) return samples;
    return scaled(standard_scaling(samples, recipe.objective.sample_weight), samples);
}

/// The command line that gives these options again.
std::string typed_again(const CLI::App &app) {
    const auto quoted = [](const std::string &word) {
        const bool plain =
            word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_./=,^+-") == std::string::npos;
        return plain && !word.empty() ? word : "'" + word + "'";
    };
    std::string words = "hinge0 " + app.get_name();
    for (const CLI::Option *option : app.get_options()) {
        if (option->count() == 0) continue;
        if (option->get_expected_max() == 0)
            words += " " + option->get_name();
        else
            for (const std::string &value : option->results())
                words += option->get_positional() ? " " + quoted(value)
                                                  : " " + option->get_name() + " " + quoted(value);
    }
    return words;
}

/// What a choice leaves behind, of two classes or of many.
struct Choice {
    CrossValidation tried;
    std::vector<KernelScore> kernels;
    std::size_t best;
    double thin; ///< of the fit
    Report report;
    std::string words; ///< the report for people
    Json json;         ///< and for programs
};

Choice choose_for_two(TuneOptions &options, Dataset data, const Observer &observer) {
    Tuned tuned = tune(std::move(data), options.fit.recipe, options.settings, observer);
    write_model(tuned.fit.model, options.output);
    Choice choice{std::move(tuned.tried),
                  std::move(tuned.kernels),
                  tuned.best,
                  tuned.thin,
                  tuned.fit.report,
                  {},
                  {}};
    choice.json["classes"] = tuned.fit.model.classes;
    return choice;
}

Choice choose_for_many(TuneOptions &options, LabelledData data, const Observer &observer) {
    ClassTuned tuned =
        tune(std::move(data), options.fit.recipe, options.fit.classes, options.settings, observer);
    write_model(tuned.fit.classifier, options.output);
    Choice choice{std::move(tuned.tried), std::move(tuned.kernels), tuned.best,        tuned.thin,
                  tuned.fit.summary(),    in_words(tuned.fit),      to_json(tuned.fit)};
    if (choice.tried.status != Status::converged) choice.report.status = choice.tried.status;
    return choice;
}

Choice choose(TuneOptions &options, LabelledData data) {
    ProgressLine line(!options.quiet);
    const auto observer = [&](const Progress &progress) {
        line.show(progress);
        return !interrupt_requested();
    };
    return data.classes().size() == 2 ? choose_for_two(options, Dataset(std::move(data)), observer)
                                      : choose_for_many(options, std::move(data), observer);
}

Json number(double value) { return std::isnan(value) ? Json() : Json(value); }

/// All cells with their means.
Json grid_json(const CrossValidation &tried) {
    const Vector means = tried.mean_scores(), support = tried.mean_support_vectors();
    Json grid = Json::array();
    for (std::size_t k = 0; k < tried.cells.size(); ++k) {
        const Cell &cell = tried.cells[k];
        Json scores = Json::array();
        for (const double score : cell.scores) scores.push_back(number(score));
        grid.push_back({{"C", cell.C},
                        {"gamma", number(cell.gamma)},
                        {"score", number(means(static_cast<Index>(k)))},
                        {"scores", scores},
                        {"support_vectors", number(support(static_cast<Index>(k)))}});
    }
    return grid;
}

Json report_json(const TuneOptions &options, const Choice &choice) {
    Json json = to_json(choice.report);
    json.update(choice.json);
    json["seconds"] = to_json(choice.report)["seconds"];
    const Json grid = grid_json(choice.tried);
    Json best = grid[choice.best];
    best["cv_score"] = best["score"];
    if (options.settings.metric == Metric::accuracy) best["cv_accuracy"] = best["score"];
    if (choice.thin != automatic_thin) best["thin"] = choice.thin;
    best["kernel"] = to_json(choice.report)["kernel"]["name"];
    Json kernels = Json::array();
    double seconds = 0;
    for (const KernelScore &one : choice.kernels) {
        seconds += one.seconds;
        kernels.push_back({{"kernel", one.kernel},
                           {"score", number(one.score)},
                           {"support_vectors", number(one.support_vectors)},
                           {"seconds", one.seconds}});
    }
    json["seconds"]["tune"] = seconds;
    json.update({{"best", best},
                 {"grid", grid},
                 {"kernels", kernels},
                 {"metric", options.metric},
                 {"rule", options.rule},
                 {"splits", options.settings.splits.size()},
                 {"model", options.output},
                 {"version", version}});
    return json;
}

void tell(const TuneOptions &options, const Choice &choice) {
    if (!options.quiet) {
        if (choice.kernels.size() > 1) say(in_words(choice.kernels) + "\n");
        say(in_words(choice.tried, choice.best, std::string(name(choice.report.kernel)),
                     choice.thin, options.settings));
        say(fmt::format("{}model written to {}\n",
                        choice.words.empty() ? in_words(choice.report) : choice.words,
                        options.output == "-" ? "standard output" : printable(options.output)));
        if (!options.page.empty())
            say(fmt::format("page written to {}\n", printable(options.page)));
    }
    if (options.json) print(report_json(options, choice));
}

int tune_command(TuneOptions &options) {
    const Deadline deadline(options.fit.recipe.settings.time_limit);
    const GridOption said(options.grid);
    check_kernels(options, said);
    catch_interrupts();
    LabelledData data = options.fit.read(deadline);
    const double read = deadline.seconds();
    const std::string &file = options.fit.data.file;
    Choice choice = naming(file, [&] {
        const Recipe &recipe = options.fit.recipe;
        set_grids(options, said, scaled_as(recipe, data.samples()));
        options.settings.splits =
            options.folds_file.empty()
                ? stratified_splits(data, options.folds, options.repeats, recipe.settings.seed)
                : read_splits(options.folds_file, data.size());
        return choose(options, std::move(data));
    });
    choice.report.seconds.read = read;
    choice.report.seconds.total = deadline.seconds();
    if (!options.page.empty())
        write_page(options.page, {.data = file,
                                  .command = options.command,
                                  .settings = options.settings,
                                  .tried = choice.tried,
                                  .kernels = choice.kernels,
                                  .best = choice.best,
                                  .thin = choice.thin,
                                  .report = choice.report});
    tell(options, choice);
    if (choice.report.status == Status::interrupted) return Exit::interrupted;
    return choice.report.reached_its_goal() ? Exit::done : Exit::not_converged;
}

void add_tuning_options(CLI::App &app, TuneOptions &o) {
    app.add_option("--grid", o.grid,
                   "what is tried: C=VALUES, gamma=VALUES or gamma/scale=VALUES, where VALUES\n"
                   "are numbers or ranges, such as 0.5,1,2 or 2^-3..2^5; repeatable. Default:\n"
                   "C=2^-1..2^9 and gamma/scale=2^-7..2^3 (of exponential, wendland and\n"
                   "laplacian as distances ask for); an option -C or --gamma fixes it.\n"
                   "kernel=rbf,exponential tries several: the first is taken unless another\n"
                   "scores half a point higher")
        ->type_name("NAME=VALUES");
    app.add_option("--folds", o.folds, "folds of the cross-validation")
        ->transform(whole_number_in(2, 1000000))
        ->capture_default_str();
    app.add_option("--repeats", o.repeats,
                   "so many times, with other folds; 0: until 2,000 rows\n"
                   "are tested, at most 10 times")
        ->transform(whole_number_in(0, 1000))
        ->capture_default_str();
    app.add_option("--folds-file", o.folds_file,
                   "one word a row of DATA: rows with the same word are tested together;\n"
                   "'-' is never tested");
    app.add_option("--metric", o.metric,
                   "accuracy, balanced-accuracy, f1 (of the larger label), auc;\n"
                   "brier: for train --calibrate, how far probabilities are off, negative")
        ->check(CLI::IsMember({"accuracy", "balanced-accuracy", "f1", "auc", "brier"}))
        ->capture_default_str();
    app.add_option("--rule", o.rule,
                   "smooth: the highest mean score of a cell and its neighbours in the grid;\n"
                   "consensus: judged half by the labels, half by what the best cells together\n"
                   "predict; in both a doubling of the support vectors must bring 0.1 points.\n"
                   "small: the fewest support vectors within 0.2 points of the highest such mean;\n"
                   "best: the highest score; 1se: the fewest support vectors within one standard\n"
                   "error of the highest score")
        ->check(CLI::IsMember({"smooth", "consensus", "small", "best", "1se"}))
        ->capture_default_str();
    app.add_option("--max-support-vectors", o.settings.max_support_vectors,
                   "the best model that has at most so many; as few more support vectors are\n"
                   "given up for that (--thin) as must be")
        ->transform(whole_number_in(1, 1000000000));
    app.add_flag("--no-race", o.no_race, "try every cell on every fold, hopeless ones too");
    app.add_option("--html", o.page, "write a page with surfaces, choice and timings to this file");
}

} // namespace

Command add_tune(CLI::App &program) {
    auto options = std::make_shared<TuneOptions>();
    CLI::App *app = program.add_subcommand(
        "tune", "choose C and gamma by cross-validation, train with them, write the model");
    app->add_option("-o,--output", options->output,
                    "model file (default: DATA.model, here; '-' is standard output)");
    add_tuning_options(*app, *options);
    options->fit.add_to(*app);
    app->add_flag("--json", options->json, "print choice, grid and report as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no report, no progress");
    app->footer(
        std::string("Examples:\n"
                    "  hinge0 tune heart.csv --label disease --standardize --html heart.html\n"
                    "  hinge0 tune d.libsvm --grid C=2^0..2^6 --grid gamma=0.1,0.3,1\n"
                    "  hinge0 tune d.libsvm --grid kernel=rbf,exponential\n"
                    "  hinge0 tune d.libsvm --max-support-vectors 50 --repeats 3\n\n") +
        exit_statuses);
    return {app, [options, app] {
                options->fixed_C = app->count("-C") > 0;
                options->fixed_gamma = app->count("--gamma") > 0;
                options->fixed_kernel = app->count("--kernel") > 0;
                options->command = typed_again(*app);
                return tune_command(*options);
            }};
}

} // namespace hinge0::cli
