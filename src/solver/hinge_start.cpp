/// From one solution of the hinge SVM to the next.
#include "solver/hinge_start.hpp"

#include <algorithm>
#include <cmath>

namespace hinge0 {
namespace {

/// The path begins where prices times kernel values are at most this: below, a solution from
/// nothing is as quick as one by a path, and touches fewer rows.
constexpr double first_price = 4.0;
/// Solutions that are remembered: the ends of paths which two threads walk, and some more.
constexpr std::size_t most_remembered = 4;
/// On the way to the prices no solution need be more precise.
constexpr double coarse_eps = 0.02;

/// How often the prices are doubled on a path to these.
int doublings_to(const Vector &prices, const Vector &diagonal) {
    const double largest = prices.maxCoeff() * diagonal.maxCoeff();
    return std::max(0, static_cast<int>(std::ceil(std::log2(largest / first_price))));
}

} // namespace

HingeDual hinge_by_rising_prices(ColumnCache &columns, const Vector &y, const Vector &prices,
                                 double eps, int threads, Watch &watch, long &steps) {
    const int doublings = doublings_to(prices, columns.gram().diagonal());
    HingeDual dual(y, std::ldexp(1.0, -doublings) * prices);
    for (int k = doublings; k >= 0 && !watch.was_stopped(); --k) {
        steps += dual.solve(columns, k > 0 ? std::max(eps, coarse_eps) : eps,
                            pairs_on_a_path(y.size()), threads, watch);
        if (k > 0) dual.double_prices();
    }
    return dual;
}

Vector hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                     int threads, Watch &watch) {
    HingeDual dual(y, prices);
    dual.solve(columns, eps, 100L * y.size() + 10000, threads, watch);
    return dual.margins();
}

HingePoint HingePath::point(ColumnCache &columns, const Vector &y, const Vector &prices, double eps,
                            int threads, Watch &watch) {
    // Halving is exact, so that the paths to C and to 2 C share their points to the last bit.
    const int doublings = doublings_to(prices, columns.gram().diagonal());
    const long most = pairs_on_a_path(y.size());
    std::list<HingeDual> known;
    int k = 0;
    for (; k <= doublings && known.empty(); ++k) known = recall(y, std::ldexp(1.0, -k) * prices);
    if (known.empty()) {
        known.emplace_back(y, std::ldexp(1.0, -doublings) * prices);
        known.front().solve(columns, eps, most, threads, watch);
    }
    HingeDual &dual = known.front();
    for (--k; k > 0 && !watch.stopped(); --k) {
        dual.double_prices();
        dual.solve(columns, eps, most, threads, watch);
    }
    HingePoint result{dual.margins(), dual.alpha()};
    if (!watch.was_stopped()) remember(std::move(known));
    return result;
}

/// Taken out: whoever goes on from it brings back what it became.
std::list<HingeDual> HingePath::recall(const Vector &y, const Vector &prices) {
    const std::lock_guard lock(mutex_);
    std::list<HingeDual> found;
    const auto at = std::find_if(lately_.begin(), lately_.end(),
                                 [&](const HingeDual &dual) { return dual.is_of(y, prices); });
    if (at != lately_.end()) found.splice(found.begin(), lately_, at);
    return found;
}

void HingePath::remember(std::list<HingeDual> solution) {
    const std::lock_guard lock(mutex_);
    lately_.splice(lately_.begin(), solution);
    if (lately_.size() > most_remembered) lately_.pop_back();
}

} // namespace hinge0
