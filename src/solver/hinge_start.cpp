/// SMO with second-order working-set selection (Fan, Chen and Lin 2005).
#include "solver/hinge_start.hpp"

#include <cmath>
#include <limits>

namespace hinge0 {

Vector hinge_margins(ColumnStore &columns, const Vector &y, const Vector &prices, double eps,
                     double bytes, Poll &poll) {
    const Index m = y.size();
    const Vector &diagonal = columns.diagonal();
    Vector alpha = Vector::Zero(m), f = Vector::Zero(m); // f = K (y alpha)
    constexpr double inf = std::numeric_limits<double>::infinity();
    double b = 0;
    for (long k = 0; k < 100L * m + 10000; ++k) {
        // y_i - f_i is largest among those that may rise, smallest among those that may fall
        double high = -inf, low = inf;
        Index i = -1;
        for (Index t = 0; t < m; ++t) {
            const double g = y(t) - f(t);
            if ((y(t) > 0 ? alpha(t) < prices(t) : alpha(t) > 0) && g > high) {
                high = g;
                i = t;
            }
            if ((y(t) > 0 ? alpha(t) > 0 : alpha(t) < prices(t)) && g < low) low = g;
        }
        b = 0.5 * (high + low);
        if (high - low < eps || i < 0 || poll.stopped(0)) break;
        columns.trim(bytes);
        const double *const ki = columns.column(i);
        Index j = -1;
        double best = 0, rate = 1;
        for (Index t = 0; t < m; ++t) {
            if (!(y(t) > 0 ? alpha(t) > 0 : alpha(t) < prices(t))) continue;
            const double gap = high - (y(t) - f(t));
            if (gap <= 0) continue;
            const double a = std::max(diagonal(i) + diagonal(t) - 2 * ki[t], 1e-12);
            if (gap * gap / a > best) {
                best = gap * gap / a;
                j = t;
                rate = gap / a;
            }
        }
        if (j < 0) break;
        const double rise = y(i) > 0 ? prices(i) - alpha(i) : alpha(i);
        const double fall = y(j) > 0 ? alpha(j) : prices(j) - alpha(j);
        const double step = std::min({rate, rise, fall});
        alpha(i) += y(i) * step;
        alpha(j) -= y(j) * step;
        if (step == rise) alpha(i) = y(i) > 0 ? prices(i) : 0;
        if (step == fall) alpha(j) = y(j) > 0 ? 0 : prices(j);
        const double *const kj = columns.column(j);
        for (Index t = 0; t < m; ++t) f(t) += step * (ki[t] - kj[t]);
    }
    return y.array() * (f.array() + b);
}

} // namespace hinge0
