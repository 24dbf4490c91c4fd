/// Probabilities: sigmoids, isotonic regression, coupling, and what the command line shows of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hinge0/error.hpp"
#include "model/calibration.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

struct Values {
    Vector h, signs;
};

/// Decision values whose sign is right with the probability of a sigmoid.
Values drawn(Index count, const Sigmoid &truth, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform;
    Values values{Vector(count), Vector(count)};
    for (Index i = 0; i < count; ++i) {
        values.h(i) = 6 * uniform(generator) - 3;
        const double p = 1 / (1 + std::exp(truth.slope * values.h(i) + truth.offset));
        values.signs(i) = uniform(generator) < p ? 1 : -1;
    }
    return values;
}

TEST(Calibration, FindsTheSigmoidThatDrewTheLabels) {
    for (const Sigmoid truth : {Sigmoid{-1.5, 0.4}, Sigmoid{-0.3, -1}, Sigmoid{-4, 0}}) {
        const Values values = drawn(20'000, truth, 1);
        const Vector &h = values.h, &signs = values.signs;
        const Sigmoid found = fit_sigmoid(h, signs, {});
        EXPECT_NEAR(found.slope, truth.slope, 0.1 * std::abs(truth.slope));
        EXPECT_NEAR(found.offset, truth.offset, 0.1);
    }
}

TEST(Calibration, EdgesOfTheSigmoid) {
    const Values values = drawn(500, {-1, 0}, 2);
    const Vector &h = values.h, &signs = values.signs;
    const Sigmoid against = fit_sigmoid(h, -signs, {});
    EXPECT_EQ(against.slope, 0); // never falls: a constant instead
    const Sigmoid sure = fit_sigmoid(signs, signs, {});
    EXPECT_TRUE(std::isfinite(sure.slope) && sure.slope < 0);
    const Sigmoid huge = fit_sigmoid(1e150 * h, signs, {});
    EXPECT_TRUE(std::isfinite(huge.slope) && std::isfinite(huge.offset) && huge.slope <= 0);
    const Sigmoid zero = fit_sigmoid(0 * h, signs, {});
    EXPECT_LE(std::abs(zero.slope), 1e-9);
    // a weight of 2 is the value twice
    Vector twice_h(1000), twice_signs(1000), two = Vector::Constant(500, 2.0);
    twice_h << h, h;
    twice_signs << signs, signs;
    const Sigmoid a = fit_sigmoid(h, signs, two), b = fit_sigmoid(twice_h, twice_signs, {});
    EXPECT_NEAR(a.slope, b.slope, 1e-9);
    EXPECT_NEAR(a.offset, b.offset, 1e-9);
}

Vector even(Index rows) { return Vector::Constant(rows, 0.5); }

/// max over j <= i of min over k >= i of the mean of j .. k.
TEST(Calibration, IsotonicIsItsMinMaxFormula) {
    const Values values = drawn(60, {-1, 0}, 3);
    const Vector &h = values.h, &signs = values.signs;
    std::vector<Index> order(60);
    for (Index i = 0; i < 60; ++i) order[static_cast<std::size_t>(i)] = i;
    std::sort(order.begin(), order.end(), [&](Index a, Index z) { return h(a) < h(z); });
    const Vector y = (signs(order).array() + 1) / 2, x = h(order);
    const Isotonic found = fit_isotonic(h, signs, {}, even(60), 0);
    for (Index i = 0; i < 60; ++i) {
        double highest = 0;
        for (Index j = 0; j <= i; ++j) {
            double lowest = 1;
            for (Index k = i; k < 60; ++k)
                lowest = std::min(lowest, y.segment(j, k - j + 1).mean());
            highest = std::max(highest, lowest);
        }
        const Index at =
            std::upper_bound(found.at.begin(), found.at.end(), x(i)) - found.at.begin();
        EXPECT_NEAR(found.value(at - 1), highest, 1e-12) << i;
    }
    const Isotonic same = fit_isotonic(Vector::Ones(4), Vector{{1, -1, 1, 1}}, {}, even(4), 0);
    EXPECT_EQ(same.at.size(), 1);
    EXPECT_EQ(same.value(0), 0.75);
}

TEST(Calibration, DoubtLeavesNoStepCertain) {
    const Values values = drawn(60, {-1, 0}, 3);
    const Isotonic sure = fit_isotonic(values.h, values.signs, {}, even(60), 0);
    EXPECT_EQ(sure.value(0), 0);
    const Isotonic found = fit_isotonic(values.h, values.signs, {}, even(60), 1);
    EXPECT_GT(found.value(0), 0);
    EXPECT_LT(found.value(found.value.size() - 1), 1);
    EXPECT_TRUE(std::is_sorted(found.value.begin(), found.value.end()));
    const Isotonic same = fit_isotonic(Vector::Ones(4), Vector{{1, -1, 1, 1}}, {}, even(4), 1);
    EXPECT_EQ(same.value(0), 3.5 / 5);
    const Isotonic twice = // weights are rows
        fit_isotonic(Vector::Ones(2), Vector{{1, -1}}, Vector{{3.0, 1.0}}, even(2), 1);
    EXPECT_EQ(twice.value(0), 3.5 / 5);
    const Isotonic expected = // the mean of what its rows expect, 3/4 and 1/4 of the weight
        fit_isotonic(Vector::Ones(2), Vector{{1, -1}}, Vector{{3.0, 1.0}}, Vector{{0.8, 0.4}}, 2);
    EXPECT_NEAR(expected.value(0), (3 + 2 * 0.7) / 6, 1e-15);
}

TEST(Calibration, MeanOfIsotonicFunctions) {
    const Isotonic a{.at = Vector{{0, 1}}, .value = Vector{{0.2, 0.6}}};
    const Isotonic b{.at = Vector{{0.5}}, .value = Vector{{1.0}}};
    const Isotonic mean = mean_of({a, b, a});
    EXPECT_EQ(mean.at, (Vector{{0, 0.5, 1}}));
    EXPECT_LT((mean.value - Vector{{1.4 / 3, 1.8 / 3, 2.2 / 3}}).cwiseAbs().maxCoeff(), 1e-15);
    const Isotonic ones{.at = Vector{{0, 1, 2}}, .value = Vector{{0.1, 1, 1}}};
    EXPECT_LE(mean_of({ones, ones, ones, b}).value.maxCoeff(), 1);
}

/// Pairs that agree with each other give back the probabilities that they are from.
TEST(Calibration, CouplingOfConsistentPairs) {
    const Vector p{{0.5, 0.25, 0.15, 0.1}};
    Classifier four;
    four.classes = {"a", "b", "c", "d"};
    Matrix h = Matrix::Zero(1, 6);
    for (Index k = 0; k < 6; ++k) {
        Pair &pair = four.pairs.emplace_back();
        pair.classes = pair_classes(Scheme::ovo, 4, k);
        pair.calibration = Sigmoid{-1, 0};
        h(0, k) = std::log(p(pair.classes[1]) / p(pair.classes[0]));
    }
    EXPECT_LT((probabilities(four, h).row(0).transpose() - p).cwiseAbs().maxCoeff(), 1e-12);
    h.setConstant(1e9); // certain: d beats all
    EXPECT_GT(probabilities(four, h)(0, 3), 0.99);
    EXPECT_NEAR(probabilities(four, h).sum(), 1, 1e-12);
}

TEST(Calibration, ProbabilitiesOfAFitAreCalibrated) {
    for (const CalibrationKind kind : {CalibrationKind::sigmoid, CalibrationKind::isotonic}) {
        const LabelledData data(make_moons({.samples = 600, .noise = 0.4, .seed = 3}));
        const LabelledData fresh(make_moons({.samples = 4000, .noise = 0.4, .seed = 4}));
        Recipe recipe;
        ClassFit fit = train(data, recipe, {});
        calibrate(fit, data, recipe, {}, {.kind = kind});
        validate(fit.classifier);
        const Matrix p =
            probabilities(fit.classifier, decision_values(fit.classifier, fresh.samples()));
        EXPECT_LT((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
        double expected = 0, right = 0, squares = 0;
        for (Index i = 0; i < p.rows(); ++i) {
            const auto label = static_cast<Index>(fresh.labels()[static_cast<std::size_t>(i)]);
            Index best = 0;
            expected += p.row(i).maxCoeff(&best);
            right += best == label ? 1 : 0;
            squares += (1 - p(i, label)) * (1 - p(i, label));
        }
        EXPECT_NEAR(expected / 4000, right / 4000, 0.04); // as sure as it is right
        EXPECT_LT(squares / 4000, 0.14);                  // always 1/2 would be 0.25
    }
}

TEST(Calibration, WhatIsRefused) {
    std::vector<std::string> labels(30, "a");
    for (std::size_t i = 0; i < 3; ++i) labels[i] = "b";
    const LabelledData few(Samples(test::random_rows(30, 2, 1)), labels);
    ClassFit fit = train(few, Recipe{}, {});
    EXPECT_THROW(calibrate(fit, few, Recipe{}, {}, {}), InvalidInput); // 3 rows, 5 folds
    EXPECT_THROW(
        calibrate(fit, few, Recipe{}, {}, {.folds = 2}, [](const Progress &) { return false; }),
        Interrupted);
}

} // namespace
} // namespace hinge0
