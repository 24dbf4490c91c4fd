/// Prediction against the definition, and verify against reports, good and spoiled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hinge0/error.hpp"
#include "hinge0/predictor.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

const Settings tight{.method = Method::admm, .tolerance = 1e-10, .max_iterations = 200000};

TEST(Predict, MatchesTheDefinitionForEveryKernel) {
    const Dataset data(Samples(test::random_rows(60, 3, 1)), [] {
        std::vector<std::string> labels;
        labels.reserve(60);
        for (int i = 0; i < 60; ++i) labels.emplace_back(i % 2 ? "yes" : "no");
        return labels;
    }());
    const DenseRows fresh = test::random_rows(700, 3, 2);
    for (const Kernel &kernel : test::every_kernel(3)) {
        const Fit fit = train(data, kernel, {.loss = SquaredHingeLoss{}},
                              {.method = Method::admm, .tolerance = 1e-4});
        const Matrix k = test::naive_gram(kernel, fresh, std::get<DenseRows>(fit.model.support));
        const Vector expected = (k * fit.model.coefficients).array() + fit.model.bias;
        const Vector h = decision_function(fit.model, Samples(fresh));
        EXPECT_LT((h - expected).norm(), 1e-6 * (1 + expected.norm())) << name(kernel);
        EXPECT_EQ(h, decision_function(fit.model, Samples(fresh), 1)) << "threads change bits";
        const auto labels = predict(fit.model, Samples(fresh));
        EXPECT_EQ(labels[5], h(5) > 0 ? "yes" : "no");
    }
}

/// Points between rows of both sides, halved until h is as near to 0 as doubles come.
DenseRows points_on_the_boundary(const Model &model, const DenseRows &rows) {
    const auto h = [&](const DenseRows &x) { return decision_function(model, Samples(x), 1); };
    const Vector side = h(rows);
    DenseRows points(64, rows.cols());
    Index found = 0;
    for (Index i = 1; i < rows.rows() && found < points.rows(); ++i) {
        if ((side(i) > 0) == (side(i - 1) > 0)) continue;
        DenseRows low = rows.row(i - 1), high = rows.row(i);
        if (side(i) <= 0) low.swap(high);
        for (int step = 0; step < 60; ++step) {
            const DenseRows middle = low + (high - low) / 2;
            (h(middle)(0) > 0 ? high : low) = middle;
        }
        points.row(found) = found % 2 == 0 ? low : high;
        ++found;
    }
    return points.topRows(found);
}

/// Single precision must never show: whatever the size of rows and of gamma, and on the boundary.
TEST(Predict, SidesAreTheSignsOfDecisions) {
    const auto compare = [](const Model &model, const Samples &samples, const std::string &what) {
        const Vector h = decision_function(model, samples);
        for (const int threads : {1, 3})
            EXPECT_TRUE((positive_sides(model, samples, threads) == (h.array() > 0)).all()) << what;
    };
    const Dataset moons = test::noisy_moons(test::sanitized ? 300 : 900, 0.1, 3);
    const DenseRows &plain = std::get<DenseRows>(moons.samples());
    const std::vector<std::string> labels = [&] {
        std::vector<std::string> result;
        for (const double sign : moons.signs()) result.emplace_back(sign > 0 ? "1" : "-1");
        return result;
    }();
    for (const double offset : {0.0, 1e3, 1e9, 1e30})
        for (const double size : {1e-12, 1.0, 1e6, 1e20, 1e150}) {
            const DenseRows rows = (plain.array() * size + offset).matrix();
            for (const double gamma : {0.3, 50.0}) {
                const Dataset data(Samples(rows), labels);
                Settings settings;
                settings.time_limit = 2;
                const Model model =
                    train(data, RbfKernel{gamma / (size * size)}, {.C = 8}, settings).model;
                const std::string what = fmt::format("{} + {}, gamma {}", size, offset, gamma);
                compare(model, Samples(rows), what);
                compare(model, Samples(points_on_the_boundary(model, rows)), what);
            }
        }
    const SparseRows sparse = test::random_sparse_rows(700, 300, 0.1, 5);
    std::vector<std::string> names;
    for (int i = 0; i < 700; ++i) names.emplace_back(i % 3 == 0 ? "a" : "b");
    const Model model = train(Dataset(Samples(SparseRows(sparse.topRows(300))),
                                      {names.begin(), names.begin() + 300}),
                              RbfKernel{0.02})
                            .model;
    compare(model, Samples(sparse), "sparse, with features that no support vector has");
}

