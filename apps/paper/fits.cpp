/// The fits by hinge0's own solvers.
#include "fits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "../hinge0/report_text.hpp"
#include "hinge0/train.hpp"
#include "parallel.hpp"

namespace hinge0::paper {
namespace {

constexpr int paper_iterations = 2000;
constexpr double paper_tolerance = 1e-3;
/// The convex problems are solved well beyond the digits that the tables show.
constexpr int convex_iterations = 20000;
constexpr double convex_tolerance = 1e-5;
constexpr double exact_margin = 1e-6, admm_margin = 0.1;
/// The tables ask how low F gets, not how soon.
constexpr int exact_starts = 16;

Outcome outcome_of(const Problem &problem, const char *method, const Fit &fit) {
    const Report &report = fit.report;
    return {.method = method,
            .kernel = cli::in_words(fit.model.kernel),
            .C = fit.model.C,
            .status = std::string(to_string(report.status)),
            .train = 100 * report.train_accuracy,
            .test = accuracy(fit.model, problem.test),
            .support_vectors = report.support_vectors,
            .seconds = report.seconds.total,
            .iterations = report.solver == "exact" ? report.moves : report.iterations,
            .objective = report.objective};
}

Fitted l0_fitted(const Problem &problem, const char *method, Fit fit, double margin) {
    Outcome outcome = outcome_of(problem, method, fit);
    outcome.certificate = fit.report.certificate;
    outcome.on_margin = on_margin(fit.model, margin);
    if (fit.report.solver == "admm") outcome.worst_beta = fit.report.residuals.worst();
    if (fit.report.solver == "exact" && !fit.report.one_opt)
        outcome.note = "1-optimality not shown within the budget";
    return {std::move(outcome), std::move(fit.model)};
}

Settings paper_settings(double sigma, std::uint64_t seed, int threads) {
    return {.method = Method::admm,
            .sigma = sigma,
            .tolerance = paper_tolerance,
            .max_iterations = paper_iterations,
            .seed = seed,
            .threads = threads};
}

Fitted admm_fitted(const Problem &problem, const Solver &solver, const char *method, double C,
                   const Settings &settings) {
    const Objective objective{.C = C};
    const Solution solution = solver.solve(problem.train.signs(), objective, settings);
    return l0_fitted(problem, method,
                     {solver.model(solution, objective, problem.train.classes()), solution.report},
                     admm_margin);
}

} // namespace

Problem problem(const Row &row, const Data &data, const Split &parts) {
    return {.train = subset(data, parts.train),
            .test = subset(data, parts.test),
            .rho = rho(row, data.samples.cols())};
}

double accuracy(const Model &model, const Dataset &data) {
    const Vector h = decision_function(model, data.samples(), 1);
    const auto right = ((h.array() > 0) == (data.signs().array() > 0)).count();
    return 100.0 * static_cast<double>(right) / static_cast<double>(data.size());
}

OnMargin on_margin(const Model &model, double tolerance) {
    OnMargin result{.tolerance = tolerance};
    if (model.coefficients.size() == 0) return result;
    const Vector h = decision_function(model, model.support, 1);
    const Eigen::ArrayXd off = (h.array().abs() - 1).abs();
    result.counted = (off <= tolerance).count();
    result.farthest = off.maxCoeff();
    return result;
}

Fitted fit_l0_admm(const Problem &problem, const char *method, double C, double sigma,
                   std::uint64_t seed, int threads) {
    const Solver solver(problem.train.samples(), RbfKernel{problem.rho});
    return admm_fitted(problem, solver, method, C, paper_settings(sigma, seed, threads));
}

std::vector<Outcome> fit_l0_starts(const Problem &problem, const char *method, double C,
                                   double sigma, int runs, int workers) {
    std::vector<Outcome> outcomes(static_cast<std::size_t>(runs));
    parallel_for(
        workers, workers, [&](int worker) { // a factor for each: one solve at a time has it
            const Solver solver(problem.train.samples(), RbfKernel{problem.rho});
            for (int run = worker; run < runs; run += workers) {
                const auto seed = static_cast<std::size_t>(run);
                outcomes[seed] =
                    admm_fitted(problem, solver, method, C, paper_settings(sigma, seed, 1)).outcome;
            }
        });
    return outcomes;
}

Fitted fit_l0_stopped(const Problem &problem, double C, double sigma, int iterations,
                      std::uint64_t seed, int threads) {
    Iterate last;
    Residuals beta;
    const auto keep_last = [&](const Progress &progress) {
        if (progress.iterate == nullptr) return true;
        last = *progress.iterate;
        beta = *progress.residuals;
        return progress.iteration < iterations;
    };
    Settings settings = paper_settings(sigma, seed, threads);
    settings.tolerance = 1e-300; // only the number of iterations ends it
    settings.max_iterations = iterations;
    const Solver solver(problem.train.samples(), RbfKernel{problem.rho});
    Solution solution = solver.solve(problem.train.signs(), {.C = C}, settings, keep_last);
    // The authors predict with -lambda * y, not with c.
    solution.coefficients = -problem.train.signs().cwiseProduct(last.lambda);
    solution.bias = last.b;
    Fit fit{solver.model(solution, {.C = C}, problem.train.classes()), solution.report};
    Outcome outcome = outcome_of(problem, method::as_stopped, fit);
    outcome.status = "stopped";
    outcome.train = accuracy(fit.model, problem.train);
    outcome.support_vectors = fit.model.coefficients.size();
    outcome.objective.reset(); // the report's is that of another iterate
    outcome.worst_beta = beta.worst();
    outcome.on_margin = on_margin(fit.model, admm_margin);
    return {std::move(outcome), std::move(fit.model)};
}

Fitted fit_exact(const Problem &problem, const char *method, double C, double rho, int threads) {
    return l0_fitted(problem, method,
                     train(problem.train, RbfKernel{rho}, {.C = C},
                           {.starts = exact_starts, .threads = threads}),
                     exact_margin);
}

Fitted fit_convex(const Problem &problem, const char *method, const Loss &loss, double C,
                  int threads) {
    const Settings settings{.method = Method::admm,
                            .tolerance = convex_tolerance,
                            .max_iterations = convex_iterations,
                            .threads = threads};
    Fit fit = train(problem.train, RbfKernel{problem.rho}, {.loss = loss, .C = C}, settings);
    Outcome outcome = outcome_of(problem, method, fit);
    outcome.worst_beta = fit.report.residuals.worst();
    return {std::move(outcome), std::move(fit.model)};
}

} // namespace hinge0::paper
