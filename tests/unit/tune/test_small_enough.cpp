/// The first cell whose model is small enough: which fits are made for it, and when none is left.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "hinge0/error.hpp"
#include "hinge0/small_enough.hpp"
#include "hinge0/tune.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

/// Cells with 100, 90 and 10 support vectors, of which thinning takes such a share; a log of fits.
struct Cells {
    std::vector<std::string> made{};
    std::size_t most_fits = 100; ///< more are not brought to their end

    std::optional<Attempt> choose(Index most, const std::vector<double> &thinner) {
        return first_small_enough(
            {2, 0, 1}, Vector{{90, 10, 100}}, most, thinner, [&](const Attempt &one) {
                made.push_back(std::to_string(one.cell) + (one.thin ? " thin" : ""));
                const double as_it_is = std::array{90.0, 10.0, 100.0}[one.cell];
                const auto count = static_cast<Index>(as_it_is * (1 - one.thin.value_or(0)));
                return made.size() > most_fits ? std::nullopt : std::optional(count);
            });
    }
};

void expect(const std::optional<Attempt> &found, std::size_t cell, std::optional<double> thin) {
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->cell, cell);
    EXPECT_EQ(found->thin, thin);
}

using Log = std::vector<std::string>;

TEST(SmallEnough, AnySizeIsTheFirstCell) {
    Cells cells;
    expect(cells.choose(0, {0.25, 0.5}), 2, {});
    EXPECT_EQ(cells.made, Log{"2"});
}

TEST(SmallEnough, NoThinnerThanItMustBe) {
    Cells cells;
    expect(cells.choose(75, {0.125, 0.25, 0.5}), 2, 0.25);
    EXPECT_EQ(cells.made, (Log{"2", "2 thin", "2 thin", "2 thin"}));
    cells = {};
    expect(cells.choose(50, {0.25, 0.5}), 2, 0.5);
    EXPECT_EQ(cells.made.size(), 3); // the thinnest is not made twice
    cells = {};
    expect(cells.choose(45, {0.25, 0.5}), 0, 0.5);
}

TEST(SmallEnough, CellsThatAreTooLargeInTheFoldsAreNotFitted) {
    Cells cells;
    expect(cells.choose(90, {}), 0, {}); // cell 2 has 100 in the folds
    EXPECT_EQ(cells.made, Log{"0"});
    cells = {};
    expect(cells.choose(20, {0.5}), 1, {}); // others have more than four times as many
    EXPECT_EQ(cells.made, Log{"1"});
    EXPECT_THROW((void)cells.choose(1, {0.5}), InvalidInput);
}

/// What is known by then, if it is small enough.
TEST(SmallEnough, AfterAFitWithoutEndNoMoreAreMade) {
    for (std::size_t fits = 0; fits < 2; ++fits) {
        Cells cells{.most_fits = fits};
        EXPECT_FALSE(cells.choose(75, {0.125, 0.25, 0.5}).has_value());
        EXPECT_EQ(cells.made.size(), fits + 1);
    }
    Cells cells{.most_fits = 3};
    expect(cells.choose(75, {0.125, 0.25, 0.5}), 2, 0.5);
}

/// A fit that ran out of time had few support vectors because it was not done, and was taken for
/// small enough: a model that was wrong on four rows of ten.
TEST(SmallEnough, AFitOutOfTimeIsNot) {
    const Dataset data = test::noisy_moons(300, 0.3, 3);
    TuneSettings settings{.grid = {.C = {16}, .gamma = {2}},
                          .splits = stratified_splits(data.signs(), 5, 1, 0)};
    settings.max_support_vectors = tune(data, {}, settings).fit.report.support_vectors / 2;
    Recipe recipe;
    recipe.settings.time_limit = 2;
    const auto slow = [](const Progress &progress) { // its last fits have no time
        if (progress.stage != Progress::Stage::tune)
            std::this_thread::sleep_for(std::chrono::milliseconds(2100));
        return true;
    };
    try {
        (void)tune(data, recipe, settings, slow);
        FAIL() << "nothing was thrown";
    } catch (const InvalidInput &error) {
        FAIL() << error.what();
    } catch (const Error &error) {
        EXPECT_STREQ(error.what(), "the time limit of 2 s is over before a model was small enough: "
                                   "allow more time, or more support vectors");
    }
}

} // namespace
} // namespace hinge0