/// A row has the same bits alone, in a file of many, and on any number of threads.
TEST(Predict, AValueDependsOnItsRowAlone) {
    const Dataset moons = test::noisy_moons(700, 0.1, 3);
    const DenseRows &rows = std::get<DenseRows>(moons.samples());
    for (const Kernel &kernel : test::every_kernel(2)) {
        const Model model = train(moons, kernel).model;
        const Vector h = decision_function(model, moons.samples());
        for (const Index first : {0, 5, 255, 690})
            for (const Index count : {1, 3, 10})
                EXPECT_EQ(
                    decision_function(model, Samples(DenseRows(rows.middleRows(first, count)))),
                    h.segment(first, count))
                    << name(kernel) << first;
    }
}

/// Whatever the rows: dense, sparse with few features or many, scaled, a kernel matrix.
TEST(Predictor, IsTheDecisionFunctionOfOneRow) {
    const auto compare = [](const Model &model, const Samples &samples) {
        const Vector h = decision_function(model, samples);
        const DenseRows rows =
            std::visit([](const auto &held) { return DenseRows(held); }, samples);
        Predictor predictor(model);
        for (Index i = 0; i < rows.rows(); ++i) {
            const DenseRows::ConstRowXpr row = rows.row(i);
            const std::span<const double> x(row.data(), static_cast<std::size_t>(rows.cols()));
            EXPECT_NEAR(predictor.decision(x), h(i), 1e-12 * (1 + std::abs(h(i))));
            EXPECT_EQ(predictor.label(x), model.classes[h(i) > 0 ? 1 : 0]);
        }
    };
    const Dataset moons = test::noisy_moons(900, 0.1, 3);
    for (const Kernel &kernel : test::every_kernel(2))
        compare(train(moons, kernel).model, moons.samples());
    Recipe standardized;
    standardized.standardize = true;
    compare(train(moons, standardized).model, moons.samples());
    const auto labels = [](int rows) {
        std::vector<std::string> result(static_cast<std::size_t>(rows), "yes");
        for (std::size_t i = 0; i < result.size(); i += 3) result[i] = "no";
        return result;
    };
    for (const int features : {5, 400}) {
        const SparseRows sparse = test::random_sparse_rows(80, features, 0.1, 4);
        const Dataset data(Samples(sparse), labels(80));
        compare(train(data, RbfKernel{0.1}).model, sparse);
    }
    const DenseRows x = test::random_rows(50, 3, 5);
    const DenseRows k = test::naive_gram(RbfKernel{1}, x, x);
    compare(train(Dataset(Samples(k), labels(50)), PrecomputedKernel{}).model, k);
}

TEST(Predictor, RefusesWhatItCannotUse) {
    const Model model = train(test::noisy_moons(50, 0, 1), RbfKernel{1}).model;
    Predictor predictor(model);
    const double inf = std::numeric_limits<double>::infinity();
    const double long_row[] = {1, 2, 3}, infinite[] = {inf, -inf}, nan[] = {0, std::nan("")};
    EXPECT_THROW((void)predictor.decision(long_row), InvalidInput);
    EXPECT_THROW((void)predictor.decision(nan), InvalidInput);
    EXPECT_NO_THROW((void)predictor.decision(infinite)); // infinitely far away: the bias
    Model broken = model;
    broken.coefficients.resize(1);
    EXPECT_THROW(Predictor{broken}, InvalidInput);
}

TEST(Predict, RefusesOtherFeatures) {
    const Fit fit = train(test::noisy_moons(50, 0, 1), RbfKernel{1});
    try {
        (void)predict(fit.model, Samples(test::random_rows(3, 4, 1)));
        ADD_FAILURE() << "accepted";
    } catch (const InvalidInput &e) {
        EXPECT_STREQ(e.what(), "the data has 4 features, but the model expects 2");
    }
    EXPECT_NO_THROW((void)predict(fit.model, Samples(test::random_sparse_rows(3, 1, 1.0, 1))));
    EXPECT_THROW((void)predict(fit.model, Samples(test::random_sparse_rows(3, 3, 1.0, 1))),
                 InvalidInput);
    for (const int threads : {-1, 4097})
        EXPECT_THROW((void)predict(fit.model, Samples(test::random_rows(3, 2, 1)), threads),
                     InvalidInput);
}

