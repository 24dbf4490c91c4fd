/// Cross-validation beside the same fits made one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "hinge0/rounds.hpp"
#include "hinge0/small_enough.hpp"
#include "hinge0/tune.hpp"
#include "hinge0/verify.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

TuneSettings small_grid(const Dataset &data, int folds = 3) {
    return {.grid = {.C = {0.5, 1, 2, 16}, .gamma = {0.25, 2}},
            .splits = stratified_splits(data.signs(), folds, 1, 3),
            .race = false};
}

Dataset chosen(const Dataset &data, const std::vector<Index> &rows) {
    std::vector<std::string> labels;
    labels.reserve(rows.size());
    for (const Index i : rows) labels.push_back(data.classes()[data.signs()(i) > 0 ? 1 : 0]);
    return {chosen_rows(data.samples(), rows), labels};
}

/// Every number of a cross-validation is that of a fit on the rows of its split alone.
void expect_same_as_one_by_one(const Dataset &data, const Recipe &recipe,
                               const TuneSettings &settings) {
    const CrossValidation tried = cross_validate(data, recipe, settings);
    for (const Cell &cell : tried.cells)
        for (std::size_t s = 0; s < settings.splits.size(); ++s) {
            Recipe one = recipe;
            one.objective.C = cell.C;
            if (!std::isnan(cell.gamma)) one.parameters.gamma = cell.gamma;
            const Fit fit = train(chosen(data, settings.splits[s].train), one);
            const Dataset test = chosen(data, settings.splits[s].test);
            const Vector h = decision_function(fit.model, test.samples());
            EXPECT_EQ(h, cell.decisions[s]) << "C " << cell.C << " gamma " << cell.gamma;
            EXPECT_EQ(cell.support_vectors[s], static_cast<double>(fit.report.support_vectors));
            EXPECT_EQ(cell.scores[s], score(settings.metric, test.signs(), h));
        }
}

TEST(CrossValidation, EqualsTheSameFitsMadeOneByOne) {
    const Dataset data = test::noisy_moons(90, 0.1, 1);
    expect_same_as_one_by_one(data, {}, small_grid(data));
    Recipe full;
    full.settings.search = SearchMode::full;
    TuneSettings settings = small_grid(data);
    settings.metric = Metric::auc;
    expect_same_as_one_by_one(data, full, settings);
    Recipe hinge;
    hinge.objective.loss = HingeLoss{};
    settings.metric = Metric::f1;
    expect_same_as_one_by_one(data, hinge, settings);
    Recipe weighted;
    weighted.objective.class_weight = {1.0, 3.0};
    expect_same_as_one_by_one(data, weighted, settings);
}

/// Probabilities of a cell are those of one sigmoid for all its splits.
TEST(CrossValidation, BrierScoresAreOfOneSigmoid) {
    const Dataset data = test::noisy_moons(90, 0.1, 1);
    TuneSettings settings = small_grid(data);
    settings.metric = Metric::brier;
    const CrossValidation tried = cross_validate(data, {}, settings);
    for (const Cell &cell : tried.cells) {
        Vector h(0), signs(0);
        double sum = 0, rows = 0;
        for (std::size_t s = 0; s < settings.splits.size(); ++s) {
            const Vector of_split = data.signs()(settings.splits[s].test);
            h.conservativeResize(h.size() + of_split.size());
            signs.conservativeResize(h.size());
            h.tail(of_split.size()) = cell.decisions[s];
            signs.tail(of_split.size()) = of_split;
            sum += cell.scores[s] * static_cast<double>(of_split.size());
            rows += static_cast<double>(of_split.size());
        }
        EXPECT_NEAR(sum / rows, score(Metric::brier, signs, h), 1e-12);
    }
}

TEST(CrossValidation, AKernelWithoutGammaIsTunedOverCAlone) {
    const Dataset data = test::noisy_moons(60, 0.1, 2);
    Recipe recipe;
    recipe.kernel = "linear";
    EXPECT_TRUE(default_grid(recipe, data.samples()).gamma.empty());
    TuneSettings settings = small_grid(data);
    settings.grid.gamma.clear();
    expect_same_as_one_by_one(data, recipe, settings);
}

