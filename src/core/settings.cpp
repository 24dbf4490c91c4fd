/// Range checks of Objective and Settings, and the price of every sample.
#include "hinge0/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/threads.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

void require(bool holds, const char *field, double value, const char *range) {
    if (!holds) throw InvalidInput(fmt::format("{} must be {}, got {}", field, range, value));
}
bool positive(double value) { return std::isfinite(value) && value > 0; }

} // namespace

void validate(const Objective &objective, Index rows) {
    require(positive(objective.C), "C", objective.C, "a positive number");
    for (const double weight : objective.class_weight)
        require(positive(weight), "class weight", weight, "a positive number");
    const Vector &weights = objective.sample_weight;
    if (weights.size() == 0) return;
    if (weights.size() != rows)
        throw InvalidInput(fmt::format("{} sample weights for {} rows", weights.size(), rows));
    for (const double weight : weights)
        require(std::isfinite(weight) && weight >= 0, "sample weight", weight, "a number from 0");
}

void validate(const Settings &settings) {
    require(settings.starts >= 1 && settings.starts <= 1000000, "starts", settings.starts,
            "in [1, 1000000]");
    require(positive(settings.hinge_share), "hinge-share", settings.hinge_share,
            "a positive number");
    require(settings.working_set >= automatic_working_set && settings.working_set != 1,
            "working-set", static_cast<double>(settings.working_set), "0 or at least 2");
    const double least_kept = settings.least_kept();
    require(least_kept >= 0 && least_kept < 1, "keep-margin", least_kept, "in [0, 1)");
    const double thin = settings.thinning();
    require(thin >= 0 && thin < 1, "thin", thin, "in [0, 1)");
    require(thin == 0 || !settings.searches(), "thin", thin,
            "0 with a search, which keeps what lowers the objective");
    require(positive(settings.sigma), "sigma", settings.sigma, "a positive number");
    require(settings.iota > 0 && settings.iota < 1.618, "iota", settings.iota, "in (0, 1.618)");
    require(positive(settings.tolerance), "tol", settings.tolerance, "a positive number");
    require(settings.max_iterations >= 1, "max-iter", settings.max_iterations, "at least 1");
    require(settings.time_limit > 0, "time-limit", settings.time_limit, "positive");
    require(settings.threads >= 0 && settings.threads <= most_threads, "threads", settings.threads,
            "in [0, 4096]");
    require(settings.memory_limit >= 0, "memory-limit", settings.memory_limit, "at least 0");
}

Vector prices(const Objective &objective, const Vector &signs) {
    Vector prices(signs.size());
    for (Index i = 0; i < signs.size(); ++i) {
        const double weight = objective.class_weight[signs(i) > 0 ? 1 : 0];
        prices(i) = objective.C * weight;
        if (objective.sample_weight.size() > 0) prices(i) *= objective.sample_weight(i);
    }
    return prices;
}

} // namespace hinge0
