#pragma once
/// Rows whose labels are probably wrong.
#include <cstdint>
#include <limits>
#include <vector>

#include "hinge0/dataset.hpp"
#include "hinge0/solver.hpp"

namespace hinge0 {

struct SuspectSettings {
    bool standardize = true; ///< features to mean 0 and deviation 1
    Vector sample_weight{};  ///< how often each row counts; empty: once
    std::uint64_t seed = 0;  ///< of the parts that many rows are dealt out to
    int threads = 0;         ///< 0: all cores; the result does not depend on it
    double time_limit = std::numeric_limits<double>::infinity(); ///< seconds
    double memory_limit = 0; ///< bytes; 0: what the machine has available
};

/// A kernel ridge regression that takes part: gamma of the rbf kernel, and the price of |f|^2.
struct SuspectMember {
    double gamma = 0, ridge = 0;
    double error = 0; ///< mean squared error on rows that were left out
};

/// What is known of the labels (docs/suspects.md).
struct Suspects {
    std::vector<Index> predicted; ///< of each row, a class, by fits that have not seen the row
    Vector quality;               ///< of each row in [0, 1]: low where the label is probably wrong
    std::vector<char> is_issue;   ///< of each row: 1 if it should be looked at
    std::vector<SuspectMember> members; ///< chosen by leave-one-out error, best first
    double seconds = 0;
    int threads = 1;

    /// Rows from the lowest quality to the highest; of equal ones the first.
    [[nodiscard]] std::vector<Index> ranking() const;
    [[nodiscard]] Index issues() const;
};

/// Judges every label by what fits without its row say of the row. Time and memory grow with the
/// number of rows. Throws InvalidInput if a class has a single row, OutOfMemory, Interrupted, and
/// Error if the time is over.
[[nodiscard]] Suspects find_suspects(const LabelledData &data, const SuspectSettings &settings = {},
                                     const Observer &observer = {});

} // namespace hinge0