TEST(DefaultGrid, GammaHasTheUnitsOfItsKernel) {
    const Dataset data = test::noisy_moons(60, 0.1, 2);
    const auto scaled_by = [&](double factor) {
        return data.with_samples(DenseRows(factor * std::get<DenseRows>(data.samples())));
    };
    for (const auto &[kernel, power, values] : {std::tuple("rbf", 2.0, 11U),
                                                {"laplacian", 1.0, 11U},
                                                {"exponential", 1.0, 9U},
                                                {"wendland", 1.0, 9U}}) {
        Recipe recipe;
        recipe.kernel = kernel;
        const Grid grid = default_grid(recipe, data.samples());
        const Grid far = default_grid(recipe, scaled_by(10.0).samples());
        ASSERT_EQ(grid.gamma.size(), values) << kernel;
        EXPECT_NEAR(grid.gamma.front() / far.gamma.front(), std::pow(10.0, power), 1e-9) << kernel;
        EXPECT_NEAR(grid.gamma[1] / grid.gamma[0], 2.0, 1e-12) << kernel;
    }
}

TEST(CrossValidation, APrecomputedKernelGivesTheSameScores) {
    const Dataset data = test::noisy_moons(60, 0.1, 3);
    TuneSettings settings = small_grid(data);
    settings.grid.gamma = {2};
    const CrossValidation direct = cross_validate(data, {}, settings);
    const auto &rows = std::get<DenseRows>(data.samples());
    Recipe recipe;
    recipe.kernel = "precomputed";
    settings.grid.gamma.clear();
    const CrossValidation given = cross_validate(
        data.with_samples(DenseRows(test::naive_gram(RbfKernel{2}, rows, rows))), recipe, settings);
    for (std::size_t k = 0; k < direct.cells.size(); ++k)
        EXPECT_EQ(direct.cells[k].scores, given.cells[k].scores);
}

TEST(CrossValidation, SameBitsForAnyNumberOfThreads) {
    const Dataset data = test::noisy_moons(150, 0.2, 4);
    TuneSettings settings{.grid = default_grid({}, data.samples()),
                          .splits = stratified_splits(data.signs(), 5, 2, 0)};
    settings.grid.C.resize(6);
    std::vector<CrossValidation> tried;
    for (const int threads : {1, 2, 3}) {
        Recipe recipe;
        recipe.settings.threads = threads;
        tried.push_back(cross_validate(data, recipe, settings));
    }
    std::size_t given_up = 0;
    for (std::size_t k = 0; k < tried[0].cells.size(); ++k)
        for (std::size_t s = 0; s < 10; ++s) {
            const double first = tried[0].cells[k].scores[s];
            given_up += std::isnan(first) ? 1 : 0;
            for (const CrossValidation &other : tried) {
                EXPECT_EQ(std::isnan(first), std::isnan(other.cells[k].scores[s]));
                if (!std::isnan(first)) {
                    EXPECT_EQ(first, other.cells[k].scores[s]);
                    EXPECT_EQ(tried[0].cells[k].decisions[s], other.cells[k].decisions[s]);
                }
            }
        }
    EXPECT_GT(given_up, 0U); // the race gave up some, and nobody the best
    for (const double score : tried[0].cells[ranking(tried[0], Rule::best)[0]].scores)
        EXPECT_FALSE(std::isnan(score));
}

TEST(CrossValidation, ACellWithoutAFitHasNoScoreAndAllWithoutOneIsAnError) {
    const Dataset data = test::noisy_moons(60, 0.0, 5);
    Recipe recipe;
    recipe.kernel = "poly";
    recipe.parameters.degree = 100;
    TuneSettings settings = small_grid(data);
    settings.grid = {.C = {1}, .gamma = {1, 1e9}}; // (1e9)^100 is no number
    const CrossValidation tried = cross_validate(data, recipe, settings);
    EXPECT_FALSE(std::isnan(tried.cells[0].scores[0]));
    EXPECT_TRUE(std::isnan(tried.cells[1].scores[0]));
    EXPECT_EQ(ranking(tried, Rule::smooth), std::vector<std::size_t>{0});
    settings.grid.gamma = {1e9};
    EXPECT_THROW((void)cross_validate(data, recipe, settings), Error);
}

