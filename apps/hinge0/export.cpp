/// hinge0 export and import: models for other programs, and from them.
#include <fmt/format.h>

#include "checks.hpp"
#include "commands.hpp"
#include "core/atomic_file.hpp"
#include "core/printable.hpp"
#include "hinge0/hinge0.hpp"
#include "model/model_file.hpp"
#include "model_output.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

struct ExportOptions {
    std::string model, to, output, name = "model";
    bool single = false, quiet = false;
};

void write(const std::string &text, const std::string &output) {
    if (output == "-") return write_output(text);
    AtomicFile file(output);
    file.write(text);
    file.commit();
}

/// LIBSVM does not scale: svm-scale does, by a file of its own.
void export_libsvm(const ExportOptions &options, const Classifier &model) {
    const std::string text = to_libsvm(model);
    if (model.scaling.empty()) return write(text, options.output);
    if (options.output == "-")
        throw UsageError("the model scales its features, which takes a second file: name the "
                         "first with -o");
    const std::string range = options.output + ".range";
    refuse_overwriting("-o", range, "MODEL", options.model);
    write(libsvm_range(model), range);
    write(text, options.output);
    if (!options.quiet)
        say(fmt::format("the model scales its features; before svm-predict scale the data with\n"
                        "  svm-scale -r {} DATA > SCALED\n"
                        "which rounds to 6 digits: a row very near the boundary may change sides\n",
                        printable(range)));
}

int export_command(ExportOptions &options) {
    refuse_overwriting("-o", options.output, "MODEL", options.model);
    const Classifier model = load_classifier(options.model);
    try {
        if (options.to == "libsvm")
            export_libsvm(options, model);
        else
            write(to_c(model, {.name = options.name, .single = options.single}), options.output);
    } catch (const InvalidInput &error) {
        throw InvalidInput(error.what(), options.model);
    }
    if (model.is_calibrated() && !options.quiet)
        say("the probabilities of the model are not exported, its labels are\n");
    return Exit::done;
}

struct ImportOptions {
    std::string file, output;
    bool quiet = false;
};

int import_command(ImportOptions &options) {
    if (options.output.empty()) options.output = default_output(options.file);
    refuse_overwriting("-o", options.output, "the file that is imported", options.file);
    const Classifier model = from_libsvm(read_bytes(options.file, "svm_type"), options.file);
    write_model(model, options.output);
    if (!options.quiet)
        say(fmt::format("{} classes, {} support vectors; model written to {}\n"
                        "it can predict, but not be verified: its training data is not known\n",
                        model.classes.size(), model.rows.size(), printable(options.output)));
    return Exit::done;
}

} // namespace

Command add_export(CLI::App &program) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App *app = program.add_subcommand("export", "write a model for other programs");
    app->add_option("MODEL", options->model, "a model file of hinge0")->required();
    app->add_option("--to", options->to,
                    "libsvm: a model of svm-predict (kernels linear, poly, rbf, precomputed);\n"
                    "c: one C99 header that needs nothing else")
        ->check(CLI::IsMember({"libsvm", "c"}))
        ->required();
    app->add_option("-o,--output", options->output, "file; '-' is standard output")->required();
    app->add_option("--name", options->name, "c: what all names in the header begin with")
        ->capture_default_str();
    app->add_flag("--float", options->single, "c: float instead of double");
    app->add_flag("-q,--quiet", options->quiet, "no words");
    app->footer("Examples:\n"
                "  hinge0 export heart.model --to libsvm -o heart.svm\n"
                "  hinge0 export heart.model --to c --name heart --float -o heart.h");
    return {app, [options] { return export_command(*options); }};
}

Command add_import(CLI::App &program) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App *app = program.add_subcommand("import", "read a model of LIBSVM");
    app->add_option("LIBSVM_MODEL", options->file, "a model file of svm-train")->required();
    app->add_option("-o,--output", options->output,
                    "model file (default: LIBSVM_MODEL.model, here; '-' is standard output)");
    app->add_flag("-q,--quiet", options->quiet, "no words");
    return {app, [options] { return import_command(*options); }};
}

} // namespace hinge0::cli
