/// Algorithm 1: tiny problems solved by hand, the paper's deterministic rows, starts, stops, bits.
#include <gtest/gtest.h>

#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

const Settings by_admm{.method = Method::admm};

Settings tight() { return {.method = Method::admm, .tolerance = 1e-10, .max_iterations = 100000}; }

DenseRows column(std::initializer_list<double> values) {
    DenseRows out(static_cast<Index>(values.size()), 1);
    std::copy(values.begin(), values.end(), out.data());
    return out;
}

// Two points on a line, 0 (-1) and 1 (+1): h(x) = 2x - 1 is the hard-margin classifier, with
// w = c_1 * 0 + c_2 * 1 = 2, so alpha = 2 for both (balance), F = 2 if C > 2.
TEST(Admm, TwoPointsByHand) {
    for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{})}) {
        test::Trainer solver(test::dataset(column({0, 1}), {-1, 1}), LinearKernel{});
        const Solution s = solver.solve({.loss = loss, .C = 10}, tight());
        EXPECT_EQ(s.report.status, Status::converged) << name(loss);
        EXPECT_NEAR(s.coefficients(0), -2, 1e-6) << name(loss);
        EXPECT_NEAR(s.coefficients(1), 2, 1e-6);
        EXPECT_NEAR(s.bias, -1, 1e-6);
        EXPECT_NEAR(s.report.objective, 2, 1e-6);
        EXPECT_EQ(s.report.violators, 0);
        EXPECT_EQ(s.report.support_vectors, 2);
        EXPECT_TRUE(s.report.certificate.local_minimum);
    }
}

// The same with the squared hinge and C = 1: h = wx + b with b = -w/2 by symmetry, both deficits
// 1 - w/2, F = w^2/2 + 2 (1 - w/2)^2, minimal at w = 1: F = 1, alpha = 2 C u = 1.
TEST(Admm, SquaredHingeByHand) {
    test::Trainer solver(test::dataset(column({0, 1}), {-1, 1}), LinearKernel{});
    const Solution s = solver.solve({.loss = SquaredHingeLoss{}, .C = 1}, tight());
    EXPECT_NEAR(s.coefficients(1), 1, 1e-6);
    EXPECT_NEAR(s.bias, -0.5, 1e-6);
    EXPECT_NEAR(s.report.objective, 1, 1e-6);
    EXPECT_TRUE(s.report.certificate.local_minimum);
}

