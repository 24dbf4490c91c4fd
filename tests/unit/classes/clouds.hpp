#pragma once
/// Rows of several classes for the tests of their pairs.
#include <random>
#include <string>

#include "support/problems.hpp"

namespace hinge0::test {

/// Overlapping clouds, one for each class, in a shuffled order.
inline Table clouds(int classes, Index rows, unsigned seed) {
    DenseRows samples = random_rows(rows, 3, seed);
    Table table;
    std::mt19937 generator(seed + 1);
    for (int c = 0; c < classes; ++c) table.label_names.push_back(std::to_string(10 - c));
    for (Index i = 0; i < rows; ++i) {
        const int label = static_cast<int>(generator() % static_cast<unsigned>(classes));
        samples(i, label % 3) += 3.0 * (1 + label / 3);
        table.labels.push_back(label);
    }
    table.samples = samples;
    return table;
}

} // namespace hinge0::test
