#pragma once
/// Set up once (the expensive Gram matrix and its factor), solve many times.
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "hinge0/dataset.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/model.hpp"
#include "hinge0/report.hpp"
#include "hinge0/settings.hpp"

namespace hinge0 {

/// One ADMM state, in the paper's letters.
struct Iterate {
    Vector c;      ///< kernel coefficients
    double b = 0;  ///< bias
    Vector u;      ///< margin deficit 1 - y*(Kc + b)
    Vector lambda; ///< multiplier of u + y*(Kc) + b y = 1
};

/// What a running fit tells its observer.
struct Progress {
    /// Of a fit of many rows: `score` is a pass over all rows, `near` the end of a round on those
    /// near the margin.
    enum class Stage {
        gram,
        factor,
        iterate,
        search,
        tune,
        score,
        near,
        pairs
    } stage = Stage::gram;
    double done = 0; ///< share of the stage that is done, in [0, 1]
    /// Just finished; search: minima seen; tune: fits made; pairs: solved ones; 0 in between.
    int iteration = 0;
    double objective = 0;                 ///< F there (iterate: c'Kc/2 + sum_i C_i loss(u_i))
    Index support_vectors = 0;            ///< non-zero multipliers there
    double bias = 0;                      ///< b there
    Index rows = 0, violators = 0;        ///< near: rows there, and those that miss their margin
    const Iterate *iterate = nullptr;     ///< after an iteration, else null
    const Residuals *residuals = nullptr; ///< after an iteration, else null
};
/// Called on the calling thread, about every 50 ms of long work and after every iteration; false to
/// stop: the fit then returns its best iterate, or throws Interrupted if there is none yet. What it
/// throws ends the fit and reaches the caller.
using Observer = std::function<bool(const Progress &)>;

/// The classifier on the training rows (zero off the support vectors), and how it was found.
struct Solution {
    Vector coefficients;
    double bias = 0;
    /// Exact: C times this is where a minimum that was seen beats the constant classifier.
    double wins_above = std::numeric_limits<double>::infinity();
    std::vector<Index> violators; ///< the rows whose deficits report.violators counts, rising
    Report report;
};

/// Bytes that a solve of these rows holds at any time, at most and the rows included. With a
/// memory limit it keeps fewer columns of the kernel matrix, down to what it cannot do without.
[[nodiscard]] double memory_estimate(const Samples &samples, const Settings &settings);

/// Rows and their kernel: set up once, solved for many labellings. Columns of the kernel matrix and
/// factors are kept from solve to solve. Several threads may call solve() at once.
class Solver {
public:
    /// Checks kernel and samples against each other; kernel values are computed when a solve wants
    /// them.
    Solver(Samples samples, Kernel kernel);
    ~Solver();
    Solver(Solver &&) noexcept;
    Solver &operator=(Solver &&) noexcept;

    /// `signs`, one per row: -1 or +1, and 0 for a row that is no part of the problem. Equal rows
    /// are solved as one, so that sample weights and repetition give the same bits; admm with the
    /// l0 loss takes the rows as they are. `start`, one number per row: for admm the first
    /// multipliers lambda (default: seeded, uniform in [0, 1)); for exact the decision values of a
    /// classifier to start from.
    [[nodiscard]] Solution solve(const Vector &signs, const Objective &objective,
                                 const Settings &settings = {}, const Observer &observer = {},
                                 const std::optional<Vector> &start = {}) const;
    /// Gives back what is kept for solves of the same rows; running ones keep theirs.
    void forget() const;
    /// The classifier of a solution; `classes` are the labels of -1 and +1.
    [[nodiscard]] Model model(const Solution &solution, const Objective &objective,
                              const std::array<std::string, 2> &classes) const;
    [[nodiscard]] const Samples &samples() const noexcept;
    [[nodiscard]] const Kernel &kernel() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace hinge0