TEST(Admm, RefusesSettingsOutOfRange) {
    test::Trainer solver(test::dataset(column({0, 1}), {-1, 1}), LinearKernel{});
    const auto message = [&](const Objective &objective, const Settings &settings) {
        try {
            (void)solver.solve(objective, settings);
        } catch (const InvalidInput &e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(message({.C = 0}, {}), "C must be a positive number, got 0");
    EXPECT_EQ(message({.class_weight = {1, -1}}, {}),
              "class weight must be a positive number, got -1");
    EXPECT_EQ(message({.sample_weight = Vector::Ones(3)}, {}), "3 sample weights for 2 rows");
    EXPECT_EQ(message({.sample_weight = Vector::Constant(2, -1)}, {}),
              "sample weight must be a number from 0, got -1");
    EXPECT_EQ(message({.sample_weight = (Vector(2) << 1, 0).finished()}, {}).substr(0, 18),
              "no sample of class");
    EXPECT_EQ(message({}, {.method = Method::admm, .sigma = -1}),
              "sigma must be a positive number, got -1");
    EXPECT_EQ(message({}, {.iota = 1.7}), "iota must be in (0, 1.618), got 1.7");
    EXPECT_EQ(message({}, {.method = Method::admm, .tolerance = 0}),
              "tol must be a positive number, got 0");
    EXPECT_EQ(message({}, {.method = Method::admm, .max_iterations = 0}),
              "max-iter must be at least 1, got 0");
    EXPECT_EQ(message({}, {.time_limit = 0}), "time-limit must be positive, got 0");
    EXPECT_EQ(message({}, {.threads = -1}), "threads must be in [0, 4096], got -1");
    EXPECT_EQ(message({}, {.memory_limit = -1}), "memory-limit must be at least 0, got -1");
    EXPECT_THROW((void)solver.solve({}, by_admm, {}, Vector(Vector::Zero(3))), InvalidInput);
}

TEST(Admm, SaysWhenItWouldStopAtTheZeroClassifierAndMoves) {
    test::Trainer solver(test::noisy_moons(200, 0.0, 1), RbfKernel{1});
    const Solution moved = solver.solve({.C = 0.2}, {.method = Method::admm, .sigma = 1});
    ASSERT_FALSE(moved.report.notes.empty());
    EXPECT_NE(moved.report.notes[0].find("sigma > 2C"), std::string::npos);
    EXPECT_GT(moved.report.support_vectors, 0);
    // A start of zeros is taken as it is, and stops at the zero classifier as the paper's would.
    const Solution stuck = solver.solve({.C = 0.2}, {.method = Method::admm, .sigma = 1}, {},
                                        Vector(Vector::Zero(200)));
    EXPECT_EQ(stuck.report.support_vectors, 0);
    ASSERT_FALSE(stuck.report.notes.empty());
    EXPECT_NE(stuck.report.notes[0].find("constant"), std::string::npos);
}

TEST(Admm, SameBitsForAnyNumberOfThreads) {
    const Dataset data = test::noisy_moons(700, 0.1, 2);
    for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{}), Loss(SquaredHingeLoss{})}) {
        Vector first;
        for (const int threads : {1, 2, 3, 7}) {
            test::Trainer solver(data, RbfKernel{1});
            const Solution s =
                solver.solve({.loss = loss, .C = 2},
                             {.method = Method::admm, .max_iterations = 300, .threads = threads});
            if (first.size() == 0) first = s.coefficients;
            EXPECT_EQ(first, s.coefficients) << name(loss) << " " << threads << " threads";
        }
    }
}

TEST(Admm, PermutingRowsPermutesTheClassifier) {
    const Dataset data(make_circles({.samples = 120, .noise = 0.1, .seed = 3}));
    const auto &rows = std::get<DenseRows>(data.samples());
    std::vector<Index> order(120);
    for (Index i = 0; i < 120; ++i) order[static_cast<std::size_t>(i)] = (i * 37 + 11) % 120;
    std::vector<int> labels;
    labels.reserve(order.size());
    for (const Index i : order) labels.push_back(data.signs()(i) > 0 ? 1 : -1);
    test::Trainer solver(data, RbfKernel{1}),
        other(test::dataset(DenseRows(rows(order, Eigen::all)), labels), RbfKernel{1});
    const Vector start = Vector::Constant(120, 0.5);
    const Solution a = solver.solve({.C = 128}, tight(), {}, start);
    const Solution b = other.solve({.C = 128}, tight(), {}, start);
    EXPECT_LT((a.coefficients(order) - b.coefficients).norm(), 1e-6 * a.coefficients.norm());
    EXPECT_NEAR(a.bias, b.bias, 1e-6);
}

TEST(Admm, SampleWeightsEqualRepeatedRows) {
    const Dataset data = test::noisy_moons(60, 0.0, 4);
    const auto &rows = std::get<DenseRows>(data.samples());
    DenseRows twice(120, 2);
    twice << rows, rows;
    std::vector<int> labels;
    labels.reserve(120);
    for (int i = 0; i < 120; ++i) labels.push_back(data.signs()(i % 60) > 0 ? 1 : -1);
    test::Trainer weighted(data, RbfKernel{1}),
        repeated(test::dataset(twice, labels), RbfKernel{1});
    const Objective objective{
        .loss = SquaredHingeLoss{}, .C = 1, .sample_weight = Vector::Constant(60, 2.0)};
    const double a = weighted.solve(objective, tight()).report.objective;
    const double b = repeated.solve({.loss = SquaredHingeLoss{}, .C = 1}, tight()).report.objective;
    EXPECT_NEAR(a, b, 1e-6 * b);
}

