/// The straight road: Gram, start, solver, certificate, model.
#include "hinge0/solver.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/threads.hpp"
#include "gram/gram.hpp"
#include "hinge0/error.hpp"
#include "solver/admm.hpp"
#include "solver/certificate.hpp"
#include "solver/exact.hpp"

namespace hinge0 {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

Poll watch(const Observer &observer, Progress::Stage stage, Clock::time_point begin,
           double time_limit) {
    return Poll([=, &observer](double done) {
        if (seconds_since(begin) > time_limit) return false;
        return !observer || observer({.stage = stage, .done = done});
    });
}

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

Vector start_for(const Vector &prices, const Objective &objective, const Settings &settings,
                 const std::optional<Vector> &given, Report &report) {
    bool moved = false;
    Vector start = start_multipliers(prices, settings, objective.loss, moved);
    if (given) {
        if (given->size() != prices.size() || !given->allFinite())
            throw InvalidInput(fmt::format("the start must be {} finite numbers", prices.size()));
        return *given;
    }
    if (moved)
        report.notes.emplace_back(
            "sigma > 2C: from small multipliers Algorithm 1 would stop at the zero classifier, so "
            "it starts from multipliers that put every sample into the working set");
    return start;
}

/// What a user should know about the constant classifier (fact 6) and about the certificate.
void add_notes(const Settings &settings, const Objective &objective, double wins_above,
               Report &report) {
    if (report.support_vectors == 0) {
        report.notes.emplace_back("the classifier is constant: no sample supports it; a larger C, "
                                  "or for admm a smaller sigma, may help");
    } else if (report.constant_objective <= report.objective) {
        std::string note = "a constant classifier has the lower objective";
        if (std::isfinite(wins_above))
            note += fmt::format("; it is beaten above C = {:.4g}", objective.C * wins_above);
        report.notes.push_back(note);
    }
    if (report.support_vectors > 0 && report.solver == "admm" &&
        std::holds_alternative<L0Loss>(objective.loss) && report.status == Status::converged &&
        !report.certificate.local_minimum)
        report.notes.push_back(fmt::format(
            "converged to {:g}, which is too coarse to certify a local minimum (1e-6); a smaller "
            "--tol may reach it, --solver exact does",
            settings.tolerance));
}

DenseRows rows_of(const DenseRows &samples, const std::vector<Index> &rows) {
    return samples(rows, Eigen::all);
}
SparseRows rows_of(const SparseRows &samples, const std::vector<Index> &rows) {
    SparseRows out(static_cast<Index>(rows.size()), samples.cols());
    for (Index i = 0; i < out.rows(); ++i) {
        out.startVec(i);
        for (SparseRows::InnerIterator it(samples, rows[static_cast<std::size_t>(i)]); it; ++it)
            out.insertBack(i, it.col()) = it.value();
    }
    out.finalize();
    return out;
}

std::vector<Index> support_rows(const Vector &coefficients) {
    std::vector<Index> rows;
    for (Index i = 0; i < coefficients.size(); ++i)
        if (coefficients(i) != 0.0) rows.push_back(i);
    return rows;
}

} // namespace

Solver::Solver(Dataset data, Kernel kernel) : data_(std::move(data)), kernel_(kernel) {
    validate(kernel_);
    if (std::holds_alternative<PrecomputedKernel>(kernel_)) check_precomputed(data_.samples());
}
Solver::~Solver() = default;
Solver::Solver(Solver &&) noexcept = default;
Solver &Solver::operator=(Solver &&) noexcept = default;

/// A factor of K with a hair added to its diagonal exists only if K has no negative eigenvalue
/// beyond rounding. Throws NumericalError.
void Solver::check_semidefinite(const Settings &settings) {
    Vector diagonal(gram_->size());
    gram_->diagonal(diagonal);
    const double hair =
        1e-10 * static_cast<double>(diagonal.size()) * diagonal.cwiseAbs().maxCoeff();
    Poll never({});
    gram_->factor(std::max(hair, 1e-300), settings.memory_limit, never, never);
}

/// Prepares K + I/sigma; what stops it before there is an iterate is an exception.
void Solver::factor(const Settings &settings, const Observer &observer) {
    const auto begin = Clock::now();
    Poll gram_poll = watch(observer, Progress::Stage::gram, begin, settings.time_limit);
    Poll factor_poll = watch(observer, Progress::Stage::factor, begin, settings.time_limit);
    try {
        gram_->factor(1.0 / settings.sigma, settings.memory_limit, gram_poll, factor_poll);
    } catch (const Interrupted &) {
        if (seconds_since(begin) <= settings.time_limit) throw;
        throw Error(fmt::format("the time limit of {:g} s is over before the first iteration",
                                settings.time_limit),
                    "allow more time, or train on fewer rows");
    }
}

