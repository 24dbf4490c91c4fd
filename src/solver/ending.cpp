/// Objective, certificate, notes: what follows from the coefficients.
#include "solver/ending.hpp"

#include <algorithm>

#include "core/all_rows.hpp"
#include "core/memory.hpp"
#include "core/threads.hpp"
#include "solver/notes.hpp"

namespace hinge0 {
namespace {

/// K c on the rows of a workspace.
Vector decisions_of(const Gram &gram, const Vector &coefficients, int threads) {
    const std::vector<Index> support = support_rows(coefficients);
    Vector out(gram.size());
    gram.apply(all_rows(gram.size()), support, Vector(coefficients(support)), threads, out);
    return out;
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
