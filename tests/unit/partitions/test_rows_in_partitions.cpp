/// Rows in partitions beside the same rows in memory, and the bytes that their questions take.
#include "partitions/rows_in_partitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cluster.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

using test::Cluster;
using test::kernel;

struct Asked {
    Question question;
    std::vector<std::string> answers;

    [[nodiscard]] std::size_t bytes() const {
        std::size_t all = question.common.size();
        for (const std::string &own : question.own) all += own.size();
        for (const std::string &said : answers) all += said.size();
        return all;
    }
    /// Rows that are named to partitions.
    [[nodiscard]] Index named() const {
        Index rows = 0;
        for (const std::string &own : question.own) rows += std::ssize(Reader(own).get_rising());
        return rows;
    }
};

/// Partitions whose questions and answers are written down.
struct Recorded {
    Cluster cluster;
    Partitions known;
    std::vector<Asked> asked;

    Recorded(Index rows, std::vector<Index> sizes, bool sparse = false, const Vector &weight = {})
        : cluster(rows, std::move(sizes), sparse, weight), known(cluster.known()) {
        known.ask = [this, ask = known.ask](const Question &question) {
            asked.push_back({question, ask(question)});
            return asked.back().answers;
        };
    }
    [[nodiscard]] RowsInPartitions rows() const {
        Setup setup{.classes = {0, 1}, .features = 2};
        setup.class_prices = Vector::Constant(2, 2.0);
        return {known, setup, kernel, {}};
    }
    [[nodiscard]] Fit fit() {
        return train(known, {0, 1}, kernel, 2.0, {1.0, 1.0}, {.working_set = 1000});
    }
};

/// Rows whose features are given plainly.
Index plain(Index rows) { return rows * (2 + 1) * 8; }

TEST(RowsInPartitions, AQuestionTakesAtMostTwiceWhatItNeeds) {
    for (const bool sparse : {false, true}) {
        Recorded recorded(20000, {6000, 4000, 5000, 5000}, sparse);
        const Fit fit = recorded.fit();
        std::set<std::string_view> kinds;
        for (const Asked &one : recorded.asked) {
            const auto needed = bytes_needed(one.question.common, one.answers);
            kinds.insert(one.question.name);
            EXPECT_LE(one.bytes(), 2 * static_cast<std::size_t>(needed)) << one.question.name;
            if (!sparse && one.question.name == "rows") {
                EXPECT_EQ(needed, plain(one.named()));
            }
        }
        EXPECT_EQ(kinds.size(), 5u);
        const Asked &last = recorded.asked.back();
        EXPECT_EQ(last.question.name, "certify");
        EXPECT_EQ(last.named(), fit.report.support_vectors);
        if (!sparse) {
            EXPECT_EQ(bytes_needed(last.question.common, last.answers),
                      plain(fit.report.support_vectors));
        }
    }
}

/// The near rows are known to be above the bound, but for those on the margin.
TEST(RowsInPartitions, RowsToLeaveOutAreNamedOnlyWhereTheyMightBeFound) {
    Recorded recorded(20000, {10000, 10000});
    const Fit fit = recorded.fit();
    int scores = 0;
    for (const Asked &one : recorded.asked) {
        if (one.question.name != "score") continue;
        ++scores;
        EXPECT_LT(one.named(), 100);
    }
    EXPECT_GT(scores, 0);
    EXPECT_LT(fit.report.support_vectors, 100);
}

struct InMemory {
    MemoryBudget memory;
    std::unique_ptr<Gram> gram;
    ColumnCache columns;
    Vector prices;
    RowsInMemory rows;

    explicit InMemory(const Dataset &data)
        : gram(make_gram(data.samples(), kernel, memory)), columns(*gram, memory),
          prices(Vector::Constant(data.signs().size(), 2.0)),
          rows(columns, data.signs(), prices, 0, 1) {}
};

