/// Every file of the readers' corpora through the harness, in an ordinary test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reader_harness.hpp"

namespace {

void replay(const std::string &name, hinge0::Format format) {
    int files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(HINGE0_FUZZ_CORPUS "/" + name)) {
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        EXPECT_NO_THROW(hinge0::fuzz::check_reader(bytes, format)) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 0);
}

TEST(Corpus, Libsvm) { replay("libsvm", hinge0::Format::libsvm); }
TEST(Corpus, Csv) { replay("csv", hinge0::Format::csv); }

} // namespace
