/// The model of a command, into its file.
#include "model_output.hpp"

#include "commands.hpp"
#include "model/model_file.hpp"
#include "report_text.hpp"

namespace hinge0::cli {

std::string default_output(const std::string &data) {
    if (data == "-") throw UsageError("reading standard input: name the model with -o");
    return std::filesystem::path(data).filename().string() + ".model";
}

namespace {

template <class AnyModel> void write(const AnyModel &model, const std::string &output) {
    if (output == "-")
        write_output(checked_text(model, "standard output"));
    else
        save(model, output);
}

} // namespace

void write_model(const Model &model, const std::string &output) { write(model, output); }
void write_model(const Classifier &classifier, const std::string &output) {
    write(classifier, output);
}

} // namespace hinge0::cli
