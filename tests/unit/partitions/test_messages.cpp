/// What questions and answers are made of: it comes back, takes few bytes, and is refused where it
/// was cut off.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "cluster.hpp"
#include "hinge0/error.hpp"
#include "partitions/message.hpp"

namespace hinge0 {
namespace {

TEST(Messages, RisingNumbersComeBackAndTakeFewBytes) {
    constexpr Index last = std::numeric_limits<Index>::max();
    for (const std::vector<Index> &rows : {std::vector<Index>{},
                                           {0},
                                           {0, 1, 2, 130, 131, 400},
                                           {127, 255, 16511, 16512 + 16384},
                                           {5, last - 1, last}}) {
        Writer writer;
        writer.put_rising(rows);
        const std::string bytes = writer.take();
        EXPECT_EQ(Reader(bytes).get_rising(), rows);
        for (std::size_t end = 0; end < bytes.size(); ++end)
            EXPECT_THROW((void)Reader(std::string_view(bytes).substr(0, end)).get_rising(),
                         InvalidInput);
    }
    std::vector<Index> every_hundredth;
    for (Index i = 0; i < 1000; ++i) every_hundredth.push_back(100 * i);
    Writer writer;
    writer.put_rising(every_hundredth);
    EXPECT_EQ(writer.take().size(), 2u + 1000u);
}

TEST(Messages, RisingNumbersCountFromThePartitionsFirstRow) {
    const std::vector<Index> rows{1'000'000'003, 1'000'000'100};
    Writer writer;
    writer.put_rising(rows, 1'000'000'000);
    const std::string bytes = writer.take();
    EXPECT_EQ(bytes.size(), 3u);
    EXPECT_EQ(Reader(bytes).get_rising(1'000'000'000), rows);
}

TEST(Messages, NumbersKeepAllBitsInFewBytes) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::pair<double, std::size_t> sizes[] = {
        {0.0, 1}, {-0.0, 2}, {1.0, 3}, {-4.0, 3}, {50368.0, 4}, {0.1, 9}, {infinity, 3}};
    for (const auto &[value, size] : sizes) {
        Writer writer;
        writer.put_number(value);
        const std::string bytes = writer.take();
        EXPECT_EQ(bytes.size(), size) << value;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(Reader(bytes).get_number()),
                  std::bit_cast<std::uint64_t>(value));
    }
    Writer writer;
    const Vector some = Eigen::Vector4d(3, -0.25, 1e300, std::nan(""));
    writer.put_numbers(some);
    const std::string bytes = writer.take();
    const Vector back = Reader(bytes).get_numbers();
    EXPECT_EQ(back.head(3), some.head(3));
    EXPECT_TRUE(std::isnan(back(3)));
    for (const std::string &wrong : {bytes.substr(0, bytes.size() - 1), std::string("\x01\x09")})
        EXPECT_THROW((void)Reader(wrong).get_numbers(), InvalidInput);
}

/// Sparse rows whose columns are too many or whose values are missing.
TEST(Messages, SamplesThatCannotBeAreRefused) {
    SparseRows rows(1, 5);
    rows.insert(0, 4) = 2.5;
    rows.makeCompressed();
    Writer writer;
    writer.put(Samples(rows));
    const std::string bytes = writer.take();
    for (const std::size_t at : {0u, 1u, 2u, 3u}) { // features, kind, rows, columns of the first
        std::string wrong = bytes;
        wrong[at] = at == 1 ? 2 : at == 0 ? 4 : static_cast<char>(wrong[at] + 1);
        EXPECT_THROW((void)Reader(wrong).get_samples(), InvalidInput) << at;
    }
}

TEST(Messages, NumbersThatCannotBeAreRefused) {
    Writer endless, beyond;
    endless.put_count(1);
    for (int k = 0; k < 12; ++k) endless.put(std::uint8_t{255});
    const std::string without_end = endless.take();
    EXPECT_THROW((void)Reader(without_end).get_rising(), InvalidInput);
    beyond.put_rising(std::vector<Index>{std::numeric_limits<Index>::max()});
    std::string too_far = beyond.take();
    too_far[0] = 2; // two numbers, the second above the largest
    too_far += '\0';
    EXPECT_THROW((void)Reader(too_far).get_rising(), InvalidInput);
}

TEST(Messages, SamplesAndKernelsComeBack) {
    DenseRows rows(2, 3);
    rows << 1, 0, 2, 0, 0, 3;
    for (const Samples &samples : {Samples(rows), Samples(SparseRows(rows.sparseView()))}) {
        Writer writer;
        writer.put(samples);
        const std::string bytes = writer.take();
        const Samples back = Reader(bytes).get_samples();
        EXPECT_EQ(back.index(), samples.index());
        for (std::size_t end = 0; end < bytes.size(); ++end)
            EXPECT_THROW((void)Reader(std::string_view(bytes).substr(0, end)).get_samples(),
                         InvalidInput);
        EXPECT_EQ(DenseRows(std::get<DenseRows>(test::Cluster::dense(back))), rows);
    }
    const Samples both = joined({Samples(rows), Samples(SparseRows(rows.sparseView()))}, 3);
    EXPECT_EQ(row_count(both), 4);
    for (const Kernel &one : {Kernel(PolynomialKernel{0.5, 2.0, 4}), Kernel(LaplacianKernel{3}),
                              Kernel(InverseMultiquadricKernel{2.0, 0.25}),
                              Kernel(WendlandKernel{0.5, 3}), Kernel(LinearKernel{})}) {
        Writer writer;
        writer.put(one);
        const std::string bytes = writer.take();
        const Kernel back = Reader(bytes).get_kernel(3);
        EXPECT_EQ(name(back), name(one));
        std::vector<double> given, found;
        for_each_parameter(one, [&](const char *, auto v) { given.push_back(double(v)); });
        for_each_parameter(back, [&](const char *, auto v) { found.push_back(double(v)); });
        EXPECT_EQ(given, found);
    }
}

} // namespace
} // namespace hinge0
