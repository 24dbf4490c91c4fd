/// Any bytes into the LIBSVM reader.
#include "reader_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    hinge0::fuzz::check_reader({reinterpret_cast<const char *>(data), size},
                               hinge0::Format::libsvm);
    return 0;
}
