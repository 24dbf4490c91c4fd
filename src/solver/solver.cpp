/// The straight road: workspace, start, solver, certificate, model.
#include "hinge0/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/memory.hpp"
#include "core/threads.hpp"
#include "gram/factor/low_rank_system.hpp"
#include "gram/factor/tiled_cholesky.hpp"
#include "hinge0/error.hpp"
#include "solver/admm.hpp"
#include "solver/ending.hpp"
#include "solver/exact.hpp"
#include "solver/problem.hpp"
#include "solver/smo.hpp"
#include "solver/workspace.hpp"

namespace hinge0 {
namespace {

/// A precomputed kernel must be square and symmetric; whether it is positive semidefinite shows in
/// its factor.
void check_precomputed(const Samples &samples) {
    const Index rows = row_count(samples), cols = feature_count(samples);
    if (rows != cols)
        throw InvalidInput(fmt::format(
            "a precomputed kernel must be square, got {} rows, {} columns", rows, cols));
    const auto value = [&](Index i, Index j) {
        return std::visit([&](const auto &k) { return double{k.coeff(i, j)}; }, samples);
    };
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < i; ++j) {
            const double a = value(i, j), z = value(j, i);
            if (std::abs(a - z) > 1e-8 * (1.0 + std::abs(a)))
                throw InvalidInput(fmt::format("the precomputed kernel is not symmetric: entry "
                                               "({}, {}) is {}, ({}, {}) is {}",
                                               i + 1, j + 1, a, j + 1, i + 1, z));
        }
}

/// One solve: what its parts share.
struct Run {
    const Problem &problem;
    const Objective &objective;
    const Settings &settings;
    Workspace &workspace;
    Watch &watch;
    int threads;
    double kernel_seconds = 0; ///< of a factor that was made

    /// What stops the factor before there is an iterate is an exception.
    [[nodiscard]] ShiftedSystem &factor() {
        try {
            ShiftedSystem &made = workspace.factor(1.0 / settings.sigma, threads, watch);
            kernel_seconds = made.kernel_seconds();
            return made;
        } catch (const Interrupted &) {
            if (!watch.out_of_time()) throw;
            throw Error(fmt::format("the time limit of {:g} s is over before the first iteration",
                                    settings.time_limit),
                        "allow more time, or train on fewer rows");
        }
    }
    [[nodiscard]] AdmmResult iterate(const std::optional<Vector> &start, Report &report) {
        const auto lock = workspace.lock_factor();
        ShiftedSystem &made = factor();
        if (const std::string note = made.note(); !note.empty()) report.notes.push_back(note);
        bool moved = false;
        Vector lambda = start_multipliers(problem.prices(), settings, objective.loss, moved);
        if (start)
            lambda = *start;
        else if (moved)
            report.notes.emplace_back(
                "sigma > 2C: from small multipliers Algorithm 1 would stop at the zero classifier, "
                "so it starts from multipliers that put every sample into the working set");
        return admm(made, problem.y(), problem.prices(), objective.loss, settings, lambda, watch);
    }
};

Solution solve_admm(Run &run) {
    Solution solution;
    Report &report = solution.report;
    const AdmmResult result = run.iterate(run.problem.start(), report);
    solution.coefficients = -run.problem.y().cwiseProduct(result.lambda);
    solution.bias = result.b;
    report.solver = "admm";
    report.status = result.status;
    report.iterations = result.iterations;
    report.residuals = result.residuals;
    return solution;
}

Solution solve_convex(Run &run) {
    const SmoResult result = smo(run.workspace, run.problem.y(), run.problem.prices(), run.settings,
                                 run.objective.loss, run.watch);
    Solution solution;
    solution.coefficients = result.coefficients;
    solution.bias = result.b;
    solution.report.solver = "smo";
    solution.report.status = result.status;
    solution.report.iterations =
        static_cast<int>(std::min<long>(result.steps, std::numeric_limits<int>::max()));
    return solution;
}

Solution constant_solution(const Problem &problem, double side) {
    Solution solution;
    solution.coefficients.setZero(problem.y().size());
    solution.bias = side;
    solution.report.solver = "exact";
    solution.report.status = Status::converged;
    return solution;
}

Solution solve_exact(Run &run) {
    Solution solution;
    Report &report = solution.report;
    std::vector<Vector> margins;
    if (run.problem.start())
        margins.emplace_back(run.problem.y().cwiseProduct(*run.problem.start()));
    else if (run.settings.start == Start::admm)
        margins.emplace_back(-run.iterate({}, report).u); // u <= 0: kept
    const ExactResult result = solve_exactly(run.workspace, run.problem.y(), run.problem.prices(),
                                             run.settings, run.watch, margins);
    solution.coefficients = result.coefficients;
    solution.bias = result.b;
    solution.wins_above = result.wins_above;
    report.solver = "exact";
    report.status = result.status;
    report.iterations = result.steps;
    report.moves = result.moves;
    report.searched = run.settings.searches();
    report.one_opt = result.one_opt;
    report.starts = result.starts;
    return solution;
}

} // namespace

