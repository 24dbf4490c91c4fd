/// LIBSVM text: what is read, and what is refused with which words.
#include <fmt/format.h>

#include <random>
#include <sstream>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

const ReadOptions libsvm{.format = Format::libsvm};

std::string libsvm_refusal(std::string_view text, const ReadOptions &options = libsvm) {
    std::string whole = message_of([&] { static_cast<void>(parse(text, options)); });
    const std::string bytewise = message_of([&] { static_cast<void>(parse(text, options, 1)); });
    EXPECT_EQ(whole, bytewise);
    return whole;
}

TEST(LibsvmReader, ReadsRowsAndLabels) {
    const Table table = parse("+1 1:0.5 3:-2\n-1 2:1e3\n1.0\n", libsvm);
    EXPECT_EQ(labels(table), "1 -1 1 ");
    EXPECT_EQ(table.label_names, (std::vector<std::string>{"1", "-1"}));
    DenseRows expected(3, 3);
    expected << 0.5, 0, -2, 0, 1000, 0, 0, 0, 0;
    EXPECT_EQ(dense(table.samples), expected);
    const auto &rows = std::get<SparseRows>(table.samples);
    EXPECT_TRUE(rows.isCompressed());
    EXPECT_EQ(rows.nonZeros(), 3);
}

TEST(LibsvmReader, AcceptsEveryCustomOfWriting) {
    const std::string text = "\xef\xbb\xbf# first a comment\r\n"
                             "\r\n"
                             "  \t \n"
                             "\t+1\t\t1:+.5   +3:-2. # trailing 5:x\r\n"
                             "   # only a comment\n"
                             "yes#stuck on\n"
                             "-1 00002:1E3#\n"
                             "\n"
                             "1 1:0.25";
    for (const std::size_t chunk : {1U, 2U, 3U, 7U, 1000U}) {
        const Table table = parse(text, libsvm, chunk);
        EXPECT_EQ(labels(table), "1 yes -1 1 ");
        DenseRows expected(4, 3);
        expected << 0.5, 0, -2, 0, 0, 0, 0, 1000, 0, 0.25, 0, 0;
        EXPECT_EQ(dense(table.samples), expected);
    }
}

TEST(LibsvmReader, ReadsRowsWithoutLabels) {
    const Table table = parse("1:1 2:2\n2:5\n", libsvm);
    EXPECT_FALSE(table.labelled());
    EXPECT_TRUE(table.label_names.empty());
    EXPECT_EQ(row_count(table.samples), 2);
}

TEST(LibsvmReader, DropsExplicitZerosButCountsTheirColumn) {
    const Table table = parse("1 1:0 2:1 5:-0.0\n", libsvm);
    EXPECT_EQ(std::get<SparseRows>(table.samples).nonZeros(), 1);
    EXPECT_EQ(feature_count(table.samples), 5);
}

TEST(LibsvmReader, FeaturesWidenButNeverNarrow) {
    ReadOptions options = libsvm;
    options.features = 10;
    EXPECT_EQ(feature_count(parse("1 3:1\n", options).samples), 10);
    options.features = 2;
    EXPECT_EQ(feature_count(parse("1 3:1\n", options).samples), 3);
    options.features = -1;
    EXPECT_EQ(message_of<InvalidInput>([&] { static_cast<void>(parse("1 3:1\n", options)); }),
              "features must be in [0, 2147483647], not -1");
}

TEST(LibsvmReader, TheLargestIndexCostsNothing) {
    ReadOptions options = libsvm;
    options.memory_limit = 100'000;
    const Table table = parse("1 2147483647:1\n-1 1:1\n", options);
    EXPECT_EQ(feature_count(table.samples), 2147483647);
    EXPECT_EQ(std::get<SparseRows>(table.samples).nonZeros(), 2);
}

TEST(LibsvmReader, PrecomputedRowsMayBeginWithASerialNumber) {
    ReadOptions options = libsvm;
    options.precomputed = true;
    const Table table = parse("1 0:1 1:2.5 2:3\n-1 0:2 1:3 2:4\n1 1:7\n", options);
    DenseRows expected(3, 2);
    expected << 2.5, 3, 3, 4, 7, 0;
    EXPECT_EQ(dense(table.samples), expected);
    EXPECT_EQ(libsvm_refusal("1 1:2 0:1\n", options),
              "index 0 in '0:1', but indices start at 1: f:1");
    EXPECT_EQ(libsvm_refusal("1 0:x\n", options), "value 'x' of index '0' is not a number: f:1");
}

