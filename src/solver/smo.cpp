/// The dual of either loss in the form of the hinge's (docs/math.md).
#include "solver/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/threads.hpp"
#include "gram/ridge_gram.hpp"
#include "solver/hinge_dual.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {
namespace {

/// Pairs that are moved at most, as LIBSVM.
long most_pairs(Index rows) { return std::max(10'000'000L, 100L * rows); }
/// Precision of solutions on the way to the prices.
constexpr double coarse_eps = 0.02;

/// By rising prices: most multipliers are at their bounds long before these are reached.
HingeDual solve_hinge(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                      int threads, Watch &watch, long &steps) {
    const int doublings = doublings_to(prices, columns.gram().diagonal());
    HingeDual dual(y, std::ldexp(1.0, -doublings) * prices);
    for (int k = doublings; k >= 0 && !watch.was_stopped(); --k) {
        steps += dual.solve(columns, k > 0 ? std::max(eps, coarse_eps) : eps, most_pairs(y.size()),
                            threads, watch);
        if (k > 0) dual.double_prices();
    }
    return dual;
}

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
    const auto take = [&](const HingeDual &dual) {
        result.coefficients = dual.weights();
        result.b = dual.bias();
        if (dual.gap() >= eps) result.status = Status::max_iterations;
    };
    if (std::holds_alternative<HingeLoss>(loss)) {
        const HingeDual dual =
            solve_hinge(workspace.columns(), y, prices, eps, threads, watch, result.steps);
        take(dual);
        result.b = cheapest_bias(y, prices, dual.sums(), result.b);
    } else {
        // alpha_i / (2 C_i) is the deficit of i: a ridge on K instead of a bound
        const RidgeGram ridge(workspace.gram(), (2.0 * prices).cwiseInverse());
        ColumnCache columns(ridge, workspace.columns());
        HingeDual dual(y, Vector::Constant(y.size(), std::numeric_limits<double>::infinity()));
        result.steps = dual.solve(columns, eps, most_pairs(y.size()), threads, watch);
        take(dual);
    }
    if (watch.was_stopped())
        result.status = watch.out_of_time() ? Status::time_limit : Status::interrupted;
    return result;
}

} // namespace hinge0
