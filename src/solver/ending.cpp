/// Objective, certificate, notes: what follows from the coefficients.
#include "solver/ending.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/all_rows.hpp"
#include "core/memory.hpp"
#include "core/threads.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// What a user should know about the constant classifier (fact 6) and about the certificate.
void add_notes(const Settings &settings, const Objective &objective, double wins_above,
               Report &report) {
    const bool l0 = std::holds_alternative<L0Loss>(objective.loss);
    if (report.support_vectors == 0) {
        report.notes.emplace_back("the classifier is constant: no sample supports it; a larger C, "
                                  "or for admm a smaller sigma, may help");
        return;
    }
    if (report.constant_objective <= report.objective) {
        std::string note = "a constant classifier has the lower objective";
        if (std::isfinite(wins_above))
            note += fmt::format("; it is beaten above C = {:.4g}", objective.C * wins_above);
        report.notes.push_back(note);
    }
    if (!l0 || report.certificate.local_minimum) return;
    if (report.solver == "exact")
        report.notes.emplace_back(
            "not certified: rounding errors are too large; the kernel is nearly constant on these "
            "rows or C is extreme: scale the data (--standardize) or use another gamma or C");
    else if (report.status == Status::converged)
        report.notes.push_back(fmt::format(
            "converged to {:g}, which is too coarse to certify a local minimum (1e-6); a smaller "
            "--tol may reach it, --solver exact does",
            settings.tolerance));
}

/// K c on the rows of a workspace.
Vector decisions_of(const Gram &gram, const Vector &coefficients, int threads) {
    const std::vector<Index> support = support_rows(coefficients);
    Vector out(gram.size());
    gram.apply(all_rows(gram.size()), support, Vector(coefficients(support)), threads, out);
    return out;
}

/// A kernel whose values are nearly 0 needs coefficients without end.
void check_objective(double objective, double largest_diagonal) {
    if (!std::isfinite(objective))
        throw NumericalError(
            fmt::format("the objective is not finite: no value of the kernel on these rows is "
                        "above {:.3g}",
                        largest_diagonal),
            "scale the data (--standardize), or use a larger gamma or another kernel");
}

} // namespace

std::vector<Index> support_rows(const Vector &coefficients) {
    std::vector<Index> rows;
    for (Index i = 0; i < coefficients.size(); ++i)
        if (coefficients(i) != 0.0) rows.push_back(i);
    return rows;
}

void finish_solution(const Solved &solved, const ColumnCount &before, double kernel_seconds,
                     double seconds, Solution &solution) {
    const Gram &gram = solved.workspace.gram();
    const double largest_diagonal = gram.diagonal().maxCoeff();
    const int threads = thread_count(solved.settings.threads);
    const bool l0 = std::holds_alternative<L0Loss>(solved.objective.loss);
    solved.problem.finish(decisions_of(gram, solution.coefficients, threads), largest_diagonal,
                          solution);
    Report &report = solution.report;
    check_objective(report.objective, largest_diagonal);
    if (solved.settings.method != Method::admm && !l0) report.residuals = report.certificate;
    report.features = feature_count(solved.samples);
    report.C = solved.objective.C;
    report.loss = name(solved.objective.loss);
    report.kernel = solved.kernel;
    report.threads = threads;
    report.memory_estimate_bytes = memory_estimate(solved.samples, solved.settings);
    report.peak_memory_bytes = peak_memory();
    add_notes(solved.settings, solved.objective, solution.wins_above, report);
    report.columns = solved.workspace.columns().made() - before.made;
    report.seconds.gram = solved.workspace.columns().seconds() - before.seconds + kernel_seconds;
    report.seconds.total = seconds;
    report.seconds.solve = std::max(0.0, report.seconds.total - report.seconds.gram);
}

} // namespace hinge0
