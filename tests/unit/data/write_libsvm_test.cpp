/// write_libsvm: what read_table reads back must be the same table.
#include <fcntl.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <random>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

class WriteLibsvm : public Folder {
protected:
    std::string written(const Table &table) const {
        write_libsvm(table, folder / "out");
        std::ifstream in(folder / "out");
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(WriteLibsvm, WritesShortestNumbersAndSkipsZeros) {
    DenseRows rows(2, 3);
    rows << 0.1, 0, -2, 1e-7, 1, 0;
    EXPECT_EQ(written({rows, {"1", "no"}, {0, 1}}), "1 1:0.1 3:-2\nno 1:1e-07 2:1\n");
}

TEST_F(WriteLibsvm, KeepsColumnsAndRowsThatAreAllZero) {
    EXPECT_EQ(written({DenseRows(DenseRows::Zero(2, 3)), {"1"}, {0, 0}}), "1 3:0\n1\n");
    EXPECT_EQ(written({DenseRows(DenseRows::Zero(2, 3)), {}, {}}), "3:0\n1:0\n");
}

TEST_F(WriteLibsvm, IsReadBackBitForBit) {
    std::mt19937_64 random(9);
    SparseRows rows(200, 20);
    for (Index i = 0; i < rows.rows(); ++i)
        for (Index j = 0; j < rows.cols(); ++j) {
            const auto value = std::bit_cast<double>(random());
            if (random() % 3 == 0 && std::isfinite(value) && value != 0) rows.insert(i, j) = value;
        }
    rows.makeCompressed();
    for (const bool labelled : {true, false}) {
        Table table{rows, {}, {}};
        if (labelled) {
            table.label_names = {"a", "-1.5"};
            for (int i = 0; i < 200; ++i) table.labels.push_back(i % 2);
        }
        write_libsvm(table, folder / "out");
        const Table back = read_table(folder / "out");
        EXPECT_EQ(back.labels, table.labels);
        EXPECT_EQ(back.label_names, table.label_names);
        EXPECT_EQ(std::get<SparseRows>(back.samples).nonZeros(), rows.nonZeros());
        EXPECT_EQ(dense(back.samples), DenseRows(rows));
    }
}

TEST_F(WriteLibsvm, RefusesLabelsThatWouldNotBeReadBack) {
    for (const char *label : {"", "a b", "a:b", "a#b", "a\nb"})
        EXPECT_TRUE(
            message_of<InvalidInput>([&] {
                write_libsvm({DenseRows(DenseRows::Ones(1, 1)), {label}, {0}}, folder / "out");
            }).ends_with("cannot be written as LIBSVM text"))
            << label;
    EXPECT_EQ(message_of<InvalidInput>([&] {
                  write_libsvm({DenseRows(DenseRows::Ones(2, 1)), {"1"}, {0}}, folder / "out");
              }),
              "1 labels for 2 rows");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(WriteLibsvm, WritesStandardOutput) {
    testing::internal::CaptureStdout();
    write_libsvm({DenseRows(DenseRows::Ones(1, 1)), {"1"}, {0}}, "-");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "1 1:1\n");
}

TEST_F(WriteLibsvm, TellsThatStandardOutputIsFull) {
    std::fflush(stdout);
    const int saved = ::dup(STDOUT_FILENO), full = ::open("/dev/full", O_WRONLY);
    ::dup2(full, STDOUT_FILENO);
    const SparseRows rows = DenseRows::Ones(1, 1).sparseView();
    const std::string message = message_of([&] { write_libsvm({rows, {"1"}, {0}}, "-"); });
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    ::close(full);
    std::clearerr(stdout);
    EXPECT_EQ(message, "cannot write (No space left on device): standard output");
}

TEST_F(WriteLibsvm, TellsAFullDisk) {
    const Table table{
        DenseRows(DenseRows::Ones(1000, 100)), {"1"}, std::vector<std::int32_t>(1000)};
    EXPECT_EQ(message_of([&] { write_libsvm(table, "/dev/full"); }),
              "cannot write (No space left on device): /dev/full");
}

} // namespace
