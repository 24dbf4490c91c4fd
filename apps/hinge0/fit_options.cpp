/// Options of a fit: parsed, checked, and the data read within its limits.
#include "fit_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "checks.hpp"
#include "commands.hpp"
#include "core/memory.hpp"
#include "core/printable.hpp"
#include "core/threads.hpp"
#include "data/readers.hpp"
#include "data/text.hpp"
#include "progress.hpp"
#include "weights_file.hpp"

namespace hinge0::cli {
namespace {

/// Of all rows together: what is squared on the way stays a number.
constexpr double largest_price = 1e150;
constexpr std::uint64_t most_int = std::numeric_limits<int>::max();

/// Runs a check of option values; what it refuses is a usage error.
template <class Check> auto checked(const Check &check) {
    try {
        return check();
    } catch (const InvalidInput &e) {
        throw UsageError(e.what());
    }
}

/// --weight LABEL=NUM, where LABEL is written as in the data or as a number of the same value; or
/// --weight balanced.
std::vector<double> class_weights(const std::vector<std::string> &weights, const LabelledData &data,
                                  const Vector &sample_weight) {
    if (weights.size() == 1 && weights[0] == "balanced")
        return balanced_weights(data, sample_weight);
    const std::vector<std::string> &classes = data.classes();
    std::vector<double> result(classes.size(), 1.0);
    for (const std::string &weight : weights) {
        const auto split = weight.rfind('=');
        if (split == std::string::npos)
            throw UsageError(
                fmt::format("--weight must be LABEL=NUM, or balanced, got '{}'", weight));
        const std::string label = canonical_label(weight.substr(0, split)).value_or("nan");
        const auto found = std::ranges::find(classes, label);
        if (found == classes.end())
            throw UsageError(fmt::format("--weight names the label '{}', the data has '{}'", label,
                                         fmt::join(classes, "', '")));
        result[static_cast<std::size_t>(found - classes.begin())] =
            to_positive_number("--weight", weight.substr(split + 1));
    }
    return result;
}

/// What a fit may cost must be a number: each price, and all of them together.
void check_prices(const Recipe &recipe, const std::vector<double> &class_weight,
                  const LabelledData &data) {
    const Objective &objective = recipe.objective;
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (Index i = 0; i < data.size(); ++i) {
        const double weight = objective.sample_weight.size() > 0 ? objective.sample_weight(i) : 1.0;
        if (weight == 0) continue; // a row that is not there
        const auto label = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(i)]);
        const double price = objective.C * class_weight[label] * weight;
        least = std::min(least, price);
        sum += price;
    }
    if (!(least > 0))
        throw UsageError(
            fmt::format("-C {:g} and --weight multiply to 0: choose larger ones", objective.C));
    if (!(sum <= largest_price))
        throw UsageError(fmt::format("-C {:g} is too large: the prices of {} rows add up to {:g}, "
                                     "over {:g}",
                                     objective.C, data.size(), sum, largest_price));
}

void add_problem_options(CLI::App &app, FitOptions &o) {
    app.add_option("-C", o.recipe.objective.C, "price of giving up one sample")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--weight", o.weights,
                   "LABEL=NUM: multiplies C for one class; repeatable. balanced: every class\n"
                   "weighs the same in all")
        ->type_name("LABEL=NUM");
    app.add_option("--weights", o.weights_file,
                   "a file with one number a row of DATA, which multiplies its C: 2 is the row\n"
                   "twice, 0 is no row");
    app.add_option("--multi-class", o.multi_class,
                   "more than two classes: ovo, every two of them, which vote; ovr, each\n"
                   "against the rest")
        ->check(CLI::IsMember({"ovo", "ovr"}))
        ->capture_default_str();
    app.add_option("--calibrate", o.calibration,
                   "sigmoid or isotonic: probabilities for predict --probabilities, fitted to\n"
                   "decision values of cross-validation")
        ->check(CLI::IsMember({"sigmoid", "isotonic"}));
    app.add_option("--positive", o.positive, "train this label against all others, named 'rest'");
    app.add_option("--loss", o.loss, "l0, hinge or squared-hinge")
        ->check(CLI::IsMember({"l0", "hinge", "squared-hinge"}))
        ->capture_default_str();
    app.add_option("--kernel", o.recipe.kernel,
                   "rbf exp(-g|x-z|^2), exponential exp(-g|x-z|), laplacian exp(-g|x-z|_1),\n"
                   "imq (coef0^2+|x-z|^2)^-beta, wendland (zero beyond |x-z| = 1/g), linear,\n"
                   "poly (g x.z+coef0)^degree, precomputed (DATA holds the kernel matrix)")
        ->check(CLI::IsMember({"rbf", "linear", "poly", "exponential", "laplacian", "imq",
                               "wendland", "precomputed"}))
        ->capture_default_str();
    app.add_option("--gamma", o.gamma, "a number, scale = 1/(d var X), or auto = 1/d")
        ->capture_default_str();
    app.add_option("--degree", o.recipe.parameters.degree, "of poly")
        ->transform(whole_number_in(1, 100))
        ->capture_default_str();
    app.add_option("--coef0", o.recipe.parameters.coef0, "of poly (default 0) and imq (default 1)");
    app.add_option("--beta", o.recipe.parameters.beta, "of imq")->capture_default_str();
    app.add_flag("--standardize", o.recipe.standardize,
                 "scale features to mean 0, deviation 1; the model remembers how");
}