/// A walk made on its own: the cross-validation of one split and gamma.
std::vector<Cell> made_elsewhere(const Dataset &data, const Recipe &recipe,
                                 const TuneSettings &settings, const Walk &walk) {
    TuneSettings one = settings;
    one.grid = {.C = walk.C, .gamma = {walk.gamma}};
    one.splits = {settings.splits[walk.split]};
    return cross_validate(data, recipe, one).cells;
}

TEST(Rounds, WalksMadeElsewhereInAnyOrderGiveTheSameTable) {
    const Dataset data = test::noisy_moons(200, 0.1, 5);
    TuneSettings settings{.grid = {.C = {0.01, 0.5, 8}, .gamma = {1e-4, 0.25, 2}},
                          .splits = stratified_splits(data.signs(), 4, 2, 3)};
    const CrossValidation expected = cross_validate(data, {}, settings);
    std::vector<std::int32_t> labels;
    for (const double sign : data.signs()) labels.push_back(sign > 0 ? 1 : 0);
    Rounds rounds(settings, labels, 2);
    std::vector<std::size_t> sizes;
    for (std::vector<Walk> walks = rounds.next(); !walks.empty(); walks = rounds.next()) {
        sizes.push_back(0);
        std::reverse(walks.begin(), walks.end());
        for (const Walk &walk : walks) {
            const std::vector<Cell> found = made_elsewhere(data, {}, settings, walk);
            sizes.back() += found.size();
            for (std::size_t k = 0; k < found.size(); ++k)
                rounds.take(walk, k,
                            {.decisions = found[k].decisions[0],
                             .support_vectors = found[k].support_vectors[0],
                             .is_raised = found[k].is_raised});
        }
    }
    EXPECT_EQ(sizes.size(), 3u); // of 2, 3 and 3 splits
    EXPECT_EQ(sizes[0], 18u);
    EXPECT_LT(sizes[1], 27u); // the race has begun
    const CrossValidation found = std::move(rounds).result(Status::converged, 0);
    for (std::size_t k = 0; k < expected.cells.size(); ++k) {
        EXPECT_EQ(found.cells[k].decisions, expected.cells[k].decisions);
        EXPECT_EQ(found.cells[k].is_raised, expected.cells[k].is_raised);
    }
    for (const Rule rule : {Rule::smooth, Rule::consensus, Rule::small, Rule::best, Rule::one_se})
        EXPECT_EQ(ranking(found, rule), ranking(expected, rule));
}

TEST(Rounds, RefusesAFitOfOtherRows) {
    const Dataset data = test::noisy_moons(60, 0.1, 5);
    std::vector<std::int32_t> labels;
    for (const double sign : data.signs()) labels.push_back(sign > 0 ? 1 : 0);
    Rounds rounds(small_grid(data), labels, 2);
    const std::vector<Walk> walks = rounds.next();
    EXPECT_THROW(rounds.take(walks[0], 0, {.decisions = Vector::Zero(3)}), InvalidInput);
    EXPECT_FALSE(rounds.any_score());
}

TEST(Tune, ChoosesFitsAndRemembersTheScaling) {
    const Dataset data = test::noisy_moons(120, 0.1, 6);
    Recipe recipe;
    recipe.standardize = true;
    const TuneSettings settings = small_grid(data, 5);
    const Tuned tuned = tune(data, recipe, settings);
    EXPECT_EQ(tuned.best, ranking(tuned.tried, Rule::smooth)[0]);
    EXPECT_EQ(tuned.fit.model.C, tuned.tried.cells[tuned.best].C);
    recipe.objective.C = tuned.fit.model.C;
    recipe.parameters.gamma = tuned.tried.cells[tuned.best].gamma;
    const Fit fit = train(data, recipe);
    EXPECT_EQ(decision_function(fit.model, data.samples()),
              decision_function(tuned.fit.model, data.samples()));
    EXPECT_TRUE(verify(tuned.fit.model, data).certificate.local_minimum);
}

