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

class Gram; // src/gram/gram.hpp

/// One ADMM state, in the paper's letters.
struct Iterate {
    Vector c;      ///< kernel coefficients
    double b = 0;  ///< bias
    Vector u;      ///< margin deficit 1 - y*(Kc + b)
    Vector lambda; ///< multiplier of u + y*(Kc) + b y = 1
};

/// What a running fit tells its observer.
struct Progress {
    enum class Stage { gram, factor, iterate, search } stage = Stage::gram;
    double done = 0;                      ///< share of the stage that is done, in [0, 1]
    int iteration = 0;                    ///< just finished; search: minima seen; 0 in between
    double objective = 0;                 ///< F there (iterate: c'Kc/2 + sum_i C_i loss(u_i))
    Index support_vectors = 0;            ///< non-zero multipliers there
    double bias = 0;                      ///< b there
    const Iterate *iterate = nullptr;     ///< after an iteration, else null
    const Residuals *residuals = nullptr; ///< after an iteration, else null
};
/// Called on the calling thread, about every 50 ms of long work and after every iteration; false to
/// stop: the fit then returns its best iterate, or throws Interrupted if there is none yet.
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

class Solver {
public:
    /// Checks kernel and samples against each other; the Gram matrix is computed by the first
    /// solve.
    Solver(Dataset data, Kernel kernel);
    ~Solver();
    Solver(Solver &&) noexcept;
    Solver &operator=(Solver &&) noexcept;

    /// Equal rows are solved as one, so that sample weights and repetition give the same bits; admm
    /// with the l0 loss takes the rows as they are. `start`, one number per row: for admm the first
    /// multipliers lambda (default: seeded, uniform in [0, 1)); for exact the decision values of a
    /// classifier to start from.
    [[nodiscard]] Solution solve(const Objective &objective, const Settings &settings = {},
                                 const Observer &observer = {},
                                 const std::optional<Vector> &start = {});
    [[nodiscard]] Model model(const Solution &solution, const Objective &objective) const;
    [[nodiscard]] const Dataset &data() const noexcept { return data_; }

private:
    struct Problem;
    void prepare_gram(const Problem &problem, const Settings &settings, int threads);
    void check_semidefinite(const Settings &settings);
    void factor(const Settings &settings, const Observer &observer);
    [[nodiscard]] Solution solve_admm(const Problem &problem, const Objective &objective,
                                      const Settings &settings, const Observer &observer);
    [[nodiscard]] Solution solve_exact(const Problem &problem, const Objective &objective,
                                       const Settings &settings, const Observer &observer);
    void finish(const Problem &problem, const Objective &objective, Solution &solution);

    Dataset data_;
    Kernel kernel_;
    std::unique_ptr<Gram> gram_;
    std::vector<Index> gram_rows_; ///< which training rows it holds, in its order
};

struct Fit {
    Model model;
    Report report;
};

/// The whole road in one call: Solver, solve, model.
[[nodiscard]] Fit train(Dataset data, Kernel kernel, const Objective &objective = {},
                        const Settings &settings = {}, const Observer &observer = {},
                        const std::optional<Vector> &start = {});

} // namespace hinge0
