/// Exports by the word for their program, and imports by their content.
#include "hinge0/export.hpp"

#include "core/atomic_file.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "model/model_file.hpp"

namespace hinge0 {
namespace {

bool is_json(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

void write(const std::string &text, const std::filesystem::path &file) {
    AtomicFile out(file);
    out.write(text);
    out.commit();
}

} // namespace

std::string exported(const Classifier &classifier, std::string_view to, const COptions &options) {
    if (to == "libsvm") return to_libsvm(classifier);
    if (to == "c") return to_c(classifier, options);
    if (to == "onnx") return to_onnx(classifier);
    if (to == "json") return to_json(classifier);
    throw InvalidInput("models are exported to libsvm, c, onnx or json, not to " + in_quotes(to));
}

void export_model(const Classifier &classifier, const std::filesystem::path &file,
                  std::string_view to, const COptions &options) {
    const std::string text = exported(classifier, to, options);
    if (to == "libsvm" && !classifier.scaling.empty())
        write(libsvm_range(classifier), file.string() + ".range");
    write(text, file);
}

Classifier import_model(const std::filesystem::path &file) {
    const std::string text = read_bytes(file, [](std::string_view start) {
        return is_json(start) || start.starts_with("svm_type");
    });
    const std::string name = file.string();
    return is_json(text) ? from_json(text, name) : from_libsvm(text, name);
}

} // namespace hinge0
