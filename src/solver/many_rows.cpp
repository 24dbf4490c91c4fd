/// Hinge of samples, near rows, certificate.
#include "solver/many_rows.hpp"

#include <limits>

#include "core/memory.hpp"
#include "core/threads.hpp"
#include "solver/first_minimum.hpp"
#include "solver/grown_hinge.hpp"
#include "solver/notes.hpp"

namespace hinge0 {
namespace {

/// Where a few rows do to begin with; the second sample would be nearly all of fewer.
constexpr Index usual_working_set = 4096;
constexpr Index many_rows = 4 * usual_working_set;

/// The last resort: one row of each class, with which every sample begins.
HardMargin of_two_rows(Rows &rows, const Settings &settings, int threads, Watch &watch) {
    (void)rows.keep({}, std::numeric_limits<double>::infinity(), {}, watch);
    return hard_margin_of_many(rows, rows.sample(2), settings.thinning(), threads, watch);
}

/// Report and certificate of a classifier that was found.
void sum_up(const Rows &rows, const Objective &objective, ManyRowsSolution &solution,
            Watch &watch) {
    const Expansion &h = solution.h;
    const Others others = rows.others(h, watch);
    const Vector values = rows.decisions(h, h.rows).array() - h.bias;
    evaluate(rows.signs(h.rows), rows.prices(h.rows), objective.loss, h.weights, values, h.bias,
             others.largest, solution.report, others);
    check_objective(solution.report.objective, others.largest);
}

/// A multiple of C above which a minimum beats the constant classifier.
double wins_above(const Report &report) {
    const double given_up = report.objective - report.half_norm_squared;
    return given_up < report.constant_objective
               ? report.half_norm_squared / (report.constant_objective - given_up)
               : std::numeric_limits<double>::infinity();
}

} // namespace

Index working_set(Index asked, Index rows) {
    if (asked == automatic_working_set) return rows >= many_rows ? usual_working_set : 0;
    return asked < rows ? asked : 0;
}

Wanted near_ones(Index working_set) { return {.most_of_each = (working_set + 1) / 2}; }

FirstOfMany first_of_many(Rows &rows, Index working_set, Index most_rows, const Settings &settings,
                          int threads, Watch &watch) {
    FirstOfMany first;
    double share = settings.hinge_share;
    for (int k = 0; k <= most_raises && first.found.h.rows.empty(); ++k, share *= raise) {
        ++first.starts;
        const Expansion hinge = grown_hinge(rows,
                                            {.first_sample = working_set,
                                             .most_rows = most_rows,
                                             .share = share,
                                             .eps = first_minimum_eps,
                                             .keep_margin = settings.least_kept(),
                                             .threads = threads},
                                            watch);
        Score score = rows.keep(hinge, settings.least_kept(), near_ones(working_set), watch);
        first.found =
            hard_margin_of_many(rows, std::move(score.found), settings.thinning(), threads, watch);
        if (watch.stopped()) break;
    }
    if (first.found.h.rows.empty()) {
        ++first.starts;
        first.found = of_two_rows(rows, settings, threads, watch);
    }
    return first;
}

double class_that_outweighs(std::array<double, 2> rows, std::array<double, 2> class_weight) {
    const auto [low, high] = class_weight;
    if (low == high) return 0;
    if (low * rows[0] < high) return 1;
    return high * rows[1] < low ? -1 : 0;
}

ManyRowsSolution solve_many(Rows &rows, std::array<double, 2> class_rows, Index most_rows,
                            const Objective &objective, const Settings &settings, Watch &watch) {
    ManyRowsSolution solution;
    Report &report = solution.report;
    report.solver = "exact";
    report.status = Status::converged;
    report.threads = thread_count(settings.threads);
    const double side = class_that_outweighs(class_rows, objective.class_weight);
    if (side == 0) {
        const Index some = working_set(settings.working_set, rows.size());
        FirstOfMany first = first_of_many(rows, some > 0 ? some : rows.size(), most_rows, settings,
                                          report.threads, watch);
        report.starts = first.starts;
        report.iterations = static_cast<int>(first.found.steps);
        solution.h = std::move(first.found.h);
    } else {
        solution.h.bias = side;
    }
    watch.rethrow();
    if (watch.was_stopped())
        report.status = watch.out_of_time() ? Status::time_limit : Status::interrupted;
    if (side == 0 && solution.h.rows.empty()) {
        if (watch.was_stopped()) throw_without_minimum(watch);
        solution.h.bias = 1.0;
    }
    sum_up(rows, objective, solution, watch);
    if (side == 0 && solution.h.rows.empty() && report.objective > report.constant_objective) {
        solution.h.bias = -1.0;
        sum_up(rows, objective, solution, watch);
    }
    report.rows = rows.size();
    report.C = objective.C;
    report.loss = name(objective.loss);
    add_notes(settings, objective, wins_above(report), report);
    report.peak_memory_bytes = peak_memory();
    report.seconds.solve = report.seconds.total = watch.seconds();
    return solution;
}

} // namespace hinge0