double memory_estimate(const Samples &samples, const Settings &settings) {
    const auto m = static_cast<double>(row_count(samples));
    const bool by_admm = settings.method == Method::admm;
    // rows are held once more, densely unless that is much more than they are
    const double given = bytes_of(samples);
    const double copy = std::min(8.0 * m * static_cast<double>(feature_count(samples)), 4 * given);
    double kernel = std::min(8.0 * m * m, most_cached_bytes);
    if (by_admm && row_count(samples) <= most_rows_of_a_factor)
        kernel = TiledCholesky::bytes(row_count(samples));
    else if (by_admm)
        kernel = LowRankSystem::bytes(row_count(samples), available_memory());
    const double all = given + copy + bytes_per_row * m + kernel;
    return settings.memory_limit > 0 ? std::min(all, settings.memory_limit) : all;
}

struct Solver::State {
    Samples samples;
    Kernel kernel;
    Workspaces workspaces;

    State(Samples rows, Kernel of)
        : samples(std::move(rows)), kernel(of), workspaces(samples, kernel) {}
};

Solver::Solver(Samples samples, Kernel kernel) {
    validate(kernel);
    if (std::holds_alternative<PrecomputedKernel>(kernel)) check_precomputed(samples);
    state_ = std::make_unique<State>(std::move(samples), kernel);
}
Solver::~Solver() = default;
Solver::Solver(Solver &&) noexcept = default;
Solver &Solver::operator=(Solver &&) noexcept = default;
const Samples &Solver::samples() const noexcept { return state_->samples; }
const Kernel &Solver::kernel() const noexcept { return state_->kernel; }

Solution Solver::solve(const Vector &signs, const Objective &objective, const Settings &settings,
                       const Observer &observer, const std::optional<Vector> &start) const {
    validate(objective, row_count(samples()));
    validate(settings);
    Watch watch(observer, settings.time_limit);
    const int threads = thread_count(settings.threads);
    const bool l0 = std::holds_alternative<L0Loss>(objective.loss);
    const bool by_admm = settings.method == Method::admm, exact = !by_admm && l0;
    const bool given = std::holds_alternative<PrecomputedKernel>(kernel());
    // Algorithm 1 is run on the rows as they are; so is a kernel matrix, which has no rows to
    // order.
    const Problem problem(samples(), signs, objective, (exact || !l0) && !given, start);
    const std::shared_ptr<Workspace> workspace = state_->workspaces.of(
        problem.is_all() ? std::vector<Index>{} : problem.rows(), settings.memory_limit);
    const ColumnCount before(*workspace);
    Run run{problem, objective, settings, *workspace, watch, threads};
    Solution solution;
    try {
        if (given) workspace->check_given_matrix(threads, watch);
        const double side = exact ? class_that_outweighs(signs, objective) : 0;
        solution = side != 0 ? constant_solution(problem, side)
                   : exact   ? solve_exact(run)
                   : by_admm ? solve_admm(run)
                             : solve_convex(run);
    } catch (const Interrupted &) {
        watch.rethrow();
        throw;
    }
    watch.rethrow();
    finish_solution({.samples = samples(),
                     .kernel = kernel(),
                     .problem = problem,
                     .objective = objective,
                     .settings = settings,
                     .workspace = *workspace},
                    before, run.kernel_seconds, watch.seconds(), solution);
    return solution;
}

void Solver::forget() const { state_->workspaces.forget(); }

Model Solver::model(const Solution &solution, const Objective &objective,
                    const std::array<std::string, 2> &classes) const {
    Model model;
    model.kernel = kernel();
    model.classes = classes;
    model.features = feature_count(samples());
    model.bias = solution.bias;
    model.rows = support_rows(solution.coefficients);
    model.coefficients = solution.coefficients(model.rows);
    if (std::holds_alternative<PrecomputedKernel>(kernel()))
        model.support = DenseRows(model.coefficients.size(), 0);
    else
        model.support = chosen_rows(samples(), model.rows);
    model.loss = objective.loss;
    model.C = objective.C;
    model.class_weight = objective.class_weight;
    model.training_rows = row_count(samples());
    model.status = solution.report.status;
    model.objective = solution.report.objective;
    return model;
}

} // namespace hinge0
