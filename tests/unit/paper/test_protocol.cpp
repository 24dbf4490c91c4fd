/// The rows of the tables: points, flips and splits are those of numpy, scikit-learn and Python
/// (tests/data/paper_protocol.txt, written by scripts/record_protocol.py).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "protocol.hpp"
#include "python_random.hpp"
#include "support/problems.hpp"

namespace hinge0::paper {
namespace {

struct Recorded {
    Index rows = 0;
    long flips = 0, train = 0, labels = 0;
    std::vector<double> first;
};

std::map<std::string, Recorded> recorded() {
    std::ifstream file(HINGE0_TEST_DATA "/paper_protocol.txt");
    std::map<std::string, Recorded> result;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        std::string id;
        Recorded r;
        words >> id >> r.rows >> r.flips >> r.train >> r.labels;
        for (double x = 0; words >> x;) r.first.push_back(x);
        result[id] = r;
    }
    return result;
}

long checksum(const std::vector<Index> &numbers) {
    long value = 0;
    for (const Index number : numbers) value = (value * 31 + number + 1) % 1000000007;
    return value;
}

TEST(Protocol, HasTheNineteenRowsOfTheTables) {
    ASSERT_EQ(rows().size(), 19U);
    std::map<int, int> count;
    for (const Row &row : rows()) ++count[row.table];
    EXPECT_EQ(count, (std::map<int, int>{{1, 6}, {2, 6}, {3, 7}}));
}

TEST(Protocol, SyntheticRowsAreThoseOfNumpyAndScikitLearn) {
    const auto expected = recorded();
    ASSERT_EQ(expected.size(), 19U);
    for (const Row &row : rows()) {
        if (row.source == Source::file) continue;
        SCOPED_TRACE(row.id);
        const Recorded &r = expected.at(row.id);
        const std::optional<Data> data = load(row);
        ASSERT_TRUE(data);
        EXPECT_EQ(data->signs.size(), r.rows);
        EXPECT_EQ(checksum(data->flipped), r.flips);
        const Split parts = split(r.rows, row.split_seed());
        EXPECT_EQ(checksum(parts.train), r.train);
        EXPECT_EQ(data->signs(parts.train).sum(), static_cast<double>(r.labels));
        for (Index f = 0; f < 2; ++f)
            EXPECT_NEAR(data->samples(parts.train[0], f), r.first.at(static_cast<std::size_t>(f)),
                        1e-14);
    }
}

TEST(Protocol, SplitsOfTheRealSetsAreThoseOfScikitLearn) {
    const auto expected = recorded();
    for (const Row &row : rows())
        if (row.source == Source::file) {
            const Recorded &r = expected.at(row.id);
            EXPECT_EQ(checksum(split(r.rows, row.split_seed()).train), r.train) << row.id;
        }
}

TEST(Protocol, SplitHoldsEveryRowOnce) {
    Split parts = split(569, 5);
    EXPECT_EQ(parts.train.size(), 341U);
    EXPECT_EQ(parts.test.size(), 228U);
    std::vector<Index> all = parts.train;
    all.insert(all.end(), parts.test.begin(), parts.test.end());
    std::ranges::sort(all);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<Index>(i));
}

TEST(Protocol, RealSetsAreStandardisedOverAllRows) {
    if (test::real_data("heart").empty()) GTEST_SKIP() << "no heart in HINGE0_DATA";
    const auto heart = std::ranges::find(rows(), "heart", &Row::id);
    const std::optional<Data> data = load(*heart);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->samples.rows(), 270);
    EXPECT_EQ(data->samples.cols(), 13);
    EXPECT_LT(data->samples.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(data->samples.col(0).squaredNorm() / 270, 1.0, 1e-12);
}

TEST(Protocol, MissingSetsAreToldNotInvented) {
    Row row = rows().back();
    row.id = "no-such-set";
    EXPECT_FALSE(load(row));
    EXPECT_NE(where_to_get(row).find("no-such-set is left out"), std::string::npos);
    EXPECT_NE(where_to_get(row).find("https://"), std::string::npos);
}

TEST(PythonRandom, DrawsWhatPythonDraws) {
    // random.seed(6); random.sample(range(500), 5); and the same for range(10), 4
    EXPECT_EQ(PythonRandom(6).sample(500, 5), (std::vector<Index>{406, 293, 420, 41, 248}));
    EXPECT_EQ(PythonRandom(6).sample(10, 4), (std::vector<Index>{9, 1, 7, 6}));
}

TEST(Protocol, AuthorsPriceIsTheOneOfTheTable) {
    EXPECT_DOUBLE_EQ(rows()[0].authors_C(), 128);
    EXPECT_NEAR(rows()[9].authors_C(), 1.508, 5e-4);
    EXPECT_DOUBLE_EQ(rows()[16].authors_C(), 2048);
}

} // namespace
} // namespace hinge0::paper
