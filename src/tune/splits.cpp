/// Folds with the classes' shares of all rows.
#include <fmt/format.h>

#include <algorithm>

#include "data/random_state.hpp"
#include "hinge0/error.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {
namespace {

void check_class_sizes(const std::vector<std::int32_t> &labels,
                       const std::vector<std::string> &classes, int folds) {
    std::vector<Index> rows(classes.size(), 0);
    for (const std::int32_t label : labels) ++rows[static_cast<std::size_t>(label)];
    const auto fewest = std::ranges::min_element(rows); // what is advised must do for all
    if (fewest == rows.end() || *fewest >= folds) return;
    throw InvalidInput(fmt::format("{} has {} row{}, too few for {} folds",
                                   classes[static_cast<std::size_t>(fewest - rows.begin())],
                                   *fewest, *fewest == 1 ? "" : "s", folds),
                       *fewest < 2 ? "every class needs 2 rows at least"
                                   : fmt::format("use at most {} folds", *fewest));
}

/// All bits of a seed have a say.
std::uint32_t folded(std::uint64_t seed) { return static_cast<std::uint32_t>(seed ^ (seed >> 32)); }

/// Which fold tests each row: the rows of each class in random order, dealt out in turn.
std::vector<int> dealt_out(const std::vector<std::int32_t> &labels, std::size_t classes, int folds,
                           RandomState &random) {
    std::vector<int> fold(labels.size());
    std::vector<std::vector<Index>> rows(classes);
    for (const Index i : random.permutation(static_cast<Index>(labels.size())))
        rows[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])].push_back(i);
    int next = 0;
    for (const std::vector<Index> &of_class : rows)
        for (const Index i : of_class) fold[static_cast<std::size_t>(i)] = next++ % folds;
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

std::vector<Split> stratified_splits(const std::vector<std::int32_t> &labels,
                                     const std::vector<std::string> &classes, int folds,
                                     int repeats, std::uint64_t seed) {
    if (folds < 2) throw InvalidInput(fmt::format("there must be 2 folds at least, got {}", folds));
    if (repeats < 0) throw InvalidInput(fmt::format("repeats must not be negative: {}", repeats));
    if (repeats == 0) repeats = usual_repeats(static_cast<Index>(labels.size()));
    check_class_sizes(labels, classes, folds);
    RandomState random(folded(seed));
    std::vector<Split> splits;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const std::vector<int> fold = dealt_out(labels, classes.size(), folds, random);
        for (int k = 0; k < folds; ++k) {
            Split &split = splits.emplace_back();
            for (std::size_t i = 0; i < fold.size(); ++i)
                (fold[i] == k ? split.test : split.train).push_back(static_cast<Index>(i));
        }
    }
    return splits;
}

std::vector<std::vector<Index>> stratified_parts(const std::vector<std::int32_t> &labels,
                                                 std::size_t classes, int parts,
                                                 std::uint64_t seed) {
    RandomState random(folded(seed));
    const std::vector<int> part = dealt_out(labels, classes, parts, random);
    std::vector<std::vector<Index>> rows(static_cast<std::size_t>(parts));
    for (std::size_t i = 0; i < part.size(); ++i)
        rows[static_cast<std::size_t>(part[i])].push_back(static_cast<Index>(i));
    return rows;
}

std::vector<Split> stratified_splits(const Vector &signs, int folds, int repeats,
                                     std::uint64_t seed) {
    std::vector<std::int32_t> labels;
    for (const double sign : signs) labels.push_back(sign > 0 ? 1 : 0);
    return stratified_splits(labels, {"the first class", "the second class"}, folds, repeats, seed);
}

} // namespace hinge0
