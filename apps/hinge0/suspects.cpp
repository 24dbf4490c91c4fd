/// hinge0 suspects: rows ranked by how likely their label is wrong.
#include <fmt/format.h>

#include "checks.hpp"
#include "commands.hpp"
#include "core/atomic_file.hpp"
#include "core/memory.hpp"
#include "core/printable.hpp"
#include "core/threads.hpp"
#include "data_options.hpp"
#include "hinge0/hinge0.hpp"
#include "progress.hpp"
#include "report_text.hpp"
#include "weights_file.hpp"

namespace hinge0::cli {
namespace {

struct SuspectsOptions {
    DataOptions data;
    std::string output, weights_file;
    SuspectSettings settings;
    bool standardize = true, json = false, quiet = false;
};

LabelledData read(SuspectsOptions &options, const Deadline &deadline) {
    SuspectSettings &settings = options.settings;
    DataOptions &data = options.data;
    data.read.memory_limit = settings.memory_limit;
    data.read.threads = settings.threads;
    if (settings.memory_limit > 0) return_memory_at_once();
    data.read.should_stop = [] { return interrupt_requested(); };
    LabelledData rows = naming(data.file, [&] {
        Table table = data.load();
        settings.sample_weight = table.weights;
        return LabelledData(std::move(table));
    });
    if (!options.weights_file.empty())
        settings.sample_weight = read_weights(options.weights_file, rows.size());
    settings.time_limit = deadline.left();
    return rows;
}

Suspects judge(const SuspectsOptions &options, const LabelledData &data) {
    ProgressLine line(!options.quiet);
    return naming(options.data.file, [&] {
        return find_suspects(data, options.settings, [&](const Progress &progress) {
            line.show(progress);
            return !interrupt_requested();
        });
    });
}

/// A label as CSV has it: in quotes where it would be taken for something else.
std::string field(const std::string &label) {
    if (label.find_first_of(",\"\n\r") == std::string::npos) return label;
    std::string quoted = "\"";
    for (const char c : label) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// Worst first.
std::string lines(const LabelledData &data, const Suspects &found) {
    std::vector<std::string> labels;
    for (const std::string &label : data.classes()) labels.push_back(field(label));
    fmt::memory_buffer text;
    text.append(std::string_view("row,given_label,predicted_label,label_quality,is_label_issue\n"));
    for (const Index row : found.ranking()) {
        const auto i = static_cast<std::size_t>(row);
        fmt::format_to(std::back_inserter(text), "{},{},{},{:.17g},{}\n", row + 1,
                       labels[static_cast<std::size_t>(data.labels()[i])],
                       labels[static_cast<std::size_t>(found.predicted[i])], found.quality(row),
                       found.is_issue[i] != 0 ? "true" : "false");
    }
    return fmt::to_string(text);
}

Json report(const SuspectsOptions &options, const LabelledData &data, const Suspects &found,
            double read_seconds, double total) {
    Json members = Json::array();
    for (const SuspectMember &member : found.members)
        members.push_back(
            {{"gamma", member.gamma}, {"ridge", member.ridge}, {"error", member.error}});
    return {{"rows", data.size()},
            {"features", data.features()},
            {"classes", data.classes()},
            {"issues", found.issues()},
            {"standardize", options.settings.standardize},
            {"members", members},
            {"seed", options.settings.seed},
            {"seconds", {{"read", read_seconds}, {"judge", found.seconds}, {"total", total}}},
            {"threads", found.threads},
            {"peak_memory_bytes", peak_memory()},
            {"output", options.output},
            {"version", version}};
}

int suspects_command(SuspectsOptions &options) {
    const Deadline deadline(options.settings.time_limit);
    if (!options.weights_file.empty() && !options.data.read.weight_column.empty())
        throw UsageError("--weights and --weight-column both say what the rows weigh");
    if (options.json && options.output == "-")
        throw UsageError(
            "-o - and --json would both write to standard output: name a file with -o");
    refuse_overwriting("-o", options.output, "DATA", find_data(options.data.file));
    refuse_overwriting("-o", options.output, "the weights of --weights", options.weights_file);
    options.settings.standardize = options.standardize;
    catch_interrupts();
    const LabelledData data = read(options, deadline);
    const double read_seconds = deadline.seconds();
    const Suspects found = judge(options, data);
    const bool to_file = !options.output.empty() && options.output != "-";
    if (to_file) {
        AtomicFile file(options.output);
        file.write(lines(data, found));
        file.commit();
    } else if (!options.json) {
        write_output(lines(data, found));
    }
    if (!options.quiet)
        say(fmt::format("{} of {} labels should be looked at{}\n", found.issues(), data.size(),
                        to_file ? "; all rows, worst first, in " + printable(options.output) : ""));
    if (options.json) print(report(options, data, found, read_seconds, deadline.seconds()));
    return Exit::done;
}

} // namespace

Command add_suspects(CLI::App &program) {
    auto options = std::make_shared<SuspectsOptions>();
    SuspectSettings &settings = options->settings;
    CLI::App *app =
        program.add_subcommand("suspects", "rank rows by how likely their label is wrong");
    options->data.add_to(*app);
    app->add_option("-o,--output", options->output, "CSV file (default: standard output)");
    app->add_option("--weights", options->weights_file,
                    "a file with one number a row of DATA: 2 is the row twice, 0 is no row; such\n"
                    "rows are judged too, but judge no others");
    app->add_flag("--standardize,!--no-standardize", options->standardize,
                  "scale features to mean 0, deviation 1, as is done anyway; --no-standardize:\n"
                  "leave them as they are");
    app->add_option("--seed", settings.seed,
                    "of the parts that more than 2,000 rows are dealt out to")
        ->transform(whole_number_in(0, std::numeric_limits<std::uint64_t>::max()))
        ->capture_default_str();
    app->add_option("--threads", settings.threads, "0: all cores; the ranking is the same")
        ->transform(whole_number_in(0, most_threads))
        ->capture_default_str();
    app->add_option("--time-limit", settings.time_limit, "seconds at most; then an error")
        ->check(positive_number());
    app->add_option("--memory-limit", settings.memory_limit,
                    "refuse to take more bytes (suffixes kb, mb, gb); default: what is free")
        ->transform(CLI::AsSizeValue(false));
    app->add_flag("--json", options->json, "print counts, parameters and seconds as JSON");
    app->add_flag("-q,--quiet", options->quiet, "no report, no progress");
    app->footer(
        "Every row is judged by kernel fits that have not seen it; their parameters are chosen\n"
        "by the errors on such rows. The CSV has one line a row, the most suspect first:\n"
        "  row               counted from 1, a header apart\n"
        "  given_label       as in DATA\n"
        "  predicted_label   what the row looks like\n"
        "  label_quality     from 0 (most suspect) to 1; a score, not a probability\n"
        "  is_label_issue    true where the quality is below 0.25: look at it\n\n"
        "Examples:\n"
        "  hinge0 suspects heart.csv --label disease -o suspects.csv\n"
        "  hinge0 suspects d.libsvm | head -20\n"
        "  hinge0 suspects d.libsvm -o s.csv --json -q\n\n"
        "Exit status: 0 done, 1 error, 2 usage, 130 interrupted (nothing is written).");
    return {app, [options] { return suspects_command(*options); }};
}

} // namespace hinge0::cli
