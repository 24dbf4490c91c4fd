/// Pairs that look at each other: wrong labels, few support vectors, little memory.
#include <gtest/gtest.h>

#include "clouds.hpp"
#include "model/model_file.hpp"

namespace hinge0 {
namespace {

using test::clouds;

/// Every twelfth row gets the label of another class.
LabelledData with_wrong_labels(Table table, std::vector<Index> &wrong) {
    for (Index i = 0; i < 240; i += 12) {
        wrong.push_back(i);
        std::int32_t &label = table.labels[static_cast<std::size_t>(i)];
        label = (label + 1 + static_cast<std::int32_t>(i / 12) % 3) % 4;
    }
    return LabelledData(table);
}

/// Wrong labels are lost to the right class in one pair, and then support none of the others.
TEST(PairsTogether, RowsThatOnePairLosesSupportNone) {
    std::vector<Index> wrong;
    const LabelledData data = with_wrong_labels(clouds(4, 240, 2), wrong);
    Recipe recipe;
    recipe.parameters.gamma = 0.2;
    recipe.objective.C = 1;
    recipe.settings.thin = 0;
    const ClassFit fit = train(data, recipe, {});
    const auto supports = [&](const ClassFit &of) {
        return std::ranges::count_if(wrong, [&](Index row) {
            return std::ranges::find(of.classifier.rows, row) != of.classifier.rows.end();
        });
    };
    const ClassFit apart = train(data, recipe, {.scheme = Scheme::ovr});
    EXPECT_LE(supports(fit), 2) << "of 20";
    EXPECT_GT(supports(apart), supports(fit)); // which knows of no verdict
    for (const Verification &one : verify(fit.classifier, data))
        EXPECT_TRUE(one.certificate.local_minimum);
}

/// Rows that no pair needs much are given up in all of them: every pair stays a local minimum.
TEST(PairsTogether, PairsThinOutTogether) {
    const LabelledData data(clouds(5, 400, 3));
    Recipe recipe;
    recipe.parameters.gamma = 1.0;
    recipe.settings.thin = 0;
    const ClassFit all = train(data, recipe, {});
    recipe.settings.thin = 0.3;
    const ClassFit fewer = train(data, recipe, {});
    EXPECT_LT(fewer.classifier.rows.size(), 0.9 * static_cast<double>(all.classifier.rows.size()));
    EXPECT_GT(fewer.train_accuracy, all.train_accuracy - 0.03);
    EXPECT_GT(fewer.violators.size(), all.violators.size()); // also rows that supported nothing
    for (const Verification &one : verify(fewer.classifier, data))
        EXPECT_TRUE(one.certificate.local_minimum);
    recipe.settings.thin = automatic_thin; // for pairs of several classes 0.3
    for (const int threads : {1, 3}) {
        recipe.settings.threads = threads;
        EXPECT_EQ(to_text(train(data, recipe, {}).classifier), to_text(fewer.classifier));
    }
}

/// Wrong labels are given up even where the price is so high that they are learned by heart.
TEST(PairsTogether, WrongLabelsAreSeenThrough) {
    Table table = clouds(5, 400, 3);
    Index wrong = 0;
    for (std::size_t i = 0; i < table.labels.size(); i += 7, ++wrong)
        table.labels[i] = (table.labels[i] + 1 + static_cast<int>(i % 4)) % 5;
    const LabelledData data(table);
    Recipe recipe;
    recipe.parameters.gamma = 1.0;
    recipe.objective.C = 1000;
    const ClassFit fit = train(data, recipe, {});
    Index found = 0;
    for (const Index row : fit.violators) found += row % 7 == 0 ? 1 : 0;
    EXPECT_GT(found, 0.8 * static_cast<double>(wrong));
}

/// Rows of six classes that lie in several groups each, beside those of other classes; wrong(i):
/// whether row i has the label of the next class.
template <class Wrong> Table groups_of_classes(int groups, int of_a_group, const Wrong &wrong) {
    constexpr int classes = 6;
    const DenseRows centres = test::random_rows(classes * groups, 3, 5);
    const DenseRows noise = test::random_rows(classes * groups * of_a_group, 3, 6);
    Table table;
    for (int c = 0; c < classes; ++c) table.label_names.push_back(std::to_string(c));
    DenseRows samples(noise.rows(), 3);
    for (Index i = 0; i < samples.rows(); ++i) {
        const Index group = i / of_a_group;
        samples.row(i) = 2.0 * centres.row(group) + 0.2 * noise.row(i);
        table.labels.push_back(static_cast<int>((group + (wrong(i) ? 1 : 0)) % classes));
    }
    table.samples = samples;
    return table;
}

Recipe at_price(double C) {
    Recipe recipe;
    recipe.parameters.gamma = 1.0;
    recipe.objective.C = C;
    recipe.settings.thin = 0;
    return recipe;
}

/// Starts that learned wrong labels by heart doubt 245 rows here, 85 of them wrong; starts without
/// these tell most of the others right.
TEST(PairsTogether, RightLabelsThatWereDoubtedAreKept) {
    const auto is_wrong = [](Index i) { return i % 7 == 0; };
    const Table table = groups_of_classes(12, 9, is_wrong);
    const ClassFit fit = train(LabelledData(table), at_price(1000), {});
    const auto wrong = std::ranges::count_if(fit.violators, is_wrong);
    const auto right = std::ssize(fit.violators) - wrong;
    EXPECT_GT(wrong, 80) << "of 93";
    EXPECT_LT(right, wrong);
}

/// Rows whose like are few would be lost without their own label, right as it is: to give them up
/// helps nobody.
TEST(PairsTogether, RightLabelsOfSmallGroupsAreKept) {
    const Table table = groups_of_classes(25, 3, [](Index) { return false; });
    const ClassFit fit = train(LabelledData(table), at_price(30), {});
    EXPECT_LT(std::ssize(fit.violators), 25) << "of 450";
}

/// At a low price the starts lose most wrong labels themselves, and doubts would fall on right ones
/// whose like are few. A verdict would take 60 right rows here instead of 36.
TEST(PairsTogether, StartsThatFollowNoWrongLabelsStand) {
    const auto is_wrong = [](Index i) { return i % 7 == 0; };
    const ClassFit fit = train(LabelledData(groups_of_classes(25, 3, is_wrong)), at_price(4), {});
    const auto wrong = std::ranges::count_if(fit.violators, is_wrong);
    EXPECT_GT(wrong, 10) << "of 65";
    EXPECT_LT(std::ssize(fit.violators) - wrong, 50) << "of 385";
}

/// Where there is no memory to hold all pairs, they are solved one by one, to the same minima as
/// long as nothing is thinned out.
TEST(PairsTogether, PairsNeedNotBeHeld) {
    const LabelledData data(clouds(4, 1200, 4));
    Recipe recipe;
    recipe.parameters.gamma = 0.3;
    recipe.settings.thin = 0;
    const ClassFit held = train(data, recipe, {});
    recipe.settings.memory_limit = 8e6;
    const ClassFit apart = train(data, recipe, {});
    EXPECT_EQ(apart.violators, held.violators);
    const Matrix difference = decision_values(apart.classifier, data.samples()) -
                              decision_values(held.classifier, data.samples());
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-9);
}

} // namespace
} // namespace hinge0
