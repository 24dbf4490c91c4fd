/// The hinge start of many rows, on moons whose true labels are known.
#include "solver/grown_hinge.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "hinge0/dataset.hpp"
#include "solver/rows_in_memory.hpp"

namespace hinge0 {
namespace {

constexpr Index rows = 16500;
constexpr double keep_margin = 0.4;

struct Moons {
    MemoryBudget memory;
    Dataset clean, flipped;
    std::unique_ptr<Gram> gram;
    ColumnCache columns;

    Moons()
        : clean(make_moons({.samples = rows, .noise = 0.15, .seed = 3})),
          flipped(make_moons({.samples = rows, .noise = 0.15, .flip = 0.1, .seed = 3})),
          gram(make_gram(clean.samples(), RbfKernel{2.0}, memory)), columns(*gram, memory) {}

    Vector margins(Watch &watch, std::uint64_t seed = 0, int threads = 2) {
        return margins(flipped.signs(), 4096, watch, seed, threads);
    }
    Vector margins(const Vector &y, Index first, Watch &watch, std::uint64_t seed, int threads) {
        const Vector prices = Vector::Ones(rows);
        const RowsInMemory all(columns, y, prices, seed, threads);
        const Expansion h = grown_hinge(all,
                                        {.first_sample = first,
                                         .most_rows = rows,
                                         .share = 1.4,
                                         .eps = 0.02,
                                         .keep_margin = keep_margin,
                                         .threads = threads},
                                        watch);
        std::vector<Index> every(static_cast<std::size_t>(rows));
        std::iota(every.begin(), every.end(), Index{0});
        return y.cwiseProduct(all.decisions(h, every));
    }
    /// Of the rows, those that are on the side of their true label.
    [[nodiscard]] double right_share(const Vector &margins) const {
        const auto h = flipped.signs().array() * margins.array();
        return static_cast<double>((h * clean.signs().array() > 0).count()) / rows;
    }
};

TEST(GrownHinge, ASampleOutvotesWrongLabels) {
    Moons moons;
    Watch watch;
    const Vector found = moons.margins(watch);
    EXPECT_GT(moons.right_share(found), 0.985);
    EXPECT_GT(moons.columns.made(), 100);
    EXPECT_LT(moons.columns.made(), rows / 2);
}

TEST(GrownHinge, DependsOnTheSeedALittleAndNotOnTheThreads) {
    Moons moons;
    Watch watch;
    const Vector found = moons.margins(watch), other = moons.margins(watch, 1);
    EXPECT_EQ(found, moons.margins(watch, 0, 3));
    EXPECT_NE(found, other);
    const auto differ = (found.array() >= keep_margin) != (other.array() >= keep_margin);
    EXPECT_LT(static_cast<double>(differ.count()) / rows, 0.02);
}

TEST(GrownHinge, EverySampleHasBothClasses) {
    Moons moons;
    Watch watch;
    Vector y = moons.clean.signs(); // but for two rows all of the first class
    for (Index i = 0, kept = 0; i < rows; ++i)
        if (y(i) > 0 && kept++ >= 2) y(i) = -1;
    const Vector found = moons.margins(y, 2, watch, 0, 1);
    EXPECT_TRUE(found.allFinite());
}

TEST(GrownHinge, StopsWhenAsked) {
    Moons moons;
    Watch watch;
    watch.stop();
    EXPECT_EQ(moons.margins(watch).size(), rows);
}

} // namespace
} // namespace hinge0
