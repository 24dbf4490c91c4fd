/// The dual of either loss in the form of the hinge's (docs/math.md).
#include "solver/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/threads.hpp"
#include "gram/ridge_gram.hpp"
#include "solver/exact_dual.hpp"
#include "solver/hinge_dual.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {
namespace {

/// Pairs that are moved at most where those of a path did not do.
long most_pairs(Index rows) { return 100L * rows + 1'000'000; }
/// So few that the solution is brought from the tolerance to rounding error.
constexpr Index few_rows = 1000;

/// Of all b, the one that costs least: where the prices of those with y_i - s_i below b amount to
/// those of the positive class. `s`: K c
double cheapest_bias(const Vector &y, const Vector &prices, const Vector &s, double usual) {
    std::vector<std::pair<double, double>> at; // where a row begins or ceases to pay, and its price
    double positive = 0;
    for (Index i = 0; i < y.size(); ++i) {
        at.emplace_back(y(i) - s(i), prices(i));
        if (y(i) > 0) positive += prices(i);
    }
    std::sort(at.begin(), at.end());
    double sum = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
        sum += at[k].second;
        if (sum < positive * (1 - 1e-14)) continue;
        // a whole interval is as cheap where the sums are equal
        const bool flat = sum <= positive * (1 + 1e-14) && k + 1 < at.size();
        return std::clamp(usual, at[k].first, flat ? at[k + 1].first : at[k].first);
    }
    return usual;
}

} // namespace

SmoResult smo(Workspace &workspace, const Vector &y, const Vector &prices, const Settings &settings,
              const Loss &loss, Watch &watch) {
    const int threads = thread_count(settings.threads);
    const double eps = settings.tolerance;
    SmoResult result;
    // From near the solution to it. `bounds`: of the multipliers. True if it is exact.
    const auto finish = [&](HingeDual &dual, ColumnCache &columns, const Vector &bounds) {
        if (y.size() <= few_rows && !watch.was_stopped())
            if (const ExactDual exact = exact_dual(columns, y, bounds, dual.weights());
                exact.found) {
                result.coefficients = exact.weights;
                result.b = exact.b;
                return true;
            }
        if (dual.gap() >= eps)
            result.steps += dual.solve(columns, eps, most_pairs(y.size()), threads, watch);
        if (dual.gap() >= eps) result.status = Status::max_iterations;
        result.coefficients = dual.weights();
        result.b = dual.bias();
        return false;
    };
    if (std::holds_alternative<HingeLoss>(loss)) {
        ColumnCache &columns = workspace.columns();
        HingeDual dual =
            hinge_by_rising_prices(columns, y, prices, eps, threads, watch, result.steps);
        if (!finish(dual, columns, prices))
            result.b = cheapest_bias(y, prices, dual.sums(), result.b);
    } else {
        // alpha_i / (2 C_i) is the deficit of i: a ridge on K instead of a bound
        const RidgeGram ridge(workspace.gram(), (2.0 * prices).cwiseInverse());
        ColumnCache columns(ridge, workspace.columns());
        const Vector none = Vector::Constant(y.size(), std::numeric_limits<double>::infinity());
        HingeDual dual(y, none);
        result.steps = dual.solve(columns, eps, pairs_on_a_path(y.size()), threads, watch);
        finish(dual, columns, none);
    }
    if (watch.was_stopped())
        result.status = watch.out_of_time() ? Status::time_limit : Status::interrupted;
    return result;
}

} // namespace hinge0