TEST(Predict, RefusesValuesThatOverflow) {
    const Dataset data = test::noisy_moons(50, 0, 1);
    DenseRows x = DenseRows::Zero(600, 2);
    x(300, 1) = 1e300;
    const Fit fit = train(data, LinearKernel{});
    try {
        (void)predict(fit.model, Samples(x));
        FAIL() << "accepted";
    } catch (const InvalidInput &error) {
        EXPECT_NE(std::string(error.what()).find("of row 301 and support vector"),
                  std::string::npos)
            << error.what();
    }
    // As far from all support vectors as can be: h = b.
    const Fit far = train(data, RbfKernel{1});
    EXPECT_EQ(decision_function(far.model, Samples(x))(300), far.model.bias);
}

/// h overflows though every kernel value is a number.
TEST(Predict, RefusesDecisionValuesThatAreNotFinite) {
    Fit fit = train(test::noisy_moons(50, 0, 1), LinearKernel{});
    fit.model.coefficients.setConstant(1e200);
    DenseRows x = DenseRows::Constant(3, 2, 1e140);
    EXPECT_THROW((void)predict(fit.model, Samples(x)), InvalidInput);
}

TEST(Verify, AgreesWithTheReportForEveryKernelAndLoss) {
    const Dataset data = test::noisy_moons(80, 0.05, 3);
    for (const Kernel &kernel : test::every_kernel(2))
        for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{}), Loss(SquaredHingeLoss{})}) {
            const Fit fit = train(data, kernel, {.loss = loss, .C = 3, .class_weight = {1, 2}},
                                  {.method = Method::admm, .max_iterations = 500});
            const Report &report = fit.report;
            const Verification v = verify(fit.model, data);
            EXPECT_NEAR(v.objective, report.objective, 1e-6 * (1 + report.objective));
            EXPECT_NEAR(v.constant_objective, report.constant_objective, 1e-9);
            EXPECT_EQ(v.violators, report.violators) << name(kernel) << " " << name(loss);
            EXPECT_EQ(v.support_vectors, report.support_vectors);
            EXPECT_EQ(v.train_accuracy, report.train_accuracy);
            EXPECT_NEAR(v.certificate.stationarity, report.certificate.stationarity, 1e-7);
            EXPECT_NEAR(v.certificate.balance, report.certificate.balance, 1e-7);
            EXPECT_NEAR(v.certificate.feasibility, report.certificate.feasibility, 1e-5);
            EXPECT_NEAR(v.certificate.proximal, report.certificate.proximal, 1e-7);
            EXPECT_EQ(v.certificate.local_minimum, report.certificate.local_minimum);
        }
}

class SpoiledModel : public testing::Test {
protected:
    Dataset data{make_circles({.samples = 120, .noise = 0.1, .seed = 4})};
    Model model = train(data, RbfKernel{1}, {.C = 128}, tight).model;
};

TEST_F(SpoiledModel, IsALocalMinimumBeforeItIsSpoiled) {
    const Verification v = verify(model, data);
    EXPECT_TRUE(v.certificate.local_minimum);
    EXPECT_EQ(v.certificate.proximal, 0);
    EXPECT_GT(v.certificate.gamma, 0);
}
TEST_F(SpoiledModel, BiasMoved) {
    model.bias += 1e-3;
    const Verification v = verify(model, data);
    EXPECT_FALSE(v.certificate.local_minimum);
    EXPECT_NEAR(v.certificate.worst_deficit, 1e-3, 1e-6);
}
TEST_F(SpoiledModel, CoefficientTurned) {
    model.coefficients(0) *= -1;
    const Verification v = verify(model, data);
    EXPECT_GT(v.certificate.stationarity, 1e-3);
    EXPECT_FALSE(v.certificate.local_minimum);
}
TEST_F(SpoiledModel, CoefficientScaled) {
    model.coefficients(0) *= 1.001;
    const Verification v = verify(model, data);
    EXPECT_GT(v.certificate.balance, 1e-6);
    EXPECT_FALSE(v.certificate.local_minimum);
}
TEST_F(SpoiledModel, OtherDataIsRefused) {
    EXPECT_THROW((void)verify(model, test::noisy_moons(121, 0.0, 4)), InvalidInput);
    EXPECT_THROW((void)verify(model, test::noisy_moons(120, 0.0, 5)), InvalidInput);
    EXPECT_THROW((void)verify(model, data, Vector(Vector::Ones(3))), InvalidInput);
}