TEST(Tune, HoldsTheNumberOfSupportVectors) {
    const Dataset data = test::noisy_moons(200, 0.15, 7);
    TuneSettings settings{.grid = default_grid({}, data.samples()),
                          .splits = stratified_splits(data.signs(), 5, 1, 0)};
    const Tuned any = tune(data, {}, settings);
    settings.max_support_vectors = 8;
    const Tuned few = tune(data, {}, settings);
    EXPECT_LE(few.fit.report.support_vectors, 8);
    EXPECT_GT(any.fit.report.support_vectors, 8);
    settings.max_support_vectors = 1;
    EXPECT_THROW((void)tune(data, {}, settings), InvalidInput);
}

/// A cell is thinned out before another one is taken, and no more than it must be.
TEST(Tune, ThinsOutForTheNumberOfSupportVectors) {
    const Dataset data = test::noisy_moons(300, 0.3, 3);
    TuneSettings settings{.grid = {.C = {16}, .gamma = {2}},
                          .splits = stratified_splits(data.signs(), 5, 1, 0)};
    const Tuned any = tune(data, {}, settings);
    EXPECT_EQ(any.thin, automatic_thin);
    const auto count_at = [&](double thin) {
        const Settings thinned{.thin = thin};
        return train(data, RbfKernel{2}, {.C = 16}, thinned).report.support_vectors;
    };
    settings.max_support_vectors = count_at(0.5);
    ASSERT_LT(settings.max_support_vectors, any.fit.report.support_vectors);
    const Tuned few = tune(data, {}, settings);
    EXPECT_LE(few.fit.report.support_vectors, settings.max_support_vectors);
    EXPECT_TRUE(verify(few.fit.model, data).certificate.local_minimum);
    for (const double thin : further_thinnings({}, {}))
        if (thin < few.thin) {
            EXPECT_GT(count_at(thin), settings.max_support_vectors) << thin;
        }
    EXPECT_EQ(few.fit.report.support_vectors, count_at(few.thin));
    Recipe as_it_is;
    as_it_is.settings.thin = 0;
    EXPECT_THROW((void)tune(data, as_it_is, settings), InvalidInput);
    EXPECT_TRUE(further_thinnings({.loss = HingeLoss{}}, {}).empty());
    EXPECT_TRUE(further_thinnings({}, {.search = SearchMode::full}).empty());
}

/// Fits of a cell that was too large went on with other cells, each of which was stopped at once.
TEST(Tune, StoppedBeforeAModelIsSmallEnoughItSaysSo) {
    const Dataset data = test::noisy_moons(300, 0.3, 3);
    TuneSettings settings{.grid = {.C = {16}, .gamma = {2}},
                          .splits = stratified_splits(data.signs(), 5, 1, 0)};
    settings.max_support_vectors = tune(data, {}, settings).fit.report.support_vectors / 3;
    const auto stop = [](const Progress &progress) { // at the first minimum of the first fit
        return progress.stage == Progress::Stage::tune || progress.iteration == 0;
    };
    EXPECT_THROW((void)tune(data, {}, settings, stop), Interrupted);
}