Solution Solver::solve_admm(const Objective &objective, const Settings &settings,
                            const Observer &observer, const std::optional<Vector> &start) {
    const Vector &y = data_.signs();
    const Vector C = prices(objective, y);
    factor(settings, observer);
    Solution solution;
    Report &report = solution.report;
    const Vector lambda = start_for(C, objective, settings, start, report);
    const AdmmResult result = admm(*gram_, y, C, objective.loss, settings, lambda, observer);
    solution.coefficients = -y.cwiseProduct(result.lambda);
    solution.bias = result.b;
    report.solver = "admm";
    report.status = result.status;
    report.iterations = result.iterations;
    report.residuals = result.residuals;
    return solution;
}

Solution Solver::solve_exact(const Objective &objective, const Settings &settings,
                             const Observer &observer, const std::optional<Vector> &start) {
    const Vector &y = data_.signs();
    const Vector C = prices(objective, y);
    std::vector<Vector> margins;
    if (start) {
        if (start->size() != y.size() || !start->allFinite())
            throw InvalidInput(fmt::format("the start must be {} finite numbers", y.size()));
        margins.push_back(y.cwiseProduct(*start));
    } else if (settings.start == Start::admm) {
        factor(settings, observer);
        bool moved = false;
        const Vector lambda = start_multipliers(C, settings, objective.loss, moved);
        const AdmmResult result = admm(*gram_, y, C, objective.loss, settings, lambda, observer);
        margins.push_back(-result.u); // u <= 0: kept
    }
    const ExactResult result = solve_exactly(*gram_, y, C, settings, observer, margins);
    Solution solution;
    solution.coefficients = result.coefficients;
    solution.bias = result.b;
    Report &report = solution.report;
    report.solver = "exact";
    report.status = result.status;
    report.iterations = result.moves;
    report.one_opt = result.one_opt;
    report.starts = result.starts;
    solution.wins_above = result.wins_above;
    return solution;
}

Solution Solver::solve(const Objective &objective, const Settings &settings,
                       const Observer &observer, const std::optional<Vector> &start) {
    const auto begin = Clock::now();
    validate(objective, data_.size());
    validate(settings);
    const int threads = thread_count(settings.threads);
    if (!gram_) {
        gram_ = make_dense_gram(data_.samples(), kernel_, settings.memory_limit);
        gram_->use_threads(threads);
        // Others are positive semidefinite by construction; this one somebody made.
        if (std::holds_alternative<PrecomputedKernel>(kernel_)) check_semidefinite(settings);
    }
    gram_->use_threads(threads);
    const double kernel_seconds = gram_->kernel_seconds();

    const bool exact =
        settings.method == Method::exact && std::holds_alternative<L0Loss>(objective.loss);
    Solution solution = exact ? solve_exact(objective, settings, observer, start)
                              : solve_admm(objective, settings, observer, start);
    const Vector &y = data_.signs();
    const std::vector<Index> rows = support_rows(solution.coefficients);
    Vector Kc(y.size());
    gram_->apply(rows, Vector(solution.coefficients(rows)), Kc);
    Report &report = solution.report;
    report.threads = threads;
    evaluate(y, prices(objective, y), objective.loss, solution.coefficients, Kc, solution.bias,
             report);
    add_notes(settings, objective, solution.wins_above, report);
    report.seconds.gram = gram_->kernel_seconds() - kernel_seconds;
    report.seconds.total = seconds_since(begin);
    report.seconds.solve = report.seconds.total - report.seconds.gram;
    return solution;
}

Model Solver::model(const Solution &solution, const Objective &objective) const {
    Model model;
    model.kernel = kernel_;
    model.classes = data_.classes();
    model.features = data_.features();
    model.bias = solution.bias;
    model.rows = support_rows(solution.coefficients);
    model.coefficients = solution.coefficients(model.rows);
    if (std::holds_alternative<PrecomputedKernel>(kernel_))
        model.support = DenseRows(model.coefficients.size(), 0);
    else
        model.support =
            std::visit([&](const auto &samples) { return Samples(rows_of(samples, model.rows)); },
                       data_.samples());
    model.loss = objective.loss;
    model.C = objective.C;
    model.class_weight = objective.class_weight;
    model.training_rows = data_.size();
    model.status = solution.report.status;
    model.objective = solution.report.objective;
    return model;
}

Fit train(Dataset data, Kernel kernel, const Objective &objective, const Settings &settings,
          const Observer &observer, const std::optional<Vector> &start) {
    Solver solver(std::move(data), kernel);
    const Solution solution = solver.solve(objective, settings, observer, start);
    return {solver.model(solution, objective), solution.report};
}

} // namespace hinge0
