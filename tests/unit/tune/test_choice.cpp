/// Folds, scores and rules on numbers that can be checked by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hinge0/error.hpp"
#include "hinge0/tune.hpp"

namespace hinge0 {
namespace {

const double unknown = std::numeric_limits<double>::quiet_NaN();

Vector vector(std::initializer_list<double> values) {
    Vector result(static_cast<Index>(values.size()));
    std::copy(values.begin(), values.end(), result.data());
    return result;
}

TEST(Splits, EveryRowIsTestedOncePerRepeatAndClassesAreShared) {
    Vector signs(43);
    for (Index i = 0; i < 43; ++i) signs(i) = i % 4 == 0 ? 1 : -1; // 11 and 32
    const std::vector<Split> splits = stratified_splits(signs, 5, 3, 7);
    ASSERT_EQ(splits.size(), 15U);
    for (std::size_t repeat = 0; repeat < 3; ++repeat) {
        std::vector<int> tested(43, 0);
        for (std::size_t k = 0; k < 5; ++k) {
            const Split &split = splits[5 * repeat + k];
            EXPECT_EQ(split.train.size() + split.test.size(), 43U);
            const Vector test = signs(split.test);
            const auto positives = (test.array() > 0).count();
            EXPECT_TRUE(positives == 2 || positives == 3) << positives;
            EXPECT_TRUE(split.test.size() == 8 || split.test.size() == 9);
            for (const Index i : split.test) ++tested[static_cast<std::size_t>(i)];
        }
        EXPECT_EQ(tested, std::vector<int>(43, 1));
    }
    EXPECT_NE(splits[0].test, splits[5].test);
    EXPECT_EQ(splits[3].test, stratified_splits(signs, 5, 3, 7)[3].test);
    EXPECT_NE(splits[0].test, stratified_splits(signs, 5, 3, 8)[0].test);
}

TEST(Splits, AreRepeatedUntilEnoughRowsAreTested) {
    const auto repeats = [](Index rows) {
        Vector signs = Vector::Ones(rows);
        signs.head(rows / 2).setConstant(-1);
        return stratified_splits(signs, 2, 0, 0).size() / 2;
    };
    EXPECT_EQ(repeats(40), 10U);
    EXPECT_EQ(repeats(500), 4U);
    EXPECT_EQ(repeats(501), 4U);
    EXPECT_EQ(repeats(5000), 1U);
}

TEST(Splits, TooFewRowsOfAClassSayWhatToDo) {
    try {
        (void)stratified_splits(vector({1, 1, 1, -1, -1, -1, -1, -1}), 5, 1, 0);
        FAIL();
    } catch (const InvalidInput &e) {
        EXPECT_STREQ(e.what(),
                     "the second class has 3 rows, too few for 5 folds: use at most 3 folds");
    }
    try { // 3 folds, as the first class would have it, are still too many
        (void)stratified_splits(vector({1, 1, -1, -1, -1}), 5, 1, 0);
        FAIL();
    } catch (const InvalidInput &e) {
        EXPECT_STREQ(e.what(),
                     "the second class has 2 rows, too few for 5 folds: use at most 2 folds");
    }
    EXPECT_THROW((void)stratified_splits(vector({1, -1}), 1, 1, 0), InvalidInput);
    EXPECT_THROW((void)stratified_splits(vector({1, 1, -1, -1}), 2, -1, 0), InvalidInput);
}

TEST(Scores, AreThoseOfTheirDefinitions) {
    const Vector signs = vector({1, 1, 1, -1, -1}), h = vector({2, 0.5, -1, 0.5, -3});
    EXPECT_DOUBLE_EQ(score(Metric::accuracy, signs, h), 3.0 / 5);
    EXPECT_DOUBLE_EQ(score(Metric::balanced_accuracy, signs, h), (2.0 / 3 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(score(Metric::f1, signs, h), 2.0 * 2 / (2 * 2 + 1 + 1));
    // pairs (positive, negative): 2 beats both, 0.5 ties and beats, -1 loses and beats
    EXPECT_DOUBLE_EQ(score(Metric::auc, signs, h), (2 + 1.5 + 1) / 6);
    EXPECT_TRUE(std::isnan(score(Metric::auc, vector({1, 1}), vector({1, 2}))));
    EXPECT_EQ(score(Metric::f1, vector({-1, -1}), vector({-1, -2})), 0.0);
    // By the best sigmoid: of decision values that say nothing, the mean of Platt's targets.
    const double p = (3 * 4.0 / 5 + 2 * 1.0 / 4) / 5;
    EXPECT_NEAR(score(Metric::brier, signs, vector({0, 0, 0, 0, 0})),
                -(3 * (1 - p) * (1 - p) + 2 * p * p) / 5, 1e-9);
    EXPECT_NEAR(score(Metric::brier, signs, 100 * h), score(Metric::brier, signs, h), 1e-4);
    EXPECT_GT(score(Metric::brier, signs, signs), score(Metric::brier, signs, h));
    EXPECT_EQ(score(Metric::balanced_accuracy, vector({-1, -1}), vector({-1, 2})), 0.5);
}

/// Three C and two gammas; scores of two splits, support vectors of one.
CrossValidation table(const std::vector<std::array<double, 2>> &scores,
                      const std::vector<double> &support) {
    CrossValidation tried;
    tried.grid = {.C = {1, 2, 4}, .gamma = {0.5, 1}};
    for (std::size_t k = 0; k < scores.size(); ++k)
        tried.cells.push_back({.C = tried.grid.C[k / 2],
                               .gamma = tried.grid.gamma[k % 2],
                               .scores = {scores[k][0], scores[k][1]},
                               .support_vectors = {support[k], support[k]},
                               .seconds = {0, 0},
                               .agreements = {unknown, unknown},
                               .decisions = {}});
    return tried;
}

TEST(Rules, BestTakesTheFirstOfEqualOnes) {
    const CrossValidation tried =
        table({{0.5, 0.7}, {0.8, 0.8}, {0.9, 0.7}, {0.7, 0.7}, {0.8, 0.7}, {0.6, 0.6}},
              {9, 9, 1, 9, 9, 9});
    EXPECT_EQ(ranking(tried, Rule::best)[0], 1U);
    EXPECT_EQ(ranking(tried, Rule::best)[1], 2U);
    EXPECT_EQ(ranking(tried, Rule::best).size(), 6U);
}

TEST(Rules, SmoothPrefersAPlateauToAPeak) {
    const CrossValidation tried =
        table({{0.90, 0.90}, {0.5, 0.5}, {0.50, 0.50}, {0.6, 0.6}, {0.85, 0.85}, {0.86, 0.86}},
              {9, 9, 9, 9, 9, 9});
    EXPECT_EQ(ranking(tried, Rule::best)[0], 0U);
    EXPECT_EQ(ranking(tried, Rule::smooth)[0], 5U);
    // 0.86 + 0.85 / 2 (beside it) + 0.6 / 2 (below) + 0.5 / 4 (across), over 2.25
    const double size = 0.001 * std::log2(1 + 9.0);
    EXPECT_NEAR(merits(tried, Rule::smooth)(5), (0.86 + 0.425 + 0.3 + 0.125) / 2.25 - size, 1e-12);
}

/// Many classes are told apart well only near the right C and gamma: what is beside a cell counts a
/// tenth there.
TEST(Rules, SmoothTrustsAPeakOfManyClasses) {
    CrossValidation tried =
        table({{0.90, 0.90}, {0.5, 0.5}, {0.50, 0.50}, {0.6, 0.6}, {0.85, 0.85}, {0.80, 0.80}},
              {9, 9, 9, 9, 9, 9});
    EXPECT_EQ(ranking(tried, Rule::smooth)[0], 4U);
    tried.classes = 3;
    EXPECT_EQ(ranking(tried, Rule::smooth)[0], 0U);
    const double size = 0.001 * std::log2(1 + 9.0);
    EXPECT_NEAR(merits(tried, Rule::smooth)(0), (0.9 + 0.05 + 0.05 + 0.006) / 1.21 - size, 1e-12);
}

TEST(Rules, OneStandardErrorTakesTheSmallestWithin) {
    const CrossValidation tried =
        table({{0.80, 0.90}, {0.82, 0.82}, {0.81, 0.81}, {0.79, 0.79}, {0.5, 0.5}, {0.84, 0.84}},
              {50, 20, 30, 1, 1, 40}); // the best is 0.85 with a standard error of 0.05
    EXPECT_EQ(ranking(tried, Rule::one_se)[0], 1U);
    EXPECT_EQ(ranking(tried, Rule::one_se)[3], 0U);
}

/// The means of neighbours are 0.9 but for the last row's, which falls behind by more than 0.2
/// points.
TEST(Rules, SmallTakesTheSmallestThatHardlyLoses) {
    const CrossValidation tried =
        table({{0.9, 0.9}, {0.9, 0.9}, {0.9, 0.9}, {0.9, 0.9}, {0.89, 0.89}, {0.89, 0.89}},
              {50, 40, 20, 30, 1, 2});
    const std::vector<std::size_t> order = ranking(tried, Rule::small);
    EXPECT_EQ(order[0], 1U); // cells 2 and 3 are beside the last row: 0.9 - 0.01 / 4
    EXPECT_EQ(order[1], 0U);
    EXPECT_EQ(order[2], 2U); // the others by their means
}

TEST(Rules, SplitsThatAreMissingAreJudgedByTheOthers) {
    // The first split is the easier one; the cell that was only tried there gains nothing by that.
    const CrossValidation tried = table(
        {{0.90, 0.70}, {0.88, unknown}, {0.88, 0.66}, {unknown, unknown}, {0.86, 0.70}, {0.8, 0.6}},
        {1, 1, 1, 1, 1, 1});
    const Vector scores = tried.mean_scores();
    EXPECT_NEAR(scores(0), 0.80, 1e-12);
    EXPECT_NEAR(scores(1), 0.88 - (0.90 + 0.88 + 0.86 + 0.8) / 4 + (3.44 + 2.66) / 8, 1e-12);
    EXPECT_TRUE(std::isnan(scores(3)));
    EXPECT_EQ(ranking(tried, Rule::best).size(), 5U);
    EXPECT_EQ(ranking(tried, Rule::smooth).size(), 5U);
}

TEST(Rules, ConsensusIsTheVoteOfTheBestSixth) {
    // Two of the six cells would be a third: one alone votes, and the row nobody tests keeps its
    // sign.
    CrossValidation tried =
        table({{0.5, 0.5}, {0.9, 0.9}, {0.8, 0.8}, {0.7, 0.7}, {0.6, 0.6}, {0.6, 0.6}},
              {3, 3, 3, 3, 3, 3});
    const std::vector<Split> splits{{.train = {1, 2, 3}, .test = {0}},
                                    {.train = {0, 3}, .test = {2, 1}}};
    for (Cell &cell : tried.cells) cell.decisions = {vector({-1}), vector({-2, -3})};
    tried.cells[1].decisions = {vector({2}), vector({-1, 3})};
    EXPECT_EQ(consensus(tried, splits, vector({-1, -1, 1, -1})), vector({1, 1, -1, -1}));
    tried.cells[1].decisions[0] = Vector();
    EXPECT_EQ(consensus(tried, splits, vector({-1, -1, 1, -1})), vector({-1, 1, -1, -1}));
}

TEST(Rules, AnotherKernelMustBeClearlyBetter) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    using Order = std::vector<std::size_t>;
    const auto order = [](const std::vector<std::vector<double>> &scores,
                          Metric metric = Metric::accuracy, Rule rule = Rule::smooth) {
        return kernel_ranking(scores, metric, rule);
    };
    EXPECT_EQ(order({{0.9}}), Order{0});
    EXPECT_EQ(order({{0.8, 1.0}, {0.9, 0.908}}), (Order{0, 1}));
    EXPECT_EQ(order({{0.8, 1.0}, {0.9, 0.912}}), (Order{1, 0}));
    EXPECT_EQ(order({{0.9}, {0.906}, {0.907}, {0.901}, {0.902}}), (Order{2, 1, 0, 4, 3}));
    EXPECT_EQ(order({{-0.1}, {-0.0985}}, Metric::brier), (Order{1, 0}));
    EXPECT_EQ(order({{0.9}, {0.904}}, Metric::accuracy, Rule::best), (Order{1, 0}));
    EXPECT_EQ(order({{0.9}, {0.9}}, Metric::accuracy, Rule::best), (Order{0, 1}));
    EXPECT_EQ(order({{}, {0.5}, {}}), Order{1});
    EXPECT_TRUE(order({{}, {none, none}}).empty());
    // The first split was easy: a kernel that was stopped after it has no better mean of both.
    EXPECT_EQ(order({{0.9, 0.5}, {0.8, none}}), (Order{0, 1}));
    EXPECT_EQ(order({{0.9, none}, {0.95, 0.1}}), (Order{1, 0}));
}

TEST(Rules, OnlyBestTakesACellWhoseCWasTooSmall) {
    CrossValidation tried =
        table({{0.9, 0.9}, {0.8, 0.8}, {0.7, 0.7}, {0.7, 0.7}, {0.7, 0.7}, {0.7, 0.7}},
              {3, 3, 3, 3, 3, 3});
    tried.cells[0].is_raised = true;
    for (const Rule rule : {Rule::consensus, Rule::smooth, Rule::small, Rule::one_se})
        EXPECT_EQ(ranking(tried, rule)[0], 1U) << name(rule);
    EXPECT_EQ(ranking(tried, Rule::best)[0], 0U);
    for (Cell &cell : tried.cells) cell.is_raised = true; // nothing else is left
    EXPECT_EQ(ranking(tried, Rule::consensus)[0], 0U);
}

TEST(Rules, ConsensusWeighsLabelsAgreementAndSize) {
    CrossValidation tried =
        table({{0.80, 0.80}, {0.81, 0.81}, {0.80, 0.80}, {0.8, 0.8}, {0.5, 0.5}, {0.7, 0.7}},
              {7, 7, 3, 7, 1, 1});
    const double agreements[] = {0.9, 0.88, 0.899, 0.8, 0.9, unknown};
    for (std::size_t k = 0; k < 6; ++k) tried.cells[k].agreements = {agreements[k], agreements[k]};
    EXPECT_NEAR(merits(tried, Rule::consensus)(0), 0.85 - 0.003, 1e-12);
    EXPECT_NEAR(merits(tried, Rule::consensus)(5), 0.70 - 0.001, 1e-12);
    EXPECT_EQ(ranking(tried, Rule::consensus)[0], 2U); // half the size is worth 0.0005
    EXPECT_EQ(ranking(tried, Rule::consensus)[1], 0U);
}

} // namespace
} // namespace hinge0
