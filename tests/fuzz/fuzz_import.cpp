/// Any bytes into the readers of LIBSVM's models and of JSON: a classifier or a hinge0::Error,
/// nothing else; and what was read is written as a model file and as JSON that read as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "hinge0/error.hpp"
#include "hinge0/export.hpp"
#include "model/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hinge0;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    Classifier model;
    try {
        model = text.starts_with('{') ? from_json(text, "fuzz") : from_libsvm(text, "fuzz");
    } catch (const Error &) {
        return 0;
    }
    // Outside the try: an error on our own text is a finding.
    const std::string written = to_text(model);
    if (to_text(parse_classifier(written, "fuzz")) != written) std::abort();
    try {
        const std::string json = to_json(model);
        if (to_text(from_json(json, "fuzz")) != written) std::abort();
    } catch (const InvalidInput &) { // a label that is no text for JSON
    }
    return 0;
}