TEST_F(SpoiledModel, StopsWhenAskedTo) {
    EXPECT_THROW((void)verify(model, data, {}, [] { return true; }), Interrupted);
    EXPECT_NO_THROW((void)verify(model, data, {}, [] { return false; }));
}

/// Two rows on a line, each the support vector of its class.
Model two_rows(const Kernel &kernel, double coefficient, const Dataset &data) {
    Model model;
    model.kernel = kernel;
    model.features = data.features();
    model.coefficients = Vector{{coefficient, -coefficient}};
    model.support = data.samples();
    model.rows = {0, 1};
    model.training_rows = 2;
    return model;
}

TEST(Verify, TakesNoTimeForAHugeDimensionOfWendland) { // it took seconds for each kernel value
    const Dataset data(Samples(DenseRows{{1e-9}, {-1e-9}}), {"1", "-1"});
    const int dimension = std::numeric_limits<int>::max(), l = dimension / 2 + 2;
    const Model model = two_rows(WendlandKernel{.gamma = 1, .dimension = dimension}, 0.5, data);
    const double r = 2e-9; // k(x, x) = 1, and
    const double k = std::exp((l + 1.0) * std::log1p(-r)) * ((l + 1.0) * r + 1);
    EXPECT_NEAR(verify(model, data).half_norm_squared, 0.25 * (1 - k), 1e-9);
}

TEST(Verify, PowersAreThoseOfTheDefinition) {
    const Dataset data(Samples(DenseRows{{1.5}, {-1}}), {"1", "-1"});
    for (int degree = 1; degree <= 100; ++degree) {
        const PolynomialKernel kernel{.gamma = 1, .coef0 = 1, .degree = degree};
        const double a = std::pow(3.25, degree), b = std::pow(-0.5, degree),
                     c = std::pow(2, degree), expected = (a - 2 * b + c) / 2;
        EXPECT_NEAR(verify(two_rows(kernel, 1, data), data).half_norm_squared, expected,
                    1e-12 * expected);
    }
}

TEST(Verify, KernelValuesThatAreNotFiniteAreNoLocalMinimum) { // nan passed every comparison
    const Dataset data(Samples(DenseRows{{1}, {2}}), {"1", "-1"});
    const InverseMultiquadricKernel kernel{.coef0 = 1e-308, .beta = 1e308};
    try {
        (void)verify(two_rows(kernel, 0.5, data), data);
        ADD_FAILURE() << "accepted";
    } catch (const NumericalError &e) {
        EXPECT_STREQ(e.what(), "the kernel values of row 1 are not finite");
    }
    // Each is finite, what they add up to is not.
    Model model = two_rows(LinearKernel{}, 1e154, data);
    model.bias = 1e308;
    EXPECT_FALSE(verify(model, data).certificate.local_minimum);
    model.C = 1e308;
    EXPECT_FALSE(verify(model, data).certificate.local_minimum);
}

TEST(Verify, FollowsTheScalingOfTheModel) {
    Table table = make_circles({.samples = 100, .noise = 0.1, .seed = 5});
    std::get<DenseRows>(table.samples).col(0) *= 1000;
    const Dataset raw(table);
    const Scaling scaling = standard_scaling(table.samples);
    table.samples = scaled(scaling, table.samples);
    Fit fit = train(Dataset(table), RbfKernel{0.5}, {.C = 128}, tight);
    fit.model.scaling = scaling;
    const Verification v = verify(fit.model, raw);
    EXPECT_TRUE(v.certificate.local_minimum);
    const Vector h = decision_function(fit.model, raw.samples());
    EXPECT_EQ(((h.array() > 0) == (raw.signs().array() > 0)).cast<double>().mean(),
              v.train_accuracy);
}

} // namespace
} // namespace hinge0
