/// The exact solver: certified on hard problems, globally optimal on most tiny ones, deterministic.
#include <gtest/gtest.h>

#include <map>

#include "hinge0/error.hpp"
#include "support/brute_force.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

/// A random problem of m samples in the plane with some labels flipped.
Dataset tiny_problem(Index m, unsigned seed) {
    std::mt19937 random(seed);
    DenseRows x = test::random_rows(m, 2, seed);
    const double flip = 0.1 + 0.2 * static_cast<double>(random() % 1000) / 1000.0;
    std::vector<int> labels;
    for (Index i = 0; i < m; ++i) {
        const int label = x(i, 0) + 0.5 * x(i, 1) > 0 ? 1 : -1;
        labels.push_back(static_cast<double>(random() % 1000) / 1000.0 < flip ? -label : label);
    }
    labels[0] = 1;
    labels[1] = -1;
    return test::dataset(x, labels);
}

/// How often fits found the global minimum, and how often less than it: then the oracle is wrong.
struct Score {
    int fits = 0, optimal = 0, better = 0;

    void count(double found, double best) {
        ++fits;
        optimal += found <= best * (1 + 1e-6) + 1e-9 ? 1 : 0;
        better += found < best * (1 - 1e-6) - 1e-9 ? 1 : 0;
    }
};

/// Of the better of the fit and the constant classifier, for each number of starts.
std::map<int, Score> scores(int problems, std::initializer_list<int> numbers_of_starts) {
    std::map<int, Score> result;
    const double prices[] = {1, 2, 8, 32};
    for (int k = 0; k < problems; ++k) {
        const Dataset data = tiny_problem(12, static_cast<unsigned>(1000 + k));
        const double C = prices[k % 4];
        const RbfKernel kernel{0.5};
        const auto &rows = std::get<DenseRows>(data.samples());
        const double best =
            test::brute_force(test::naive_gram(kernel, rows, rows), data.signs(), C);
        test::Trainer solver(data, kernel);
        for (const int starts : numbers_of_starts) {
            const Report report =
                solver.solve({.C = C}, {.search = SearchMode::full, .starts = starts}).report;
            EXPECT_TRUE(report.certificate.local_minimum) << "problem " << k;
            result[starts].count(std::min(report.objective, report.constant_objective), best);
        }
    }
    return result;
}

TEST(Exact, FindsTheGlobalMinimumOfMostTinyProblems) {
    constexpr int problems = test::sanitized ? 60 : 500;
    const std::map<int, Score> by_starts = scores(problems, {1, 16});
    const Score &once = by_starts.at(1), &often = by_starts.at(16);
    EXPECT_EQ(once.better, 0);
    EXPECT_GE(once.optimal, 0.95 * problems) << "of " << once.fits;
    EXPECT_GE(often.optimal, (problems == 500 ? 0.99 : 0.95) * problems) << "of " << often.fits;
    std::printf("globally optimal: %d of %d, with 16 starts %d\n", once.optimal, problems,
                often.optimal);
}

void expect_certified(const Dataset &data, const Kernel &kernel, double C,
                      const std::string &what) {
    for (const SearchMode search : {SearchMode::none, SearchMode::full}) {
        const Fit fit = train(data, kernel, {.C = C}, {.search = search});
        const Report &r = fit.report;
        EXPECT_EQ(r.searched, search == SearchMode::full);
        EXPECT_EQ(r.status, Status::converged) << what;
        EXPECT_TRUE(r.certificate.local_minimum) << what;
        EXPECT_LE(r.certificate.worst(), 1e-8) << what;
        EXPECT_LE(r.certificate.worst_deficit, 1e-7) << what;
        EXPECT_TRUE(verify(fit.model, data).certificate.local_minimum) << what;
    }
}

TEST(Exact, CertifiedForEveryKernelAndPrice) {
    const Dataset data = test::noisy_moons(90, 0.1, 1);
    for (const Kernel &kernel : test::every_kernel(2))
        for (const double C : {1e-6, 0.1, 2.0, 100.0, 1e6})
            expect_certified(data, kernel, C, std::string(name(kernel)) + " " + std::to_string(C));
}

TEST(Exact, CertifiedForTinyAndHugeGamma) {
    const Dataset data = test::noisy_moons(90, 0.1, 2);
    for (const double gamma : {1e-8, 1e-4, 1e3, 1e8})
        for (const double C : {0.5, 8.0})
            expect_certified(data, RbfKernel{gamma}, C, "gamma " + std::to_string(gamma));
}

/// Random points on a line, a wide kernel: multipliers grow to 1e9 and shrink again on the way, and
/// leave rounding of their own size in the balance.
TEST(Exact, CertifiedWhereMultipliersGrowAndShrink) {
    const Dataset data(read_table(HINGE0_TEST_DATA "/line.libsvm"));
    test::Trainer solver(data, RbfKernel{0.0291807});
    for (const unsigned seed : {0U, 3U, 6U}) {
        const Settings settings{.starts = 8, .seed = seed};
        const Report report = solver.solve({.C = 0.0201661}, settings).report;
        EXPECT_TRUE(report.certificate.local_minimum) << "seed " << seed;
    }
}

