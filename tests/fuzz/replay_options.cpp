/// Every file of the corpus of options through its harness, in an ordinary test.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

TEST(Corpus, Options) {
    int files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(HINGE0_FUZZ_CORPUS "/options")) {
        SCOPED_TRACE(entry.path());
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
        ++files;
    }
    EXPECT_GT(files, 10);
}
