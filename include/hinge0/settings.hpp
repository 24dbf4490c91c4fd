#pragma once
/// What is minimised (Objective) and how (Settings). Aggregates: use designated initialisers, e.g.
/// Settings{.tolerance = 1e-6}.
#include <array>
#include <cstdint>
#include <limits>

#include "hinge0/loss.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

///   minimise over c, b   c'Kc / 2  +  sum_i C_i loss(1 - y_i ((Kc)_i + b))       (paper, eq. 2.3)
/// with C_i = C * class_weight[class of i] * sample_weight[i].
struct Objective {
    Loss loss = L0Loss{};
    double C = 4.0;                               ///< price of one unit of loss; > 0
    std::array<double, 2> class_weight{1.0, 1.0}; ///< of classes -1 and +1; > 0
    /// One per row, from 0; empty: all 1. A weight of 2 is the row twice, 0 is no row.
    Vector sample_weight{};
};

/// How the problem is solved. Of a convex loss either finds the minimum.
enum class Method {
    exact, ///< start, exact hard-margin solution of the kept set, search: a certified local
           ///< minimum. A convex loss: SMO, to the tolerance
    admm,  ///< Algorithm 1 as the paper writes it
};
/// Where the exact solver starts: what these classifiers get right is kept at first.
enum class Start { hinge, admm };

/// How far the exact solver goes on from the minimum that its start leads to.
enum class SearchMode {
    none, ///< not at all: that one predicts best (docs/choosing.md)
    full, ///< to lower minima, until no move of a single sample lowers the objective
};

/// 4,096 rows where there are four times as many, otherwise all.
inline constexpr Index automatic_working_set = -1;

/// 0.4; for pairs of several classes, which look at each other (docs/classes.md), 0.
inline constexpr double automatic_keep_margin = -1;
/// 0; for pairs of several classes, which thin out together, 0.3.
inline constexpr double automatic_thin = -1;

struct Settings {
    Method method = Method::exact;
    Start start = Start::hinge;           ///< of the exact solver
    SearchMode search = SearchMode::none; ///< of the exact solver
    /// Exact without search: the hinge start is solved at this share of C; > 0
    double hinge_share = 0.35;
    /// Exact without search: samples that the start classifies with y h >= this are kept; in [0, 1)
    double keep_margin = automatic_keep_margin;
    /// Exact without search: a support vector whose margin without it would be at least 1 - thin is
    /// given up, for a smaller model; in [0, 1)
    double thin = automatic_thin;
    /// Exact without search: so many rows to begin with, more as they are needed; 0: all of them
    Index working_set = automatic_working_set;
    int starts = 1;            ///< exact: more look longer for a lower minimum, and search; >= 1
    double sigma = 1.0;        ///< ADMM penalty; > 0
    double iota = 1.0;         ///< ADMM dual step; in (0, 1.618)
    double tolerance = 1e-3;   ///< admm: on the worst residual; SMO: on the worst pair; > 0
    int max_iterations = 2000; ///< >= 1
    double time_limit = std::numeric_limits<double>::infinity(); ///< seconds; > 0
    std::uint64_t seed = 0;  ///< of ADMM's starting multipliers, the search's kicks, and samples
    int threads = 0;         ///< 0: all cores; the result does not depend on it
    double memory_limit = 0; ///< bytes of all, rows included; 0: what the machine has available

    [[nodiscard]] bool searches() const { return search == SearchMode::full || starts > 1; }
    /// `keep_margin` of a fit of two classes.
    [[nodiscard]] double least_kept() const {
        return keep_margin == automatic_keep_margin ? 0.4 : keep_margin;
    }
    /// `thin` of a fit of two classes.
    [[nodiscard]] double thinning() const { return thin == automatic_thin ? 0.0 : thin; }
};

/// Throws InvalidInput naming the first field out of range, its value and the range.
void validate(const Objective &objective, Index rows);
void validate(const Settings &settings);

/// C_i for every row.
[[nodiscard]] Vector prices(const Objective &objective, const Vector &signs);

} // namespace hinge0
