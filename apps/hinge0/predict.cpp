/// hinge0 predict: labels or decision values for new samples.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "checks.hpp"
#include "commands.hpp"
#include "core/atomic_file.hpp"
#include "core/printable.hpp"
#include "core/threads.hpp"
#include "data/readers.hpp"
#include "data/text.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct PredictOptions {
    std::string model, output;
    DataOptions data;
    bool decision_values = false, unlabelled = false, json = false, quiet = false;
    int threads = 0;
};

/// A label that the model cannot have been trained with; empty if there is none. A model trained
/// with --positive knows only that one: any other may be of its `rest`.
std::string foreign_label(const Model &model, const Table &table) {
    if (model.classes[0] == "rest") return {};
    const auto is_foreign = [&](const std::string &label) {
        return label != model.classes[0] && label != model.classes[1];
    };
    const auto found = std::ranges::find_if(table.label_names, is_foreign);
    return found == table.label_names.end() ? std::string() : *found;
}

/// CSV does not say whether it has labels. A file with just as many columns as the model has
/// features holds features only if its first column cannot be labels; else one may be missing.
Table load(PredictOptions &options, const Model &model) {
    ReadOptions &read = options.data.read;
    read.precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    read.labelled = !options.unlabelled;
    read.threads = options.threads;
    Table table = options.data.load();
    const bool dense = std::holds_alternative<DenseRows>(table.samples);
    if (!dense || !read.labelled || !read.label_column.empty() ||
        feature_count(table.samples) != model.features - 1)
        return table;
    const std::string foreign = foreign_label(model, table);
    const std::string where = display_name(options.data.file);
    if (foreign.empty() || options.data.file == "-") // which cannot be read again
        throw InvalidInput(fmt::format("the data has {} features beside the label, but the model "
                                       "expects {}; --no-labels takes all columns for features",
                                       feature_count(table.samples), model.features),
                           where);
    if (!options.quiet)
        say(fmt::format("{} is read as features only: {} in its first column is no label of the "
                        "model\n",
                        printable(where), in_quotes(foreign)));
    read.labelled = false;
    return options.data.load();
}

/// Share of rows whose label is the predicted one; null when no label is one the model knows.
Json accuracy(const Model &model, const Table &table, const Sides &positive) {
    if (!table.labelled()) return nullptr;
    std::vector<int> sign_of; // of each distinct label: -1, +1, or 0 if unknown
    for (const std::string &label : table.label_names) {
        const bool others = model.classes[0] == "rest"; // trained with --positive
        sign_of.push_back(
            label == model.classes[1] ? 1 : (label == model.classes[0] || others ? -1 : 0));
    }
    if (std::all_of(sign_of.begin(), sign_of.end(), [](int sign) { return sign == 0; }))
        return nullptr;
    Index right = 0;
    for (Index i = 0; i < positive.size(); ++i) {
        const auto label = static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)]);
        right += sign_of[label] == (positive(i) ? 1 : -1) ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(positive.size());
}

struct Prediction {
    Vector h; ///< only if it was asked for
    Sides positive;
};

Prediction predict_rows(const PredictOptions &options, const Model &model, const Table &table) {
    Prediction found;
    if (options.decision_values) {
        found.h = decision_function(model, table.samples, options.threads);
        found.positive = found.h.array() > 0;
    } else {
        found.positive = positive_sides(model, table.samples, options.threads);
    }
    return found;
}

std::string lines(const Model &model, const Prediction &found) {
    fmt::memory_buffer text;
    for (const double value : found.h) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
    if (found.h.size() == 0)
        for (const bool positive : found.positive) {
            text.append(model.classes[positive ? 1 : 0]);
            text.push_back('\n');
        }
    return fmt::to_string(text);
}

int predict_command(PredictOptions &options) {
    const auto begin = Clock::now();
    refuse_overwriting("-o", options.output, "MODEL", options.model);
    refuse_overwriting("-o", options.output, "DATA", find_data(options.data.file));
    const Model model = load_model(options.model);
    const Table table = load(options, model);
    const double read = seconds_since(begin);
    const Prediction found =
        naming(options.data.file, [&] { return predict_rows(options, model, table); });
    const Index rows = found.positive.size();
    const double predict = seconds_since(begin) - read;
    const Json share = accuracy(model, table, found.positive);

    if (!options.output.empty() && options.output != "-") {
        AtomicFile file(options.output);
        file.write(lines(model, found));
        file.commit();
    } else if (!options.json) {
        write_output(lines(model, found));
    }
    if (!options.quiet && !share.is_null())
        say(fmt::format("accuracy {:.4f} % on {} rows\n", 100 * share.get<double>(), rows));
    if (options.json)
        print(
            {{"rows", rows},
             {"accuracy", share},
             {"support_vectors", model.coefficients.size()},
             {"seconds", {{"read", read}, {"predict", predict}, {"total", seconds_since(begin)}}}});
    return Exit::done;
}

} // namespace

Command add_predict(CLI::App &program) {
    auto options = std::make_shared<PredictOptions>();
    CLI::App *app = program.add_subcommand("predict", "label samples with a model");
    app->add_option("MODEL", options->model, "a model file of hinge0 train")->required();
    options->data.add_to(*app);
    app->add_option("-o,--output", options->output, "one line a sample (default: standard output)");
    app->add_flag("--decision-values", options->decision_values,
                  "write h(x) instead of labels; h(x) > 0 is the second class of the model");
    app->add_flag("--no-labels", options->unlabelled,
                  "CSV: the file holds features only (also taken so when it has as many\n"
                  "columns as the model has features and its first holds no labels)");
    app->add_option("--threads", options->threads, "0: all cores")
        ->transform(whole_number_in(0, most_threads))
        ->capture_default_str();
    app->add_flag("--json", options->json, "print rows, accuracy and seconds as one JSON object");
    app->add_flag("-q,--quiet", options->quiet, "no accuracy line");
    app->footer(
        std::string("Examples:\n"
                    "  hinge0 predict heart.csv.model new.csv -o labels.txt\n"
                    "  hinge0 predict heart.csv.model test.csv --json\n"
                    "  zcat new.gz | hinge0 predict heart.csv.model - --decision-values\n\n") +
        exit_statuses);
    return {app, [options] { return predict_command(*options); }};
}

} // namespace hinge0::cli