TEST(LibsvmReader, RefusesIndices) {
    EXPECT_EQ(libsvm_refusal("1 1:1\n1 0:1\n"), "index 0 in '0:1', but indices start at 1: f:2");
    EXPECT_EQ(libsvm_refusal("1 -3:1\n"), "index '-3' is negative: f:1");
    EXPECT_EQ(libsvm_refusal("1 1.5:1\n"), "index '1.5' is not a whole number: f:1");
    EXPECT_EQ(libsvm_refusal("1 abc:1\n"), "index 'abc' is not a whole number: f:1");
    EXPECT_EQ(libsvm_refusal("1 :1\n"), "index '' is not a whole number: f:1");
    EXPECT_EQ(libsvm_refusal("1 +:1\n"), "index '+' is not a whole number: f:1");
    EXPECT_EQ(libsvm_refusal("1 2147483648:1\n"), "index '2147483648' is over 2147483647: f:1");
    EXPECT_EQ(libsvm_refusal("1 4294967297:1\n"), "index '4294967297' is over 2147483647: f:1");
    EXPECT_EQ(libsvm_refusal("1 99999999999999999999999:1\n"),
              "index '99999999999999999999999' is over 2147483647: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:1 2:1\n"), "index 2 after 3, but indices must rise: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:1 3:1\n"), "index 3 is repeated: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:0 3:1\n"), "index 3 is repeated: f:1");
}

TEST(LibsvmReader, RefusesValues) {
    EXPECT_EQ(libsvm_refusal("1 5\n"), "missing ':' in '5': f:1");
    EXPECT_EQ(libsvm_refusal("1 word\n"), "missing ':' in 'word': f:1");
    EXPECT_EQ(libsvm_refusal("1 3: 4:1\n"), "missing value of index '3': f:1");
    EXPECT_EQ(libsvm_refusal("1 3:"), "missing value of index '3': f:1");
    EXPECT_EQ(libsvm_refusal("1 3:1.5abc\n"), "value '1.5abc' of index '3' is not a number: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:4:5\n"), "value '4:5' of index '3' is not a number: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:1,5\n"), "value '1,5' of index '3' is not a number: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:nan\n"), "value 'nan' of index '3' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:-Inf\n"), "value '-Inf' of index '3' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("1 3:1e999\n"), "value '1e999' of index '3' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("1 qid:3 1:2\n"),
              "'qid:3' is for ranking, which is not supported: f:1");
}

TEST(LibsvmReader, RefusesLabels) {
    EXPECT_EQ(libsvm_refusal("nan 1:1\n"), "label 'nan' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("-inf 1:1\n"), "label '-inf' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("1e999 1:1\n"), "label '1e999' is not finite: f:1");
    EXPECT_EQ(libsvm_refusal("1 1:1\n\n1:1\n"), "no label before '1:1': f:3");
    EXPECT_EQ(libsvm_refusal("1:1\n1 1:1\n"), "label '1' in a file that began without labels: f:2");
    EXPECT_EQ(libsvm_refusal("a:b 1:1\n"), "index 'a' is not a whole number: f:1");
}

TEST(LibsvmReader, RefusesControlBytes) {
    using namespace std::string_view_literals;
    EXPECT_EQ(libsvm_refusal("1\0 1:1\n"sv), "control byte in label '1\\x00': f:1");
    EXPECT_EQ(libsvm_refusal("1 1:1\0\n"sv), "control byte in '1:1\\x00': f:1");
    EXPECT_EQ(libsvm_refusal("1 1:1\r2 1:1\n"), "control byte in '1:1\\x0d2': f:1");
    EXPECT_EQ(libsvm_refusal("1 \v1:1\n"), "control byte in '\\x0b1:1': f:1");
}

