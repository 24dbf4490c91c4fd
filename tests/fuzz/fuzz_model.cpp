/// Any bytes into the model parser: a model or a hinge0::Error, nothing else; and a model that was
/// read is written as text that reads as the same model.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "hinge0/error.hpp"
#include "model/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hinge0;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    std::string written;
    try {
        // Without the checksum: guessing it would keep every changed input out of the parser.
        written = to_text(parse_classifier(text, "fuzz", false));
    } catch (const Error &) {
        return 0;
    }
    // Outside the try: an error on our own text is a finding.
    if (to_text(parse_classifier(written, "fuzz", true)) != written) std::abort();
    return 0;
}
