/// From all rows to those that are solved, and back.
#include "solver/problem.hpp"

#include <fmt/format.h>

#include "hinge0/error.hpp"
#include "solver/certificate.hpp"
#include "solver/many_rows.hpp"

namespace hinge0 {
namespace {

void check_classes(const Vector &y) {
    for (const double sign : {-1.0, 1.0})
        if ((y.array() == sign).count() == 0)
            throw InvalidInput(
                fmt::format("no sample of class {:+} has a weight above zero", sign));
}

void check_signs(const Vector &signs, Index rows) {
    if (signs.size() != rows)
        throw InvalidInput(fmt::format("{} signs for {} rows", signs.size(), rows));
    for (const double sign : signs)
        if (sign != 0 && sign != 1 && sign != -1)
            throw InvalidInput(fmt::format("a sign must be -1, 0 or 1, got {}", sign));
}

} // namespace

Problem::Problem(const Samples &samples, const Vector &signs, const Objective &objective,
                 bool merge, const std::optional<Vector> &start)
    : signs_(signs), objective_(objective) {
    const Index rows = row_count(samples);
    check_signs(signs, rows);
    condensed_ = condense(samples, signs, objective.sample_weight, merge);
    y_ = signs(condensed_.rows);
    check_classes(y_);
    Objective grouped = objective;
    grouped.sample_weight = condensed_.weight;
    prices_ = hinge0::prices(grouped, y_);
    if (!start) return;
    if (start->size() != rows || !start->allFinite())
        throw InvalidInput(fmt::format("the start must be {} finite numbers", rows));
    start_ = (*start)(condensed_.rows);
}

/// Coefficients of groups, dealt out to their rows. A loss with a bound on its multipliers holds
/// each row to its own, in proportion to its weight; the l0 loss has none, and one support vector
/// does for all.
Vector Problem::dealt_out(const Vector &coefficients) const {
    const auto rows = static_cast<Index>(condensed_.group.size());
    const bool share = !std::holds_alternative<L0Loss>(objective_.loss);
    Vector result = Vector::Zero(rows);
    for (Index i = 0; i < rows; ++i) {
        const Index group = condensed_.group[static_cast<std::size_t>(i)];
        if (group < 0) continue;
        const double weight =
            objective_.sample_weight.size() > 0 ? objective_.sample_weight(i) : 1.0;
        if (share)
            result(i) = coefficients(group) * (weight / condensed_.weight(group));
        else if (condensed_.rows[static_cast<std::size_t>(group)] == i)
            result(i) = coefficients(group);
    }
    return result;
}

void Problem::finish(const Vector &decisions, double largest, Solution &solution) const {
    if (is_all()) { // nothing to deal out, and no copies of what many rows have
        sum_up(signs_, prices_, solution.coefficients, decisions, largest, solution);
        return;
    }
    std::vector<Index> present, groups;
    for (Index i = 0; i < signs_.size(); ++i)
        if (const Index group = condensed_.group[static_cast<std::size_t>(i)]; group >= 0) {
            present.push_back(i);
            groups.push_back(group);
        }
    solution.coefficients = dealt_out(solution.coefficients);
    sum_up(signs_(present), hinge0::prices(objective_, signs_)(present),
           solution.coefficients(present), decisions(groups), largest, solution);
    for (Index &row : solution.violators) row = present[static_cast<std::size_t>(row)];
}

/// Report and violators, the latter counted among the rows that are given here.
void Problem::sum_up(const Vector &y, const Vector &prices, const Vector &c, const Vector &values,
                     double largest, Solution &solution) const {
    evaluate(y, prices, objective_.loss, c, values, solution.bias, largest, solution.report);
    for (Index i = 0; i < y.size(); ++i)
        if (1.0 - y(i) * (values(i) + solution.bias) > deficit_tolerance)
            solution.violators.push_back(i);
    solution.report.rows = (signs_.array() != 0.0).count();
}

double class_that_outweighs(const Vector &signs, const Objective &objective) {
    // As many rows as they weigh; of weights below 1, which may be shares of 1, as many as there
    // are.
    const auto rows = [&](double sign) {
        double count = 0, weight = 0;
        for (Index i = 0; i < signs.size(); ++i) {
            const double w = objective.sample_weight.size() > 0 ? objective.sample_weight(i) : 1.0;
            if (signs(i) != sign || w == 0) continue;
            ++count;
            weight += w;
        }
        return std::max(count, weight);
    };
    return class_that_outweighs({rows(-1), rows(1)}, objective.class_weight);
}

} // namespace hinge0
