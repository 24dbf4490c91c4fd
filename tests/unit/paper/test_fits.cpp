/// The fits behind the tables, cross-validation, medians, and the contours of the figures.
#include <gtest/gtest.h>

#include <numbers>

#include "contour.hpp"
#include "other_losses.hpp"
#include "study.hpp"

namespace hinge0::paper {
namespace {

const Row &row_named(const std::string &id) { return *std::ranges::find(rows(), id, &Row::id); }

Problem problem_of(const std::string &id) {
    const Row &row = row_named(id);
    const Data data = load(row).value();
    return problem(row, data, split(data.signs.size(), row.split_seed()));
}

TEST(Fits, AlgorithmOneStoppedAsPublishedIsItsLastIterate) {
    const Row &row = row_named("circles-500");
    const Problem p = problem_of("circles-500");
    const Outcome stopped = fit_l0_stopped(p, row.authors_C(), row.sigma, 300, 0, 1).outcome;
    EXPECT_EQ(stopped.iterations, 300);
    EXPECT_EQ(stopped.support_vectors, 11);
    EXPECT_EQ(stopped.status, "stopped");
    const Outcome early = fit_l0_stopped(p, row.authors_C(), row.sigma, 20, 0, 1).outcome;
    EXPECT_GT(*early.worst_beta, 10 * *stopped.worst_beta);
}

TEST(Fits, ExactSupportVectorsLieOnTheCanonicalHyperplanes) {
    const Problem p = problem_of("circles-r5");
    const Outcome o = fit_exact(p, method::exact, 0.5, p.rho, 1).outcome;
    EXPECT_TRUE(o.certificate->local_minimum);
    EXPECT_EQ(o.on_margin->counted, o.support_vectors);
    EXPECT_LT(o.on_margin->farthest, 1e-8); // Remark 4.1
}

TEST(Fits, StartsDoNotDependOnTheNumberOfWorkers) {
    const Row &row = row_named("moons-r5");
    const Problem p = problem_of("moons-r5");
    const auto one = fit_l0_starts(p, method::as_run, row.authors_C(), row.sigma, 5, 1);
    const auto three = fit_l0_starts(p, method::as_run, row.authors_C(), row.sigma, 5, 3);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(one[k].test, three[k].test);
        EXPECT_EQ(one[k].objective, three[k].objective);
    }
    EXPECT_EQ(one[2].objective,
              fit_l0_admm(p, method::as_run, row.authors_C(), row.sigma, 2, 1).outcome.objective);
}

TEST(Fits, LibsvmAgreesWithOurHinge) {
    const Problem p = problem_of("circles-r10");
    const Outcome ours = fit_convex(p, method::hinge, HingeLoss{}, 8, 1).outcome;
    const Outcome theirs = fit_libsvm(p, method::hinge_libsvm, 8);
    EXPECT_EQ(ours.test, theirs.test);
    EXPECT_NEAR(static_cast<double>(ours.support_vectors),
                static_cast<double>(theirs.support_vectors), 2);
}

TEST(OtherLosses, AllFitCirclesWithAFewWrongLabels) {
    const Problem p = problem_of("circles-r1");
    for (const OtherLoss &loss : other_losses()) {
        const Outcome o = fit_other(p, loss, 1);
        EXPECT_GT(o.test, 95) << o.method;
        EXPECT_GT(o.support_vectors, 0) << o.method;
        EXPECT_TRUE(o.status == "converged" || !is_convex(loss)) << o.method;
    }
}

TEST(OtherLosses, LinearKernelCannotSeparateCircles) {
    const Outcome o = fit_linear(problem_of("circles-500"), 8, 1);
    EXPECT_LT(o.test, 90);
    EXPECT_TRUE(o.certificate->local_minimum);
}

TEST(Tuning, FoldsAreStratified) {
    Vector signs(20);
    for (Index i = 0; i < 20; ++i) signs(i) = i < 5 ? 1 : -1;
    const std::vector<int> fold = stratified_folds(signs, 5, 0);
    for (int f = 0; f < 5; ++f) {
        int positive = 0, all = 0;
        for (std::size_t i = 0; i < fold.size(); ++i)
            if (fold[i] == f) {
                ++all;
                positive += signs(static_cast<Index>(i)) > 0 ? 1 : 0;
            }
        EXPECT_EQ(all, 4);
        EXPECT_EQ(positive, 1);
    }
}

TEST(Tuning, ChoosesTheSparsestWithinOneStandardError) {
    const std::vector<Candidate> candidates{
        {.C = 1, .rho = 1, .accuracy = 88.9, .standard_error = 1, .support_vectors = 2},
        {.C = 2, .rho = 1, .accuracy = 89.5, .standard_error = 1, .support_vectors = 10},
        {.C = 4, .rho = 1, .accuracy = 90.0, .standard_error = 1, .support_vectors = 30},
        {.C = 8, .rho = 1, .accuracy = 89.9, .standard_error = 1, .support_vectors = 10}};
    EXPECT_EQ(choose(candidates).C, 8); // as sparse as C = 2, more accurate; C = 1 is too far off
}

TEST(Tuning, DoesNotDependOnTheNumberOfThreads) {
    const Problem p = problem_of("moons-r1");
    const auto one = cross_validate(p, 1), two = cross_validate(p, 2);
    ASSERT_EQ(one.size(), 24U);
    for (std::size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(one[k].accuracy, two[k].accuracy);
        EXPECT_EQ(one[k].support_vectors, two[k].support_vectors);
    }
}

TEST(Spread, MedianAndRange) {
    const Range odd = range_of({3, 1, 2}), even = range_of({4, 1, 3, 2});
    EXPECT_EQ(odd.median, 2);
    EXPECT_EQ(even.median, 2.5);
    EXPECT_EQ(even.low, 1);
    EXPECT_EQ(even.high, 4);
}

Field round_hill() {
    Field field{.x0 = -2, .y0 = -2, .dx = 0.05, .dy = 0.05, .values = DenseRows(81, 81)};
    for (Index j = 0; j < 81; ++j)
        for (Index i = 0; i < 81; ++i) {
            const Point p = field.at(i, j);
            field.values(j, i) = 1 - p.x * p.x - p.y * p.y;
        }
    return field;
}

TEST(Contour, ACircleIsOneClosedLine) {
    const std::vector<Polyline> lines = level_lines(round_hill(), 0);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].front().x, lines[0].back().x);
    EXPECT_EQ(lines[0].front().y, lines[0].back().y);
    for (const Point &p : lines[0]) EXPECT_NEAR(std::hypot(p.x, p.y), 1, 1e-3);
}

TEST(Contour, LinesThatLeaveTheGridStayOpen) {
    const std::vector<Polyline> lines = level_lines(round_hill(), -5); // a corner in each corner
    EXPECT_EQ(lines.size(), 4U);
}

TEST(Contour, TheRegionHasTheAreaOfTheDisc) {
    double area = 0;
    for (const Polyline &polygon : region_above(round_hill(), 0))
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Point &a = polygon[k], &z = polygon[(k + 1) % polygon.size()];
            area += 0.5 * (a.x * z.y - z.x * a.y);
        }
    EXPECT_NEAR(area, std::numbers::pi, 0.01);
}

TEST(Contour, ASaddleGivesTwoLinesThatDoNotCross) {
    Field field{.values = DenseRows(2, 2)};
    field.values << 1, -1, -1, 1.5;
    EXPECT_EQ(level_lines(field, 0).size(), 2U);
}

} // namespace
} // namespace hinge0::paper
