/// The straight road: Gram, start, solver, certificate, model.
#include "hinge0/solver.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/threads.hpp"
#include "data/condense.hpp"
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
    if (given) return *given;
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

std::vector<Index> support_rows(const Vector &coefficients) {
    std::vector<Index> rows;
    for (Index i = 0; i < coefficients.size(); ++i)
        if (coefficients(i) != 0.0) rows.push_back(i);
    return rows;
}

/// Coefficients of groups, dealt out to their rows. A loss with a bound on its multipliers holds
/// each row to its own, in proportion to its weight; the l0 loss has none, and one support vector
/// does for all.
Vector dealt_out(const Condensed &condensed, const Vector &coefficients,
                 const Objective &objective) {
    const auto rows = static_cast<Index>(condensed.group.size());
    const bool share = !std::holds_alternative<L0Loss>(objective.loss);
    Vector result = Vector::Zero(rows);
    for (Index i = 0; i < rows; ++i) {
        const Index group = condensed.group[static_cast<std::size_t>(i)];
        if (group < 0) continue;
        const double weight = objective.sample_weight.size() > 0 ? objective.sample_weight(i) : 1.0;
        if (share)
            result(i) = coefficients(group) * (weight / condensed.weight(group));
        else if (condensed.rows[static_cast<std::size_t>(group)] == i)
            result(i) = coefficients(group);
    }
    return result;
}

void check_classes(const Dataset &data, const Vector &y) {
    for (const double sign : {-1.0, 1.0})
        if ((y.array() == sign).count() == 0)
            throw InvalidInput(fmt::format("no sample of class '{}' has a weight above zero",
                                           data.classes()[sign > 0 ? 1 : 0]));
}

} // namespace

/// What one solve works on: a group of equal rows is one row with the price of all.
struct Solver::Problem {
    Condensed condensed;
    Vector y, prices;
    std::optional<Vector> start;

    Problem(const Dataset &data, const Objective &objective, bool merge,
            const std::optional<Vector> &given)
        : condensed(condense(data.samples(), data.signs(), objective.sample_weight, merge)),
          y(data.signs()(condensed.rows)) {
        check_classes(data, y);
        Objective grouped = objective;
        grouped.sample_weight = condensed.weight;
        prices = hinge0::prices(grouped, y);
        if (!given) return;
        if (given->size() != data.size() || !given->allFinite())
            throw InvalidInput(fmt::format("the start must be {} finite numbers", data.size()));
        start = (*given)(condensed.rows);
    }
};

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

Solution Solver::solve_admm(const Problem &problem, const Objective &objective,
                            const Settings &settings, const Observer &observer) {
    const Vector &y = problem.y, &C = problem.prices;
    factor(settings, observer);
    Solution solution;
    Report &report = solution.report;
    const Vector lambda = start_for(C, objective, settings, problem.start, report);
    const AdmmResult result = admm(*gram_, y, C, objective.loss, settings, lambda, observer);
    solution.coefficients = -y.cwiseProduct(result.lambda);
    solution.bias = result.b;
    report.solver = "admm";
    report.status = result.status;
    report.iterations = result.iterations;
    report.residuals = result.residuals;
    return solution;
}

Solution Solver::solve_exact(const Problem &problem, const Objective &objective,
                             const Settings &settings, const Observer &observer) {
    const Vector &y = problem.y, &C = problem.prices;
    std::vector<Vector> margins;
    if (problem.start) {
        margins.push_back(y.cwiseProduct(*problem.start));
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

/// The Gram matrix of the problem's rows, kept from solve to solve while these are the same.
void Solver::prepare_gram(const Problem &problem, const Settings &settings, int threads) {
    if (!gram_ || gram_rows_ != problem.condensed.rows) {
        const bool precomputed = std::holds_alternative<PrecomputedKernel>(kernel_);
        const auto gram_of = [&](const Samples &samples) {
            return make_dense_gram(samples, kernel_, settings.memory_limit);
        };
        const std::vector<Index> &rows = problem.condensed.rows;
        if (!problem.condensed.changed)
            gram_ = gram_of(data_.samples());
        else
            gram_ = gram_of(precomputed ? chosen_block(data_.samples(), rows)
                                        : chosen_rows(data_.samples(), rows));
        gram_rows_ = rows;
        gram_->use_threads(threads);
        // Others are positive semidefinite by construction; this one somebody made.
        if (precomputed) check_semidefinite(settings);
    }
    gram_->use_threads(threads);
}

/// Brings a solution of the problem to all training rows and fills in what follows from it.
void Solver::finish(const Problem &problem, const Objective &objective, Solution &solution) {
    const Condensed &condensed = problem.condensed;
    const std::vector<Index> support = support_rows(solution.coefficients);
    Vector Kc(problem.y.size());
    gram_->apply(support, Vector(solution.coefficients(support)), Kc);
    std::vector<Index> present, groups;
    for (Index i = 0; i < data_.size(); ++i)
        if (const Index group = condensed.group[static_cast<std::size_t>(i)]; group >= 0) {
            present.push_back(i);
            groups.push_back(group);
        }
    solution.coefficients = dealt_out(condensed, solution.coefficients, objective);
    const Vector y = data_.signs()(present), values = Kc(groups);
    evaluate(y, prices(objective, data_.signs())(present), objective.loss,
             solution.coefficients(present), values, solution.bias, solution.report);
    for (std::size_t k = 0; k < present.size(); ++k) {
        const auto i = static_cast<Index>(k);
        if (1.0 - y(i) * (values(i) + solution.bias) > deficit_tolerance)
            solution.violators.push_back(present[k]);
    }
}

Solution Solver::solve(const Objective &objective, const Settings &settings,
                       const Observer &observer, const std::optional<Vector> &start) {
    const auto begin = Clock::now();
    validate(objective, data_.size());
    validate(settings);
    const int threads = thread_count(settings.threads);
    const bool l0 = std::holds_alternative<L0Loss>(objective.loss);
    const bool exact = settings.method == Method::exact && l0;
    // Algorithm 1 is run on the rows as they are; so is a kernel matrix, which has no rows to
    // order.
    const bool merge = (exact || !l0) && !std::holds_alternative<PrecomputedKernel>(kernel_);
    const Problem problem(data_, objective, merge, start);
    prepare_gram(problem, settings, threads);
    const double kernel_seconds = gram_->kernel_seconds();

    Solution solution = exact ? solve_exact(problem, objective, settings, observer)
                              : solve_admm(problem, objective, settings, observer);
    finish(problem, objective, solution);
    Report &report = solution.report;
    report.threads = threads;
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
        model.support = chosen_rows(data_.samples(), model.rows);
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
