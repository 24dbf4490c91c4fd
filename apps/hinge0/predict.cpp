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
    bool decision_values = false, probabilities = false, unlabelled = false, json = false,
         quiet = false;
    int threads = 0;
};

/// Trained with --positive: the first class is any other label.
bool has_a_rest(const Classifier &model) { return model.is_binary() && model.classes[0] == "rest"; }

/// A label that the model cannot have been trained with; empty if there is none.
std::string foreign_label(const Classifier &model, const Table &table) {
    if (has_a_rest(model)) return {};
    const auto is_foreign = [&](const std::string &label) {
        return std::ranges::find(model.classes, label) == model.classes.end();
    };
    const auto found = std::ranges::find_if(table.label_names, is_foreign);
    return found == table.label_names.end() ? std::string() : *found;
}

/// CSV does not say whether it has labels. A file with just as many columns as the model has
/// features holds features only if its first column cannot be labels; else one may be missing.
Table load(PredictOptions &options, const Classifier &model) {
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
struct Accuracy {
    Json share = nullptr;
    Index strangers = 0; ///< rows whose label the model does not know; they count as wrong
};

Accuracy accuracy(const Classifier &model, const Table &table, const std::vector<Index> &found) {
    if (!table.labelled()) return {};
    std::vector<Index> class_of; // of each distinct label, -1 if unknown
    for (const std::string &label : table.label_names) {
        const auto known = std::ranges::find(model.classes, label);
        class_of.push_back(known != model.classes.end() ? known - model.classes.begin()
                           : has_a_rest(model)          ? 0
                                                        : -1);
    }
    if (std::ranges::all_of(class_of, [](Index label) { return label < 0; })) return {};
    Index right = 0, strangers = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Index label = class_of[static_cast<std::size_t>(table.labels[i])];
        right += label == found[i] ? 1 : 0;
        strangers += label < 0 ? 1 : 0;
    }
    return {static_cast<double>(right) / static_cast<double>(found.size()), strangers};
}

/// A LIBSVM file does not say how many features there were, only which the support vectors have.
/// Data in LIBSVM's format may have others; CSV has all, so that one more may be one too many.
void widen_to(const Table &table, Classifier &model) {
    const Index features = feature_count(table.samples);
    if (features <= model.features) return;
    if (std::holds_alternative<DenseRows>(table.samples))
        throw InvalidInput(fmt::format("the data has {0} features, the support vectors have {1}; "
                                       "if the others are 0 in all of these, import the model "
                                       "with --features {0}",
                                       features, model.features));
    widen(model, features);
}

struct Prediction {
    std::vector<Index> classes;
    Matrix values{}; ///< decision values or probabilities, if they were asked for
};

Prediction predict_rows(const PredictOptions &options, const Classifier &model,
                        const Table &table) {
    if (!options.decision_values && !options.probabilities)
        return {predict_classes(model, table.samples, options.threads)};
    Matrix values = decision_values(model, table.samples, options.threads);
    Prediction found{classes_of(model, values)};
    found.values = options.probabilities ? probabilities(model, values) : std::move(values);
    return found;
}

/// Labels or decision values; probabilities as svm-predict writes them: first the labels, then on
/// each line the label that is predicted, and one probability for each class.
std::string lines(const PredictOptions &options, const Classifier &model, const Prediction &found) {
    fmt::memory_buffer text;
    const auto label = [&](std::size_t i) {
        return std::string_view(model.classes[static_cast<std::size_t>(found.classes[i])]);
    };
    if (options.probabilities)
        fmt::format_to(std::back_inserter(text), "labels {}\n", fmt::join(model.classes, " "));
    for (std::size_t i = 0; i < found.classes.size(); ++i) {
        if (!options.decision_values) text.append(label(i));
        for (Index k = 0; k < found.values.cols(); ++k)
            fmt::format_to(std::back_inserter(text), "{}{:.17g}",
                           k > 0 || options.probabilities ? " " : "",
                           found.values(static_cast<Index>(i), k));
        text.push_back('\n');
    }
    return fmt::to_string(text);
}

int predict_command(PredictOptions &options) {
    const auto begin = Clock::now();
    refuse_overwriting("-o", options.output, "MODEL", options.model);
    refuse_overwriting("-o", options.output, "DATA", find_data(options.data.file));
    Classifier model = load_classifier(options.model);
    if (options.probabilities && !model.is_calibrated())
        throw InvalidInput("the model has no probabilities; train it with --calibrate",
                           options.model);
    const Table table = load(options, model);
    if (model.training_rows == 0) naming(options.data.file, [&] { widen_to(table, model); });
    const double read = seconds_since(begin);
    const Prediction found =
        naming(options.data.file, [&] { return predict_rows(options, model, table); });
    const std::size_t rows = found.classes.size();
    const double predict = seconds_since(begin) - read;
    const auto [share, strangers] = accuracy(model, table, found.classes);

    if (!options.output.empty() && options.output != "-") {
        AtomicFile file(options.output);
        file.write(lines(options, model, found));
        file.commit();
    } else if (!options.json) {
        write_output(lines(options, model, found));
    }
    if (!options.quiet && !share.is_null())
        say(fmt::format("accuracy {:.4f} % on {} rows\n", 100 * share.get<double>(), rows));
    if (!options.quiet && strangers > 0)
        say(fmt::format("{} with a label that the model does not know, such as {}, counted as "
                        "wrong\n",
                        strangers == 1 ? "1 row" : fmt::format("{} rows", strangers),
                        in_quotes(foreign_label(model, table))));
    if (options.json)
        print(
            {{"rows", rows},
             {"accuracy", share},
             {"support_vectors", model.rows.size()},
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
                  "write h(x) instead of labels; h(x) > 0 is the second class of the model. Of\n"
                  "many classes one value for each pair, in the order of hinge0 info: above 0\n"
                  "is the second of the two")
        ->excludes(app->add_flag("--probabilities", options->probabilities,
                                 "the labels on one line, then the label and one probability "
                                 "for each class\na line, as svm-predict does; for a model "
                                 "trained with --calibrate"));
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