TEST(LibsvmReader, CutsLongTokensInMessages) {
    EXPECT_EQ(libsvm_refusal(fmt::format("1 {}\n", std::string(100'000, 'x'))),
              fmt::format("missing ':' in '{}...': f:1", std::string(40, 'x')));
}

TEST(LibsvmReader, RefusesFilesWithoutRows) {
    for (const char *text : {"", "\n", "# nothing\n\n", "\xef\xbb\xbf", "\r\n"})
        EXPECT_EQ(libsvm_refusal(text), "no data rows: f") << text;
}

TEST(LibsvmReader, CountsStoredValues) {
    for (const std::size_t bytes : {1U, 20U, 1000U}) {
        ReadBudget budget(1e6, "reading");
        LineReader lines(chunks("1 1:1 2:1\n1 1:1 2:1\n1 1:1\n", 5), "f", {}, budget);
        const Cutting cutting{.bytes = bytes, .threads = 2};
        EXPECT_EQ(
            message_of([&] { static_cast<void>(parse_libsvm(lines, libsvm, budget, cutting, 4)); }),
            "more than 4 values that are not zero: f:3");
    }
}

/// However the file is cut into blocks, and whatever comes first: table and messages are the same.
TEST(LibsvmReader, ParsesBlocksOnSeveralThreads) {
    const auto outcome = [](const std::string &text, std::size_t bytes, int threads) {
        try {
            const Table table =
                parse_table(chunks(text, 7), "f", {}, {.bytes = bytes, .threads = threads});
            std::ostringstream out;
            out << labels(table) << dense(table.samples);
            return out.str();
        } catch (const FileError &error) {
            return std::string(error.what());
        }
    };
    const std::string rows = "\xef\xbb\xbf# note\r\n\n2 1:1\r\n\n\n1 2:2 # end\n2\n3 1:4";
    for (const std::string &text :
         {rows, rows + "x\n1 1:1\n", rows + "\n\n1:5\n1 3:x\n", rows + "\n1 1:1 1:2\n",
          "1,2\n" + rows, std::string("y,a\n\nb,2\r\na,3\n\nb,4\nc,5"),
          std::string("y,a\nb,2\na,3\n\nb,4,4\nc,x"), std::string("\n\n"), std::string()})
        for (const std::size_t bytes : {1U, 5U, 12U, 30U})
            for (const int threads : {1, 3})
                EXPECT_EQ(outcome(text, bytes, threads), outcome(text, 1000, 1))
                    << bytes << " bytes, " << threads << " threads: " << text;
}

TEST(LibsvmReader, RefusesMemoryBeyondTheLimit) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "1 1:1 2:1\n";
    ReadOptions options = libsvm;
    options.memory_limit = 2e6; // the matrix alone takes 2.8 MB
    const std::string message =
        message_of<OutOfMemory>([&] { static_cast<void>(parse(text, options)); });
    EXPECT_TRUE(message.starts_with("reading f needs 0.00")) << message;
    EXPECT_TRUE(message.ends_with("GiB are allowed: use fewer rows, or a machine with more memory"))
        << message;
    options.memory_limit = 6e6; // and a block of the text
    EXPECT_EQ(row_count(parse(text, options).samples), 100'000);
    options.memory_limit = -1;
    EXPECT_EQ(message_of<InvalidInput>([&] { static_cast<void>(parse("1", options)); }),
              "memory_limit must be >= 0, not -1");
}

TEST(LibsvmReader, RefusesALineBeyondTheLimit) {
    ReadOptions options = libsvm;
    options.memory_limit = 1e5;
    const std::string text = "1 #" + std::string(1'000'000, 'x');
    EXPECT_NE(message_of<OutOfMemory>([&] {
                  static_cast<void>(parse(text, options, 1000));
              }).find("reading f needs"),
              std::string::npos);
}

TEST(LibsvmReader, StopsWhenAsked) {
    int asked = 0;
    ReadOptions options = libsvm;
    options.should_stop = [&] { return ++asked == 3; };
    EXPECT_EQ(
        message_of<Interrupted>([&] { static_cast<void>(parse("1 1:1\n1 1:1\n", options, 2)); }),
        "interrupted while reading: f");
    EXPECT_EQ(asked, 3);
}

TEST(LibsvmReader, ManyRowsAndLabelsSurviveEveryChunkSize) {
    std::mt19937 random(5);
    std::string text;
    for (int i = 0; i < 3000; ++i) {
        text += std::to_string(random() % 500);
        for (auto j = 1 + random() % 3; j < 30; j += 1 + random() % 9)
            text += fmt::format(" {}:{}", j, random() % 7);
        text += "\n";
    }
    const Table whole = parse(text, libsvm);
    EXPECT_EQ(row_count(whole.samples), 3000);
    for (const std::size_t chunk : {1U, 5U, 64U, 4096U}) {
        const Table pieces = parse(text, libsvm, chunk);
        EXPECT_EQ(pieces.labels, whole.labels);
        EXPECT_EQ(pieces.label_names, whole.label_names);
        EXPECT_EQ(dense(pieces.samples), dense(whole.samples));
    }
}

} // namespace
