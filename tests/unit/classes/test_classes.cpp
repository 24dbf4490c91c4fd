/// Many classes: pairs against two-class fits, votes against their definition, LIBSVM as oracle.
#include <gtest/gtest.h>
#include <libsvm/svm.h>

#include <cmath>
#include <random>

#include "clouds.hpp"
#include "hinge0/error.hpp"
#include "model/model_file.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

using test::clouds;

const Recipe hinge = [] {
    Recipe recipe;
    recipe.parameters.gamma = 0.3;
    recipe.objective.loss = HingeLoss{};
    recipe.objective.C = 2;
    recipe.settings.tolerance = 1e-9;
    return recipe;
}();

TEST(Classes, OrderOfClassesAndPairs) {
    const LabelledData data(clouds(4, 60, 1));
    EXPECT_EQ(data.classes(), (std::vector<std::string>{"7", "8", "9", "10"})); // as numbers
    EXPECT_EQ(pair_count(Scheme::ovo, 4), 6);
    EXPECT_EQ(pair_count(Scheme::ovr, 4), 4);
    EXPECT_EQ(pair_count(Scheme::ovr, 2), 1);
    std::vector<std::array<Index, 2>> pairs;
    for (Index k = 0; k < 6; ++k) pairs.push_back(pair_classes(Scheme::ovo, 4, k));
    EXPECT_EQ(pairs,
              (std::vector<std::array<Index, 2>>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(LabelledData(Samples(test::random_rows(3, 1, 1)), {"b", "10", "9"}).classes(),
              (std::vector<std::string>{"10", "9", "b"})); // not all are numbers
}

/// One against the rest: every pair is the fit of its own rows alone, to the last bit; on any
/// number of threads.
TEST(Classes, PairsAreFitsOfTheirRows) {
    const Table table = clouds(4, 240, 2);
    Recipe recipe;
    recipe.parameters.gamma = 0.4;
    const ClassOptions ovr{.scheme = Scheme::ovr};
    const ClassFit fit = train(LabelledData(table), recipe, ovr);
    const LabelledData data(table);
    for (Index k = 0; k < 4; ++k) {
        const Pair &pair = fit.classifier.pairs[static_cast<std::size_t>(k)];
        const Vector signs = data.signs(pair.classes[0], pair.classes[1]);
        std::vector<Index> rows;
        std::vector<std::string> labels;
        for (Index i = 0; i < data.size(); ++i)
            if (signs(i) != 0) {
                rows.push_back(i);
                labels.emplace_back(signs(i) > 0 ? "1" : "-1");
            }
        const DenseRows part = std::get<DenseRows>(data.samples())(rows, Eigen::all);
        const Fit alone = train(Dataset(Samples(part), labels), RbfKernel{0.4});
        EXPECT_EQ(pair.coefficients, alone.model.coefficients);
        EXPECT_EQ(pair.bias, alone.model.bias);
        EXPECT_TRUE(fit.reports[static_cast<std::size_t>(k)].certificate.local_minimum);
        const Matrix all = decision_values(fit.classifier, data.samples());
        EXPECT_EQ(all.col(k), decision_function(model_of(fit.classifier, k), data.samples()));
    }
    for (const int threads : {1, 3}) {
        recipe.settings.threads = threads;
        EXPECT_EQ(to_text(train(LabelledData(table), recipe, ovr).classifier),
                  to_text(fit.classifier));
    }
}

/// Hinge loss: decision values of all pairs, and the label of every row.
TEST(Classes, AgreeWithLibsvm) {
    const LabelledData data(clouds(5, 300, 3));
    const auto &rows = std::get<DenseRows>(data.samples());
    std::vector<std::vector<svm_node>> nodes;
    std::vector<svm_node *> pointers;
    std::vector<double> labels;
    for (Index i = 0; i < rows.rows(); ++i) {
        auto &row = nodes.emplace_back();
        for (Index f = 0; f < rows.cols(); ++f)
            row.push_back({static_cast<int>(f + 1), rows(i, f)});
        row.push_back({-1, 0});
        labels.push_back(data.labels()[static_cast<std::size_t>(i)]);
    }
    for (auto &row : nodes) pointers.push_back(row.data());
    const svm_problem problem{static_cast<int>(rows.rows()), labels.data(), pointers.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = 0.3;
    parameter.C = 2;
    parameter.cache_size = 100;
    parameter.eps = 1e-9;
    svm_set_print_string_function([](const char *) {});
    svm_model *model = svm_train(&problem, &parameter);
    const ClassFit fit = train(data, hinge, {});
    const Matrix h = decision_values(fit.classifier, data.samples());
    const std::vector<Index> found = predict_classes(fit.classifier, data.samples());
    for (Index i = 0; i < rows.rows(); ++i) {
        std::vector<double> values(10);
        const double label =
            svm_predict_values(model, pointers[static_cast<std::size_t>(i)], values.data());
        EXPECT_EQ(static_cast<double>(found[static_cast<std::size_t>(i)]), label) << "row " << i;
        int at = 0;
        for (int a = 0; a < 5; ++a) // its classes are in the order in which they appear
            for (int z = a + 1; z < 5; ++z, ++at) {
                const int low = std::min(model->label[a], model->label[z]);
                const int high = std::max(model->label[a], model->label[z]);
                Index k = 0;
                while (pair_classes(Scheme::ovo, 5, k) != std::array<Index, 2>{low, high}) ++k;
                const double sign = model->label[a] == high ? 1 : -1;
                EXPECT_NEAR(h(i, k), sign * values[static_cast<std::size_t>(at)], 1e-5);
            }
    }
    svm_free_and_destroy_model(&model);
}

TEST(Classes, VotesAndTies) {
    Classifier three;
    three.classes = {"a", "b", "c"};
    for (Index k = 0; k < 3; ++k) {
        three.pairs.emplace_back();
        three.pairs.back().classes = pair_classes(Scheme::ovo, 3, k);
    }
    Matrix h(3, 3);  // (a, b), (a, c), (b, c)
    h << -1, -1, -1, // a, a, b
        1, 2, 3,     // b, c, c
        -5, 4, -1;   // a, c, b: a tie, which the first class wins
    EXPECT_EQ(classes_of(three, h), (std::vector<Index>{0, 2, 0}));
    const Matrix values = class_values(three, h);
    EXPECT_EQ(values(0, 0), 2 + 2.0 / (3 * 3));
    Index best = 0;
    values.row(2).maxCoeff(&best);
    EXPECT_EQ(best, 2); // c is the surest: +4 - 1, a: +5 - 4, b: -5 + 1
}

TEST(Classes, OneAgainstTheRest) {
    const LabelledData data(clouds(3, 200, 5));
    const ClassFit fit = train(data, Recipe{}, {.scheme = Scheme::ovr});
    ASSERT_EQ(fit.classifier.pairs.size(), 3U);
    const Matrix h = decision_values(fit.classifier, data.samples());
    const std::vector<Index> found = predict_classes(fit.classifier, data.samples());
    for (Index i = 0; i < h.rows(); ++i) {
        Index best = 0;
        h.row(i).maxCoeff(&best);
        EXPECT_EQ(found[static_cast<std::size_t>(i)], best);
    }
    EXPECT_GT(fit.train_accuracy, 0.9);
}

/// Only rows in doubt are looked at: those that miss a margin, or that no pair has seen.
TEST(Classes, TrainingAccuracyIsThatOfAllRows) {
    Table table = clouds(4, 160, 9);
    for (std::size_t i = 0; i < 160; i += 9) table.labels[i] = (table.labels[i] + 1) % 4;
    const LabelledData data(table);
    Recipe recipe;
    for (const bool weighted : {false, true}) {
        if (weighted) recipe.objective.sample_weight = Vector::LinSpaced(160, 0, 3).array().floor();
        for (const Scheme scheme : {Scheme::ovo, Scheme::ovr})
            for (const double C : {0.1, 4.0, 1000.0}) {
                recipe.objective.C = C;
                const ClassFit fit = train(data, recipe, {.scheme = scheme});
                const std::vector<Index> found = predict_classes(fit.classifier, data.samples());
                double right = 0;
                for (std::size_t i = 0; i < 160; ++i) right += found[i] == data.labels()[i] ? 1 : 0;
                EXPECT_EQ(fit.train_accuracy, right / 160) << C;
            }
    }
}

/// A weight of 2 is the row twice, and so is the weight of a class; every pair verifies.
TEST(Classes, WeightsAreRepetition) {
    for (const Scheme scheme : {Scheme::ovo, Scheme::ovr}) {
        const Table table = clouds(3, 120, 6);
        const LabelledData data(table);
        Recipe recipe;
        recipe.parameters.gamma = 0.4;
        Table twice = table; // rows of class "8", the smallest, once more
        std::vector<Index> rows(120);
        for (Index i = 0; i < 120; ++i) rows[static_cast<std::size_t>(i)] = i;
        for (Index i = 0; i < 120; ++i)
            if (data.labels()[static_cast<std::size_t>(i)] == 0) {
                rows.push_back(i);
                twice.labels.push_back(table.labels[static_cast<std::size_t>(i)]);
            }
        twice.samples = DenseRows(std::get<DenseRows>(table.samples)(rows, Eigen::all));
        const ClassFit repeated = train(LabelledData(twice), recipe, {.scheme = scheme});
        const ClassOptions by_class{.scheme = scheme, .class_weight = {2, 1, 1}};
        const ClassFit weighted = train(data, recipe, by_class);
        recipe.objective.sample_weight.setOnes(120);
        for (Index i = 0; i < 120; ++i)
            if (data.labels()[static_cast<std::size_t>(i)] == 0)
                recipe.objective.sample_weight(i) = 2;
        const ClassFit by_row = train(data, recipe, {.scheme = scheme});
        for (std::size_t k = 0; k < 3; ++k) {
            const double objective = repeated.classifier.pairs[k].objective;
            EXPECT_NEAR(weighted.classifier.pairs[k].objective, objective, 1e-10 * objective);
            EXPECT_NEAR(by_row.classifier.pairs[k].objective, objective, 1e-10 * objective);
        }
        for (const Verification &one :
             verify(by_row.classifier, data, recipe.objective.sample_weight))
            EXPECT_TRUE(one.certificate.local_minimum);
        const std::vector<Verification> found = verify(weighted.classifier, data);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_TRUE(found[k].certificate.local_minimum);
            EXPECT_NEAR(found[k].objective, weighted.reports[k].objective, 1e-9);
        }
    }
    const std::vector<double> balanced = balanced_weights(
        LabelledData(Samples(test::random_rows(6, 1, 1)), {"a", "a", "a", "b", "b", "c"}));
    EXPECT_EQ(balanced, (std::vector<double>{6.0 / 9, 1.0, 2.0}));
}

TEST(Classes, APrecomputedKernelIsTheSame) {
    const Table table = clouds(3, 90, 7);
    const auto &rows = std::get<DenseRows>(table.samples);
    Recipe recipe;
    recipe.parameters.gamma = 0.3;
    const ClassFit direct = train(LabelledData(table), recipe, {});
    Table given = table;
    given.samples = DenseRows(test::naive_gram(RbfKernel{0.3}, rows, rows));
    recipe.kernel = "precomputed";
    const ClassFit fit = train(LabelledData(given), recipe, {});
    EXPECT_EQ(fit.classifier.rows, direct.classifier.rows);
    EXPECT_EQ(predict_classes(fit.classifier, given.samples),
              predict_classes(direct.classifier, table.samples));
    for (const Verification &one : verify(fit.classifier, LabelledData(given)))
        EXPECT_TRUE(one.certificate.local_minimum);
}

/// Scores are those of fits by hand on the rows of every split.
TEST(Classes, TuneIsCrossValidation) {
    const LabelledData data(clouds(4, 160, 10));
    Recipe recipe;
    TuneSettings settings{.grid = {.C = {0.5, 4, 32}, .gamma = {0.1, 1}},
                          .splits = stratified_splits(data, 4, 1, 3),
                          .race = false};
    for (const Scheme scheme : {Scheme::ovo, Scheme::ovr}) {
        const ClassTuned tuned = tune(data, recipe, {.scheme = scheme}, settings);
        for (const Cell &cell : tuned.tried.cells)
            for (std::size_t s = 0; s < 4; ++s) {
                const Split &split = settings.splits[s];
                const auto part = [&](const std::vector<Index> &rows) {
                    std::vector<std::string> labels;
                    for (const Index i : rows)
                        labels.push_back(data.classes()[static_cast<std::size_t>(
                            data.labels()[static_cast<std::size_t>(i)])]);
                    const auto &samples = std::get<DenseRows>(data.samples());
                    return LabelledData(Samples(DenseRows(samples(rows, Eigen::all))), labels);
                };
                recipe.objective.C = cell.C;
                recipe.parameters.gamma = cell.gamma;
                const ClassFit fit = train(part(split.train), recipe, {.scheme = scheme});
                const LabelledData test = part(split.test);
                const std::vector<Index> found = predict_classes(fit.classifier, test.samples());
                double right = 0;
                for (std::size_t i = 0; i < found.size(); ++i)
                    right += found[i] == test.labels()[i] ? 1 : 0;
                EXPECT_EQ(cell.scores[s], right / static_cast<double>(found.size()));
                EXPECT_EQ(cell.support_vectors[s], static_cast<double>(fit.classifier.rows.size()));
            }
        EXPECT_EQ(tuned.fit.classifier.C, tuned.tried.cells[tuned.best].C);
    }
    settings.metric = Metric::auc;
    EXPECT_THROW((void)tune(data, recipe, {}, settings), InvalidInput);
    settings.metric = Metric::balanced_accuracy;
    settings.rule = Rule::consensus;
    EXPECT_THROW((void)tune(data, recipe, {}, settings), InvalidInput);
    settings.rule = Rule::best;
    settings.max_support_vectors = 1;
    EXPECT_THROW((void)tune(data, recipe, {}, settings), InvalidInput);
    EXPECT_THROW((void)stratified_splits(data, 60, 1, 1), InvalidInput);
}

/// Wherever it is stopped: a pair that keeps nothing yet was asked what it can do without.
TEST(Classes, AFitCanBeStoppedAnywhere) {
    const LabelledData data(clouds(4, 200, 8));
    Recipe recipe;
    recipe.settings.threads = 2;
    for (double seconds = 1e-6; seconds < 0.1; seconds *= 1.3) {
        recipe.settings.time_limit = seconds;
        try {
            const ClassFit fit = train(data, recipe, {});
            EXPECT_EQ(fit.reports.size(), 6U);
        } catch (const Error &) { // too early for a classifier
        }
    }
}

TEST(Classes, WhatIsRefused) {
    const LabelledData data(clouds(3, 60, 8));
    EXPECT_THROW((void)train(data, Recipe{}, {.class_weight = {1, 1}}), InvalidInput);
    EXPECT_THROW((void)train(data, Recipe{}, {.class_weight = {1, 1, 0}}), InvalidInput);
    EXPECT_THROW((void)train(data, Recipe{}, {}, [](const Progress &) { return false; }),
                 Interrupted);
    Recipe hasty;
    hasty.settings.time_limit = 1e-9;
    EXPECT_THROW((void)train(data, hasty, {}), Error);
    const ClassFit fit = train(data, Recipe{}, {});
    EXPECT_THROW((void)verify(fit.classifier, LabelledData(clouds(3, 61, 8))), InvalidInput);
    EXPECT_THROW((void)verify(fit.classifier, LabelledData(clouds(4, 60, 8))), InvalidInput);
    EXPECT_THROW((void)verify(fit.classifier, LabelledData(clouds(3, 60, 9))), InvalidInput);
    EXPECT_THROW((void)verify(fit.classifier, data, Vector::Ones(59)), InvalidInput);
    EXPECT_THROW((void)probabilities(fit.classifier, Matrix::Zero(1, 3)), InvalidInput);
    EXPECT_THROW((void)classes_of(fit.classifier, Matrix::Zero(1, 2)), InvalidInput);
}

} // namespace
} // namespace hinge0
