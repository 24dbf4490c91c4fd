/// Sentences for users.
#include "solver/notes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hinge0/error.hpp"

namespace hinge0 {

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

void check_objective(double objective, double largest_diagonal) {
    if (!std::isfinite(objective))
        throw NumericalError(
            fmt::format("the objective is not finite: no value of the kernel on these rows is "
                        "above {:.3g}",
                        largest_diagonal),
            "scale the data (--standardize), or use a larger gamma or another kernel");
}

void throw_without_minimum(const Watch &watch) {
    if (!watch.out_of_time()) throw Interrupted("interrupted while looking for a first minimum");
    throw Error(fmt::format("the time limit of {:g} s is over before the first minimum",
                            watch.time_limit()),
                "allow more time, or train on fewer rows");
}

} // namespace hinge0