std::vector<Index> sorted(std::vector<Index> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

TEST(RowsInPartitions, OneFindsWhatRowsInMemoryFind) {
    const Recorded recorded(3000, {3000});
    InMemory memory(recorded.cluster.data);
    RowsInPartitions rows = recorded.rows();
    const Expansion h{.rows = {5, 900, 2600}, .weights = Eigen::Vector3d(3, -3, 1), .bias = 0.1};
    Watch watch;
    std::vector<Index> except; // on all sides of the bound
    for (Index i = 0; i < 3000; i += 3) except.push_back(i);
    (void)memory.rows.keep(h, -0.5, {}, watch);
    (void)rows.keep(h, -0.5, {}, watch);
    for (const double bound : {0.0, 1.0, 3.0})
        for (const Index most : {10, 100, 2000}) {
            const Wanted wanted{.bound = bound, .most_of_each = most, .except = except};
            const Score here = memory.rows.score(h, wanted, watch);
            const Score there = rows.score(h, wanted, watch);
            EXPECT_EQ(sorted(there.found), sorted(here.found)) << bound << " " << most;
            EXPECT_EQ(there.violators, here.violators);
            EXPECT_EQ(there.missed_prices, here.missed_prices);
        }
    const Score none =
        rows.score({.bias = 2.0}, {.bound = 3.0, .most_of_each = 5000, .except = except}, watch);
    for (const Index row : none.found) EXPECT_NE(row % 3, 0);
    EXPECT_GT(none.found.size(), 100u);
}

TEST(RowsInPartitions, TheOthersOfAClassifierAreThoseInMemory) {
    const Recorded recorded(3000, {1000, 2000});
    InMemory memory(recorded.cluster.data);
    const Expansion h{.rows = {2600, 5, 900}, .weights = Eigen::Vector3d(3, -3, 1), .bias = 0.1};
    Watch watch;
    const Others here = memory.rows.others(h, watch), there = recorded.rows().others(h, watch);
    EXPECT_EQ(there.rows, 2997);
    EXPECT_EQ(there.rows, here.rows);
    EXPECT_EQ(there.violators, here.violators);
    EXPECT_EQ(there.right, here.right);
    EXPECT_EQ(there.missed_prices, here.missed_prices);
    EXPECT_EQ(there.class_prices[0], here.class_prices[0]);
    EXPECT_EQ(there.class_prices[1], here.class_prices[1]);
    EXPECT_NEAR(there.squared_slacks, here.squared_slacks, 1e-9 * here.squared_slacks);
    EXPECT_NEAR(there.gamma, here.gamma, 1e-9 * here.gamma);
    EXPECT_EQ(there.largest, here.largest);
}

/// Rows come with the question that draws them, none twice; those that are here already may.
TEST(RowsInPartitions, ASampleGrowsByRowsThatWereNotDrawn) {
    Recorded recorded(8000, {3000, 5000});
    const RowsInPartitions rows = recorded.rows();
    std::vector<Index> first;
    for (Index i = 0; i < 2000; ++i) first.push_back(i);
    (void)rows.signs(first);
    const std::vector<Index> small = rows.sample(300), large = rows.sample(2000);
    EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
    const RowsInPartitions again = recorded.rows();
    EXPECT_EQ(again.sample(2000), large);
    EXPECT_EQ(sorted(again.sample(8000)).back(), 7999);
    EXPECT_EQ(std::set<Index>(large.begin(), large.end()).size(), large.size());
    const std::size_t questions = recorded.asked.size();
    const Dataset &data = recorded.cluster.data;
    EXPECT_EQ(rows.signs(large), data.signs()(large));
    EXPECT_EQ(rows.samples(large).index(), Samples(DenseRows()).index());
    EXPECT_EQ(std::get<DenseRows>(rows.samples(large)),
              std::get<DenseRows>(Cluster::dense(chosen_rows(data.samples(), large))));
    EXPECT_EQ(recorded.asked.size(), questions); // all are here
    EXPECT_EQ(recorded.asked[0].question.name, "rows");
    std::set<Index> drawn;
    for (std::size_t k = 1; k < 3; ++k) { // two samples
        EXPECT_EQ(recorded.asked[k].question.name, "sample");
        for (std::size_t p = 0; p < 2; ++p)
            for (const Index row :
                 Reader(recorded.asked[k].answers[p]).get_rising(recorded.known.first[p]))
                EXPECT_TRUE(drawn.insert(row).second) << row;
    }
    EXPECT_GE(drawn.size(), 2000u);
    EXPECT_LT(drawn.size(), 2600u);
}

} // namespace
} // namespace hinge0
