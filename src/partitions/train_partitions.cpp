/// A fit of partitions, from what is known of them to a model.
#include <algorithm>

#include "hinge0/error.hpp"
#include "partitions/rows_in_partitions.hpp"
#include "solver/many_rows.hpp"

namespace hinge0 {
namespace {

void check(const Partitions &partitions, const Settings &settings, const Kernel &kernel) {
    validate(settings);
    if (settings.method != Method::exact || settings.start != Start::hinge || settings.searches())
        throw InvalidInput("rows in partitions are fitted by the exact solver, without a search");
    if (std::holds_alternative<PrecomputedKernel>(kernel))
        throw InvalidInput("a precomputed kernel has no rows that could be in partitions");
    const std::size_t count = partitions.rows.size();
    if (partitions.first.size() != count + 1 || partitions.weight.size() != count ||
        !std::is_sorted(partitions.first.begin(), partitions.first.end()))
        throw InvalidInput("what is known of the partitions does not fit together");
}

/// As many rows as they weigh, or as there are, if these are more.
std::array<double, 2> class_rows(const Partitions &partitions, const Setup &setup) {
    std::array<double, 2> count{}, weight{};
    for (std::size_t p = 0; p < partitions.rows.size(); ++p)
        for (std::size_t label = 0; label < partitions.rows[p].size(); ++label) {
            const double sign = setup.sign(static_cast<std::int32_t>(label));
            if (sign == 0) continue;
            count[sign > 0 ? 1 : 0] += static_cast<double>(partitions.rows[p][label]);
            weight[sign > 0 ? 1 : 0] += partitions.weight[p][label];
        }
    return {std::max(count[0], weight[0]), std::max(count[1], weight[1])};
}

/// By rising row, as models have them.
void store(const Expansion &h, const RowsInPartitions &rows, Model &model) {
    std::vector<std::size_t> order(h.rows.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t z) { return h.rows[a] < h.rows[z]; });
    model.coefficients.resize(std::ssize(order));
    for (std::size_t k = 0; k < order.size(); ++k) {
        model.rows.push_back(h.rows[order[k]]);
        model.coefficients(static_cast<Index>(k)) = h.weights(static_cast<Index>(order[k]));
    }
    model.support = rows.samples(model.rows);
}

} // namespace

Fit train(const Partitions &partitions, std::array<Index, 2> classes, const Kernel &kernel,
          double C, const std::vector<double> &class_weight, const Settings &settings,
          const Observer &observer) {
    check(partitions, settings, kernel);
    const auto weight = [&](Index label) {
        return class_weight.at(static_cast<std::size_t>(label));
    };
    Setup setup{.classes = classes, .features = partitions.features};
    setup.class_prices =
        C * Eigen::Map<const Vector>(class_weight.data(), std::ssize(class_weight));
    Objective objective{.C = C};
    if (classes[0] >= 0) objective.class_weight = {weight(classes[0]), weight(classes[1])};
    validate(objective, partitions.first.back());
    Watch watch(observer, settings.time_limit);
    RowsInPartitions rows(partitions, setup, kernel, settings);
    ManyRowsSolution solution = solve_many(rows, class_rows(partitions, setup), most_sampled_rows,
                                           objective, settings, watch);
    watch.rethrow();
    Fit fit{.model = {}, .report = std::move(solution.report)};
    fit.report.features = partitions.features;
    fit.report.kernel = kernel;
    Model &model = fit.model;
    model.kernel = kernel;
    model.features = partitions.features;
    model.bias = solution.h.bias;
    store(solution.h, rows, model);
    model.C = C;
    model.class_weight = objective.class_weight;
    model.training_rows = partitions.first.back();
    model.status = fit.report.status;
    model.objective = fit.report.objective;
    return fit;
}

} // namespace hinge0
