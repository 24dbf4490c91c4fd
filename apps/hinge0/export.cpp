/// hinge0 export and import: models for other programs, and from them.
#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "checks.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "hinge0/hinge0.hpp"
#include "model_output.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

struct ExportOptions {
    std::string model, to, output, name = "model";
    bool single = false, quiet = false;
};

void write(const ExportOptions &options, const Classifier &model) {
    const COptions of_c{.name = options.name, .single = options.single};
    // LIBSVM does not scale: svm-scale does, by a file of its own.
    const bool second_file = options.to == "libsvm" && !model.scaling.empty();
    const std::string range = options.output + ".range";
    if (options.output == "-") {
        if (second_file)
            throw UsageError("the model scales its features, which takes a second file: name the "
                             "first with -o");
        return write_output(exported(model, options.to, of_c));
    }
    if (second_file) refuse_overwriting("-o", range, "MODEL", options.model);
    export_model(model, options.output, options.to, of_c);
    if (second_file && !options.quiet)
        say(fmt::format("the model scales its features; before svm-predict scale the data with\n"
                        "  svm-scale -r {} DATA > SCALED\n"
                        "which rounds to 6 digits: a row very near the boundary may change sides\n",
                        printable(range)));
}

int export_command(ExportOptions &options) {
    refuse_overwriting("-o", options.output, "MODEL", options.model);
    const Classifier model = load_classifier(options.model);
    try {
        write(options, model);
    } catch (const InvalidInput &error) {
        throw InvalidInput(error.what(), options.model);
    }
    const bool has_sigmoids = std::holds_alternative<Sigmoid>(model.pairs[0].calibration);
    const bool keeps_probabilities =
        options.to == "onnx" || options.to == "json" || (options.to == "libsvm" && has_sigmoids);
    if (model.is_calibrated() && !keeps_probabilities && !options.quiet)
        say("the probabilities of the model are not exported, its labels are\n");
    return Exit::done;
}

struct ImportOptions {
    std::string file, output;
    Index features = 0; ///< 0: those of the file
    bool quiet = false;
};

int import_command(ImportOptions &options) {
    if (options.output.empty()) options.output = default_output(options.file);
    refuse_overwriting("-o", options.output, "the file that is imported", options.file);
    Classifier model = import_model(options.file);
    if (options.features > 0) try {
            widen(model, options.features);
        } catch (const InvalidInput &error) {
            throw InvalidInput(error.what(), options.file);
        }
    write_model(model, options.output);
    if (!options.quiet)
        say(fmt::format("{} classes, {} support vectors, {} features{}; model written to {}\n",
                        model.classes.size(), model.rows.size(), model.features,
                        model.is_calibrated() ? ", probabilities" : "",
                        options.output == "-" ? "standard output" : printable(options.output)));
    return Exit::done;
}

} // namespace

Command add_export(CLI::App &program) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App *app = program.add_subcommand("export", "write a model for other programs");
    app->add_option("MODEL", options->model, "a model file of hinge0")->required();
    app->add_option("--to", options->to,
                    "libsvm: a model of svm-predict (kernels linear, poly, rbf, precomputed);\n"
                    "c: one C99 header that needs nothing else;\n"
                    "onnx: plain operators, probabilities included;\n"
                    "json: all that the model has, to read by programs and by hinge0 import")
        ->check(CLI::IsMember({"libsvm", "c", "onnx", "json"}))
        ->required();
    app->add_option("-o,--output", options->output, "file; '-' is standard output")->required();
    app->add_option("--name", options->name, "c: what all names in the header begin with")
        ->capture_default_str();
    app->add_flag("--float", options->single, "c: float instead of double");
    app->add_flag("-q,--quiet", options->quiet, "no words");
    app->footer("Examples:\n"
                "  hinge0 export heart.model --to libsvm -o heart.svm\n"
                "  hinge0 export heart.model --to c --name heart --float -o heart.h\n"
                "  hinge0 export heart.model --to onnx -o heart.onnx");
    return {app, [options] { return export_command(*options); }};
}

Command add_import(CLI::App &program) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App *app =
        program.add_subcommand("import", "read a model of LIBSVM, or JSON of hinge0 export");
    app->add_option("FILE", options->file,
                    "a model file of svm-train (which can predict, but not be verified: its\n"
                    "training data is not known), or JSON of hinge0 export")
        ->required();
    app->add_option("-o,--output", options->output,
                    "model file (default: FILE.model, here; '-' is standard output)");
    app->add_option("--features", options->features,
                    "columns of the data; without it as many as the support vectors of the file\n"
                    "have, the last of which may be 0 in all of them and so not there. Then\n"
                    "hinge0 predict takes LIBSVM data with more; CSV, Python, C and ONNX do not")
        ->transform(whole_number_in(1, std::numeric_limits<std::int32_t>::max()));
    app->add_flag("-q,--quiet", options->quiet, "no words");
    return {app, [options] { return import_command(*options); }};
}

} // namespace hinge0::cli
