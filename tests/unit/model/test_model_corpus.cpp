/// Replays the fuzzer's corpus in every build. Files named bad-* must be refused, all others load.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "model_samples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace hinge0::testing {
namespace {

namespace fs = std::filesystem;

TEST(ModelCorpus, Replay) {
    const fs::path folder = fs::path(HINGE0_TEST_DATA).parent_path() / "fuzz/corpus/model";
    int files = 0;
    for (const auto &entry : fs::directory_iterator(folder)) {
        SCOPED_TRACE(entry.path());
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
        const bool bad = entry.path().filename().string().starts_with("bad-");
        if (bad) {
            EXPECT_THROW((void)parse_classifier(text, "m", false), FileError);
        } else {
            EXPECT_NO_THROW((void)parse_classifier(text, "m"));
        }
        ++files;
    }
    EXPECT_GE(files, 22);
}

} // namespace
} // namespace hinge0::testing
