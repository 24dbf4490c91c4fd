#pragma once
/// The 19 rows of the paper's Tables 1-3: what was published, and the data and settings that its
/// authors' code really used (docs/reproduction.md).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hinge0/dataset.hpp"

namespace hinge0::paper {

/// One line of a published table.
struct Published {
    double train, test; ///< accuracy, per cent
    Index support_vectors;
    double seconds;
    int iterations;
};

enum class Source { circles, moons, file };

struct Row {
    std::string id;    ///< for file names and programs: "circles-r5", "heart"
    std::string title; ///< for people
    int table = 1;
    Source source = Source::file; ///< file: the data set is found by `id`
    Synthetic synthetic{};
    std::size_t flips = 0;   ///< labels flipped, training and test part together
    bool standardise = true; ///< over all rows, before the split
    double rho = 0;          ///< of the Gaussian kernel; 0: 1 / d
    double C = 1, sigma = 1; ///< as the paper has them
    double hinge_C = 1, svc_C = 1;
    std::array<Published, 3> published{}; ///< l0-KSVM, l1-KSVM, l2-KSVM

    /// The C at which Algorithm 1 as printed does what the authors' code did: its prox threshold
    /// was 2C/sigma in place of sqrt(2C/sigma).
    [[nodiscard]] double authors_C() const { return 2 * C * C / sigma; }
    /// Noise-free synthetic rows have one outcome; the others depend on start and split.
    [[nodiscard]] bool deterministic() const { return table < 3 && flips == 0; }
    [[nodiscard]] std::uint32_t split_seed() const { return table < 3 ? 33 : 5; }
};

[[nodiscard]] const std::vector<Row> &rows();

/// All samples of a row, before they are split.
struct Data {
    DenseRows samples;
    Vector signs;               ///< -1 and +1, after the flips
    std::vector<Index> flipped; ///< rows whose label was flipped, in the order drawn
};
/// Generates the set, or reads it from the folders of $HINGE0_DATA; none if it is not there.
[[nodiscard]] std::optional<Data> load(const Row &row);
/// Where a real set is published, and how to place it: one line.
[[nodiscard]] std::string where_to_get(const Row &row);

/// Row numbers, from 0, as scikit-learn's train_test_split(test_size=0.4, random_state=seed).
struct Split {
    std::vector<Index> train, test;
};
[[nodiscard]] Split split(Index rows, std::uint32_t seed);
[[nodiscard]] Dataset subset(const Data &data, const std::vector<Index> &rows);
/// The Gaussian kernel's parameter for data of so many features.
[[nodiscard]] double rho(const Row &row, Index features);

} // namespace hinge0::paper