/// Of a fit without search.
void add_start_options(CLI::App &app, Settings &settings) {
    app.add_option("--hinge-share", settings.hinge_share,
                   "without search: the hinge start is solved at this share of C")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--keep-margin", settings.keep_margin,
                   "without search: samples that the start classifies with y h >= this\n"
                   "are kept; in [0, 1); auto: 0.4, for pairs of several classes 0")
        ->transform(number_or_auto())
        ->default_str("auto");
    app.add_option("--thin", settings.thin,
                   "without search: support vectors whose margin without them would be at least\n"
                   "1 - this are given up, for a smaller model; in [0, 1), 0.3 does little harm;\n"
                   "auto: 0, for pairs of several classes 0.3")
        ->transform(number_or_auto())
        ->default_str("auto");
    app.add_option("--working-set", settings.working_set,
                   "without search: so many rows to begin with, more as they are needed; auto:\n"
                   "4096 where there are four times as many; off: all at once")
        ->transform(rows_or_word())
        ->default_str("auto");
}

void add_solver_options(CLI::App &app, FitOptions &o) {
    app.add_option("--solver", o.solver,
                   "exact: a certified local minimum, improved by search; of a\n"
                   "convex loss the minimum, by SMO; admm: Algorithm 1 of the paper")
        ->check(CLI::IsMember({"exact", "admm"}))
        ->capture_default_str();
    app.add_option("--start", o.start, "exact: where it starts: hinge, admm, or a model file")
        ->capture_default_str();
    app.add_option("--search", o.search,
                   "exact: none ends at the first minimum, which predicts best; full goes on\n"
                   "to a lower objective, until no move of one sample lowers it")
        ->check(CLI::IsMember({"none", "full"}))
        ->capture_default_str();
    add_start_options(app, o.recipe.settings);
    app.add_option("--starts", o.recipe.settings.starts,
                   "exact: more than 1 looks longer for a lower minimum, by a full search")
        ->transform(whole_number_in(1, 1000000))
        ->capture_default_str();
    app.add_option("--sigma", o.recipe.settings.sigma, "admm: penalty")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--iota", o.recipe.settings.iota, "admm: dual step, below 1.618")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--tol", o.recipe.settings.tolerance,
                   "admm: stop when all four residuals are below")
        ->check(positive_number())
        ->capture_default_str();
    app.add_option("--max-iter", o.recipe.settings.max_iterations, "admm: iterations at most")
        ->transform(whole_number_in(1, most_int))
        ->capture_default_str();
    app.add_option("--time-limit", o.recipe.settings.time_limit,
                   "seconds at most, for reading and training")
        ->check(positive_number());
    app.add_option("--seed", o.recipe.settings.seed,
                   "of admm's starting multipliers and of the search's kicks")
        ->transform(whole_number_in(0, std::numeric_limits<std::uint64_t>::max()))
        ->capture_default_str();
    app.add_option("--threads", o.recipe.settings.threads,
                   "0: all cores; the model does not depend on it")
        ->transform(whole_number_in(0, most_threads))
        ->capture_default_str();
    app.add_option("--memory-limit", o.recipe.settings.memory_limit,
                   "refuse to take more bytes (suffixes kb, mb, gb); default: what is free")
        ->transform(CLI::AsSizeValue(false));
}

} // namespace

void FitOptions::add_to(CLI::App &app) {
    data.add_to(app);
    add_problem_options(app, *this);
    add_solver_options(app, *this);
}

void FitOptions::check() {
    Settings &settings = recipe.settings;
    checked([&] {
        recipe.objective.loss = make_loss(loss);
        validate(recipe.objective, 0);
        validate(settings);
    });
    settings.search = search == "full" ? SearchMode::full : SearchMode::none;
    settings.method = solver == "admm" ? Method::admm : Method::exact;
    settings.start = start == "admm" ? Start::admm : Start::hinge;
    classes.scheme = multi_class == "ovr" ? Scheme::ovr : Scheme::ovo;
    if (!weights_file.empty() && !data.read.weight_column.empty())
        throw UsageError("--weights and --weight-column both say what the rows weigh");
    if (settings.method == Method::admm && start != "hinge")
        throw UsageError("--start belongs to --solver exact");
    if (gamma == "scale" || gamma == "auto")
        recipe.parameters.gamma = gamma;
    else
        recipe.parameters.gamma = to_positive_number("--gamma", gamma);
    KernelParameters numbers = recipe.parameters;
    if (gamma == "scale" || gamma == "auto") numbers.gamma = 1.0; // told by the data
    checked([&] { (void)make_kernel(recipe.kernel, numbers, 1); });
    if (recipe.standardize && recipe.kernel == "precomputed")
        throw UsageError("--standardize scales features; a precomputed kernel has none");
}

LabelledData FitOptions::read(const Deadline &deadline) {
    data.read.precomputed = recipe.kernel == "precomputed";
    data.read.memory_limit = recipe.settings.memory_limit;
    data.read.threads = recipe.settings.threads;
    if (recipe.settings.memory_limit > 0) return_memory_at_once();
    data.read.should_stop = [&] { return interrupt_requested() || deadline.is_over(); };
    const auto too_late = [&] {
        return Error(deadline.in_words() + " while reading", display_name(data.file));
    };
    try {
        LabelledData read = naming(data.file, [&] {
            Table table = data.load();
            recipe.objective.sample_weight = table.weights;
            return LabelledData(std::move(table), positive);
        });
        if (!weights_file.empty())
            recipe.objective.sample_weight = read_weights(weights_file, read.size());
        if (deadline.is_over()) throw too_late();
        recipe.settings.time_limit = deadline.left();
        classes.class_weight = class_weights(weights, read, recipe.objective.sample_weight);
        if (read.classes().size() == 2)
            recipe.objective.class_weight = {classes.class_weight[0], classes.class_weight[1]};
        check_prices(recipe, classes.class_weight, read);
        return read;
    } catch (const Interrupted &) {
        if (interrupt_requested()) throw;
        throw too_late();
    }
}

} // namespace hinge0::cli