TEST(Admm, ClassWeightsMultiplyC) {
    const Dataset data = test::noisy_moons(80, 0.1, 5);
    test::Trainer solver(data, RbfKernel{1});
    Vector weights(80);
    for (Index i = 0; i < 80; ++i) weights(i) = data.signs()(i) > 0 ? 3.0 : 0.5;
    const auto by_class = solver.solve({.class_weight = {0.5, 3.0}}, by_admm);
    const auto by_sample = solver.solve({.sample_weight = weights}, by_admm);
    EXPECT_EQ(by_class.coefficients, by_sample.coefficients);
}

TEST(Admm, StopsForTheObserverAndForTime) {
    test::Trainer solver(test::noisy_moons(300, 0.2, 6), RbfKernel{1});
    int seen = 0;
    const Solution stopped = solver.solve({}, by_admm, [&](const Progress &progress) {
        if (progress.stage == Progress::Stage::iterate) seen = progress.iteration;
        return progress.stage != Progress::Stage::iterate || progress.iteration < 7;
    });
    EXPECT_EQ(stopped.report.status, Status::interrupted);
    EXPECT_EQ(stopped.report.iterations, 7);
    EXPECT_EQ(seen, 7);
    EXPECT_GT(stopped.report.support_vectors, 0);
    const Solution late = solver.solve({}, {.method = Method::admm,
                                            .tolerance = 1e-300,
                                            .max_iterations = 100000000,
                                            .time_limit = 0.05});
    EXPECT_EQ(late.report.status, Status::time_limit);
    EXPECT_LT(late.report.seconds.total, 2.0);
}

TEST(Admm, InterruptedBeforeTheFirstIterateThrows) {
    test::Trainer solver(test::noisy_moons(4000, 0.2, 7), RbfKernel{1});
    EXPECT_THROW((void)solver.solve({}, by_admm, [](const Progress &) { return false; }),
                 Interrupted);
}

TEST(Admm, TimeOverBeforeTheFirstIterateIsNoInterrupt) {
    test::Trainer solver(test::noisy_moons(4000, 0.2, 7), RbfKernel{1});
    try {
        (void)solver.solve({}, {.method = Method::admm, .time_limit = 0.001});
        ADD_FAILURE() << "finished";
    } catch (const Interrupted &) {
        ADD_FAILURE() << "nobody interrupted it";
    } catch (const Error &e) {
        EXPECT_STREQ(e.what(), "the time limit of 0.001 s is over before the first iteration: "
                               "allow more time, or train on fewer rows");
    }
}

TEST(Solver, ChecksAPrecomputedKernel) {
    DenseRows k(2, 3);
    k.setZero();
    EXPECT_THROW(test::Trainer(test::dataset(k, {-1, 1}), PrecomputedKernel{}), InvalidInput);
    DenseRows crooked(2, 2);
    crooked << 1, 0.5, 0.4, 1;
    EXPECT_THROW(test::Trainer(test::dataset(crooked, {-1, 1}), PrecomputedKernel{}), InvalidInput);
}

TEST(Solver, PrecomputedKernelGivesTheSameClassifier) {
    const Dataset data = test::noisy_moons(90, 0.05, 8);
    const auto &rows = std::get<DenseRows>(data.samples());
    const Matrix k = test::naive_gram(RbfKernel{1}, rows, rows);
    std::vector<int> labels;
    for (const double sign : data.signs()) labels.push_back(static_cast<int>(sign));
    const Fit direct = train(data, RbfKernel{1}, {.loss = SquaredHingeLoss{}}, tight());
    const Fit given = train(test::dataset(DenseRows(k), labels), PrecomputedKernel{},
                            {.loss = SquaredHingeLoss{}}, tight());
    EXPECT_LT((decision_function(direct.model, data.samples()) -
               decision_function(given.model, Samples(DenseRows(k))))
                  .norm(),
              1e-6);
    EXPECT_TRUE(verify(given.model, test::dataset(DenseRows(k), labels)).certificate.local_minimum);
}

} // namespace
} // namespace hinge0
