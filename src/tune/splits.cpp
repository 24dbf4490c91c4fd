/// Folds with the classes' shares of all rows.
#include <fmt/format.h>

#include <algorithm>

#include "data/random_state.hpp"
#include "hinge0/error.hpp"
#include "hinge0/tune.hpp"

namespace hinge0 {
namespace {

void check_class_sizes(const Vector &signs, int folds) {
    for (const double sign : {-1.0, 1.0})
        if (const Index rows = (signs.array() == sign).count(); rows < folds)
            throw InvalidInput(fmt::format("the {} class has {} rows, too few for {} folds",
                                           sign < 0 ? "first" : "second", rows, folds),
                               rows < 2 ? "every class needs 2 rows at least"
                                        : fmt::format("use at most {} folds", rows));
}

/// Which fold tests each row: the rows of each class in random order, dealt out in turn.
std::vector<int> dealt_out(const Vector &signs, int folds, RandomState &random) {
    std::vector<int> fold(static_cast<std::size_t>(signs.size()));
    int next = 0;
    const std::vector<Index> order = random.permutation(signs.size());
    for (const double sign : {-1.0, 1.0})
        for (const Index i : order)
            if (signs(i) == sign) fold[static_cast<std::size_t>(i)] = next++ % folds;
    return fold;
}

/// Tests of a row by which the scores of the cells are compared: with fewer the noise decides.
constexpr Index enough_tests = 2000;
constexpr Index most_repeats = 10;

int usual_repeats(Index rows) {
    const Index repeats = (enough_tests + rows - 1) / std::max<Index>(1, rows);
    return static_cast<int>(std::clamp<Index>(repeats, 1, most_repeats));
}

} // namespace

std::vector<Split> stratified_splits(const Vector &signs, int folds, int repeats,
                                     std::uint64_t seed) {
    if (folds < 2) throw InvalidInput(fmt::format("there must be 2 folds at least, got {}", folds));
    if (repeats < 0) throw InvalidInput(fmt::format("repeats must not be negative: {}", repeats));
    if (repeats == 0) repeats = usual_repeats(signs.size());
    check_class_sizes(signs, folds);
    RandomState random(static_cast<std::uint32_t>(seed ^ (seed >> 32)));
    std::vector<Split> splits;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const std::vector<int> fold = dealt_out(signs, folds, random);
        for (int k = 0; k < folds; ++k) {
            Split &split = splits.emplace_back();
            for (std::size_t i = 0; i < fold.size(); ++i)
                (fold[i] == k ? split.test : split.train).push_back(static_cast<Index>(i));
        }
    }
    return splits;
}

} // namespace hinge0