TEST(Exact, ContradictoryDuplicatesAreGivenUp) {
    DenseRows x(8, 1);
    x << 0, 0, 1, 1, 0.2, 0.9, 0.2, 0.9;
    const Dataset data = test::dataset(x, {-1, 1, 1, -1, -1, 1, -1, 1});
    for (const Kernel &kernel : {Kernel(RbfKernel{1}), Kernel(LinearKernel{})}) {
        expect_certified(data, kernel, 10, std::string(name(kernel)));
        EXPECT_EQ(train(data, kernel, {.C = 10}).report.violators, 2);
    }
}

TEST(Exact, AllRowsEqual) {
    const Dataset data = test::dataset(DenseRows::Ones(6, 2), {-1, 1, 1, -1, 1, 1});
    const Report r = train(data, RbfKernel{1}).report;
    EXPECT_EQ(r.support_vectors, 0);
    EXPECT_EQ(r.violators, 2);
    EXPECT_EQ(r.objective, r.constant_objective);
    ASSERT_FALSE(r.notes.empty());
    EXPECT_NE(r.notes[0].find("constant"), std::string::npos);
}

TEST(Exact, SaysWhenTheConstantClassifierIsBetterAndFromWhichC) {
    const Dataset data = test::noisy_moons(60, 0.0, 3);
    const Report low = train(data, RbfKernel{1}, {.C = 0.01}).report;
    EXPECT_GT(low.support_vectors, 0);
    EXPECT_GT(low.objective, low.constant_objective);
    ASSERT_FALSE(low.notes.empty());
    EXPECT_NE(low.notes[0].find("beaten above C = "), std::string::npos) << low.notes[0];
    const Report high = train(data, RbfKernel{1}, {.C = 10}).report;
    EXPECT_LT(high.objective, high.constant_objective);
    EXPECT_TRUE(high.notes.empty());
}

TEST(Exact, SameBitsForAnyNumberOfThreads) {
    const Dataset data = test::noisy_moons(600, 0.1, 4);
    Vector first;
    for (const int threads : {1, 2, 3}) {
        test::Trainer solver(data, RbfKernel{1});
        const Solution s = solver.solve({.C = 2}, {.starts = 2, .threads = threads});
        if (first.size() == 0) first = s.coefficients;
        EXPECT_EQ(first, s.coefficients) << threads;
    }
}

TEST(Exact, EveryMoveLowersTheObjectiveAndMoreStartsNeverHurt) {
    const Dataset data = test::noisy_moons(200, 0.15, 5);
    test::Trainer solver(data, RbfKernel{1});
    double lowest = HUGE_VAL;
    const Report once = solver
                            .solve({.C = 1}, {.search = SearchMode::full},
                                   [&](const Progress &progress) {
                                       if (progress.iteration > 0)
                                           lowest = std::min(lowest, progress.objective);
                                       return true;
                                   })
                            .report;
    EXPECT_NEAR(once.objective, lowest, 1e-9 * lowest);
    EXPECT_TRUE(once.one_opt);
    const Report often = solver.solve({.C = 1}, {.starts = 8}).report;
    EXPECT_LE(often.objective, once.objective + 1e-9);
}

TEST(Exact, StartsFromAlgorithmOneAndFromAGivenClassifier) {
    const Dataset data = test::noisy_moons(150, 0.1, 6);
    test::Trainer solver(data, RbfKernel{1});
    const Solution by_admm = solver.solve({.C = 1}, {.start = Start::admm});
    EXPECT_TRUE(by_admm.report.certificate.local_minimum);
    EXPECT_EQ(by_admm.report.starts, 1);
    const Model model = solver.model(by_admm, {.C = 1});
    const Vector h = decision_function(model, data.samples());
    const Solution again = solver.solve({.C = 1}, {}, {}, h);
    EXPECT_LE(again.report.objective, by_admm.report.objective + 1e-6);
    EXPECT_THROW((void)solver.solve({}, {}, {}, Vector(Vector::Zero(3))), InvalidInput);
}

/// How many positive samples are given up when the positive class weighs this much.
Index positives_given_up(const Dataset &data, double weight) {
    const Fit fit = train(data, RbfKernel{1}, {.C = 1, .class_weight = {1, weight}});
    EXPECT_TRUE(fit.report.certificate.local_minimum);
    const Vector h = decision_function(fit.model, data.samples());
    return ((data.signs().array() > 0) && (h.array() < 1 - 1e-6)).count();
}

TEST(Exact, WeightsAreRespected) {
    const Dataset data = test::noisy_moons(120, 0.2, 7);
    EXPECT_LT(positives_given_up(data, 50), positives_given_up(data, 1));
    EXPECT_LT(positives_given_up(data, 1), positives_given_up(data, 0.1));
}

TEST(Exact, StopsForTheObserverWithItsBest) {
    test::Trainer solver(test::noisy_moons(400, 0.2, 8), RbfKernel{1});
    int seen = 0;
    const Solution s = solver.solve({.C = 1}, {.starts = 1000}, [&](const Progress &progress) {
        seen = std::max(seen, progress.iteration);
        return seen < 5;
    });
    EXPECT_EQ(s.report.status, Status::interrupted);
    EXPECT_GT(s.report.support_vectors, 0);
    EXPECT_TRUE(s.report.certificate.local_minimum);
    EXPECT_FALSE(s.report.one_opt);
    const Solution late = solver.solve({.C = 1}, {.starts = 1000000, .time_limit = 0.2});
    EXPECT_EQ(late.report.status, Status::time_limit);
}

} // namespace
} // namespace hinge0
