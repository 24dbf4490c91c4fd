/// Files: plain, compressed, damaged, missing.
#define ZLIB_CONST
#include <bzlib.h>
#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>

#include <new>
#include <thread>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

std::string gzip(std::string_view text) {
    std::string out(text.size() + 1000, 0);
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<const Bytef *>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string bzip2(std::string_view text) {
    std::string out(text.size() + 1000, 0), in(text);
    auto size = static_cast<unsigned>(out.size());
    EXPECT_EQ(BZ2_bzBuffToBuffCompress(out.data(), &size, in.data(),
                                       static_cast<unsigned>(in.size()), 9, 0, 0),
              BZ_OK);
    out.resize(size);
    return out;
}

std::string xz(std::string_view text) {
    std::string out(text.size() + 1000, 0);
    std::size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(
                  6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t *>(text.data()),
                  text.size(), reinterpret_cast<std::uint8_t *>(out.data()), &size, out.size()),
              LZMA_OK);
    out.resize(size);
    return out;
}

struct Packer {
    const char *name;
    std::string (*compress)(std::string_view);
};
const Packer packers[] = {{"gzip", gzip}, {"bzip2", bzip2}, {"xz", xz}};

std::string many_rows() {
    std::string text;
    for (int i = 0; i < 80'000; ++i)
        text += std::to_string(i % 2) + " 1:" + std::to_string(i) + " 2:1\n";
    return text;
}

using ReadTable = Folder;

TEST_F(ReadTable, ReadsPlainAndCompressedByContent) {
    const std::string text = many_rows();
    const Table expected = read_table(put("plain", text));
    EXPECT_EQ(row_count(expected.samples), 80'000);
    for (const Packer &packer : packers) {
        const Table table = read_table(put("no-telling-name", packer.compress(text)));
        EXPECT_EQ(table.labels, expected.labels) << packer.name;
        EXPECT_EQ(dense(table.samples), dense(expected.samples)) << packer.name;
    }
}

TEST_F(ReadTable, ReadsCompressedCsvByName) {
    const auto file = put("x.csv.gz", gzip("1\t2\n3\t4\n"));
    EXPECT_TRUE(std::holds_alternative<DenseRows>(read_table(file).samples));
}

TEST_F(ReadTable, RefusesCompressedFilesCutAnywhere) {
    const std::string text = many_rows().substr(0, 30'000);
    for (const Packer &packer : packers) {
        const std::string whole = packer.compress(text);
        for (std::size_t size = 10; size < whole.size(); size += whole.size() / 37 + 1) {
            const auto file = put("cut", whole.substr(0, size));
            const std::string message = message_of([&] { static_cast<void>(read_table(file)); });
            EXPECT_TRUE(message.starts_with("damaged compressed file (")) << packer.name << message;
            EXPECT_TRUE(message.ends_with("): " + file.string())) << packer.name << message;
        }
        const auto file = put("cut", whole.substr(0, whole.size() - 1));
        EXPECT_TRUE(message_of([&] {
                        static_cast<void>(read_table(file));
                    }).starts_with("damaged compressed file ("))
            << packer.name << ": last byte";
    }
}

TEST_F(ReadTable, RefusesDamagedCompressedFiles) {
    const std::string text = many_rows().substr(0, 30'000);
    for (const Packer &packer : packers) {
        const std::string whole = packer.compress(text);
        for (std::size_t at = 16; at < whole.size(); at += whole.size() / 41 + 1) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
            const auto file = put("damaged", damaged);
            // What is decoded before the checksum may already look wrong to the parser.
            EXPECT_NE(message_of([&] { static_cast<void>(read_table(file)); }), "no exception")
                << packer.name << " at " << at << " of " << whole.size();
        }
    }
}

TEST_F(ReadTable, RefusesWhatFollowsACompressedFile) {
    for (const Packer &packer : packers) {
        const auto file = put("tail", packer.compress("1 1:1\n") + "1 1:1\n");
        EXPECT_TRUE(message_of([&] {
                        static_cast<void>(read_table(file));
                    }).starts_with("damaged compressed file ("))
            << packer.name;
    }
}

TEST_F(ReadTable, RefusesADictionaryThatWouldTakeGigabytes) {
    std::string file = xz("1 1:1\n");
    constexpr std::size_t block = 12;                                // behind the stream header
    const std::size_t dictionary = file.find("\x21\x01", block) + 2; // of the LZMA2 filter
    const auto size = static_cast<std::size_t>((file[block] + 1) * 4 - 4);
    file[dictionary] = 40; // 4 GiB
    const auto *const header = reinterpret_cast<const std::uint8_t *>(file.data()) + block;
    const std::uint32_t check = lzma_crc32(header, size, 0);
    for (std::size_t i = 0; i < 4; ++i)
        file[block + size + i] = static_cast<char>(check >> (8 * i));
    const auto path = put("huge.xz", file);
    EXPECT_EQ(message_of([&] { static_cast<void>(read_table(path)); }),
              "damaged compressed file (its dictionary is over 1 GiB): " + path.string());
}

TEST_F(ReadTable, ReadsPipesThatGiveAByteAtATime) {
    const auto pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string bytes = gzip("1 1:1\n-1 1:2\n");
    std::thread writer([&] {
        std::ofstream out(pipe, std::ios::binary);
        for (const char byte : bytes) out << byte << std::flush;
    });
    EXPECT_EQ(labels(read_table(pipe)), "1 -1 ");
    writer.join();
}

TEST_F(ReadTable, ReadsJoinedCompressedFiles) {
    for (const Packer &packer : packers) {
        const std::string part = packer.compress("1 1:1\n-1 1:2\n");
        EXPECT_EQ(labels(read_table(put("joined", part + part))), "1 -1 1 -1 ") << packer.name;
    }
}

TEST_F(ReadTable, EmptyFilesHaveNoRows) {
    const auto expect_no_rows = [&](std::string_view bytes, const char *what) {
        const auto file = put("empty", bytes);
        EXPECT_EQ(message_of([&] { static_cast<void>(read_table(file)); }),
                  "no data rows: " + file.string())
            << what;
    };
    expect_no_rows("", "plain");
    for (const Packer &packer : packers) expect_no_rows(packer.compress(""), packer.name);
}

TEST_F(ReadTable, ALabelMayLookLikeTheStartOfABzip2File) {
    EXPECT_EQ(labels(read_table(put("x", "BZh9 1:1\n"))), "BZh9 ");
    EXPECT_EQ(labels(read_table(put("x", "BZh9 1:1 2:3\n"))), "BZh9 ");
}

TEST_F(ReadTable, SaysWhyAFileCannotBeRead) {
    EXPECT_EQ(message_of([&] { static_cast<void>(read_table(folder / "none")); }),
              "cannot open (No such file or directory): " + (folder / "none").string());
    EXPECT_EQ(message_of([&] { static_cast<void>(read_table(folder)); }),
              "cannot read (Is a directory): " + folder.string());
}

TEST(ParseTable, SaysWhenMemoryRunsOutAllTheSame) {
    const ByteSource source = []() -> std::string_view { throw std::bad_alloc(); };
    EXPECT_EQ(message_of<OutOfMemory>([&] { static_cast<void>(parse_table(source, "f", {})); }),
              "reading f needs more memory than there is: use fewer rows");
}

TEST_F(ReadTable, NamesFileAndLine) {
    const auto file = put("x", "1 1:1\n1 1:x\n");
    EXPECT_EQ(message_of([&] { static_cast<void>(read_table(file)); }),
              "value 'x' of index '1' is not a number: " + file.string() + ":2");
}

TEST_F(ReadTable, ReadsStandardInput) {
    const auto file = put("x", "1 1:1\n-1 2:1\n");
    const int saved = ::dup(STDIN_FILENO);
    ASSERT_NE(std::freopen(file.c_str(), "r", stdin), nullptr);
    EXPECT_EQ(labels(read_table("-")), "1 -1 ");
    EXPECT_EQ(message_of([&] { static_cast<void>(read_table("-")); }),
              "no data rows: standard input");
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

} // namespace