/// Each kernel's cells are those of a tuning of its own; one that is not clearly better is not
/// taken.
TEST(Tune, ChoosesAmongKernels) {
    const Dataset data = test::noisy_moons(200, 0.1, 7);
    const Recipe linear{.kernel = "linear"}, rbf{.kernel = "rbf"};
    TuneSettings settings{.grid = {.C = {1, 4}, .gamma = {}},
                          .splits = stratified_splits(data.signs(), 4, 1, 2)};
    settings.others = {{"rbf", {.C = {1, 4}, .gamma = {0.5, 2}}}};
    const Tuned tuned = tune(data, linear, settings);
    TuneSettings alone = settings;
    alone.grid = settings.others[0].grid;
    alone.others.clear();
    const Tuned other = tune(data, rbf, alone);
    ASSERT_EQ(tuned.kernels.size(), 2);
    EXPECT_EQ(tuned.kernel, "rbf");
    EXPECT_EQ(tuned.best, other.best);
    EXPECT_EQ(tuned.fit.model.coefficients, other.fit.model.coefficients);
    EXPECT_EQ(tuned.kernels[1].score, other.kernels[0].score);
    EXPECT_GT(tuned.kernels[1].score, tuned.kernels[0].score);
    settings.grid = settings.others[0].grid;
    settings.others = {{"rbf", settings.grid}}; // no better than itself
    EXPECT_EQ(tune(data, rbf, settings).kernels.size(), 2);
}

TEST(Tune, StoppedOnTheWayItDoesNotTryOtherKernels) {
    const Dataset data = test::noisy_moons(400, 0.1, 8);
    const Grid grid = default_grid({}, data.samples());
    const TuneSettings settings{.grid = grid,
                                .others = {{"exponential", grid}},
                                .splits = stratified_splits(data.signs(), 5, 4, 0)};
    const auto stop = [](const Progress &progress) {
        return progress.stage != Progress::Stage::tune || progress.iteration < 30;
    };
    const Tuned tuned = tune(data, {}, settings, stop);
    ASSERT_EQ(tuned.kernels.size(), 2);
    EXPECT_FALSE(std::isnan(tuned.kernels[0].score));
    EXPECT_TRUE(std::isnan(tuned.kernels[1].score));
    EXPECT_EQ(tuned.kernel, "rbf");
    EXPECT_EQ(tuned.fit.report.status, Status::interrupted);
}

TEST(Tune, StoppedOnTheWayItChoosesFromWhatWasTried) {
    const Dataset data = test::noisy_moons(400, 0.1, 8);
    const TuneSettings settings{.grid = default_grid({}, data.samples()),
                                .splits = stratified_splits(data.signs(), 5, 4, 0)};
    const auto stop = [](const Progress &progress) {
        return progress.stage != Progress::Stage::tune || progress.iteration < 30;
    };
    const Tuned tuned = tune(data, {}, settings, stop);
    EXPECT_EQ(tuned.fit.report.status, Status::interrupted);
    EXPECT_GT(tuned.fit.report.support_vectors, 0);
    EXPECT_TRUE(verify(tuned.fit.model, data).certificate.local_minimum);
    const auto never = [](const Progress &) { return false; };
    EXPECT_THROW((void)tune(data, {}, settings, never), Interrupted);
    const auto broken = [](const Progress &) -> bool { throw std::runtime_error("observer"); };
    EXPECT_THROW((void)tune(data, {}, settings, broken), std::runtime_error);
}

TEST(Tune, RefusesGridsAndSplitsThatMakeNoSense) {
    const Dataset data = test::noisy_moons(40, 0.1, 9);
    const auto refuses = [&](const std::function<void(TuneSettings &)> &spoil) {
        TuneSettings settings = small_grid(data);
        spoil(settings);
        EXPECT_THROW((void)tune(data, {}, settings), InvalidInput);
    };
    refuses([](TuneSettings &s) { s.grid.C.clear(); });
    refuses([](TuneSettings &s) { s.grid.C = {2, 1}; });
    refuses([](TuneSettings &s) { s.grid.gamma = {NAN}; });
    refuses([](TuneSettings &s) { s.splits.clear(); });
    refuses([](TuneSettings &s) { s.splits[0].test.clear(); });
    refuses([](TuneSettings &s) { s.splits[1].test.push_back(40); });
    refuses([](TuneSettings &s) { s.splits[0].train.push_back(s.splits[0].train[0]); });
    refuses([&](TuneSettings &s) {
        std::erase_if(s.splits[0].train, [&](Index i) { return data.signs()(i) > 0; });
    });
}

} // namespace
} // namespace hinge0
