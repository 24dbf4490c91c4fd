/// Searches along vectors, and the steps of SMO; see bodies.hpp.
#include "solver/loops/loops.hpp"

namespace hinge0::HINGE0_ISA {
namespace {

constexpr double infinity = __builtin_inf();
/// Where no value is finite, a minimum by OpenMP may also be this: clang begins with it.
constexpr double no_step = 1.7976931348623157e308;

double least_sum(const double *a, const double *b, Index count) {
    double least = infinity;
#pragma omp simd reduction(min : least)
    for (Index i = 0; i < count; ++i) {
        const double sum = a[i] + b[i];
        least = sum < least ? sum : least;
    }
    return least;
}

constexpr Index block = 16; ///< looked at together, before a closer look

Index find_sum(const double *a, const double *b, Index count, double value) {
    for (Index first = 0; first < count; first += block) {
        const Index end = first + block < count ? first + block : count;
        int found = 0;
#pragma omp simd reduction(| : found)
        for (Index i = first; i < end; ++i) found |= a[i] + b[i] == value ? 1 : 0;
        for (Index i = first; found != 0 && i < end; ++i)
            if (a[i] + b[i] == value) return i;
    }
    return -1;
}

double sum_below(const double *a, const double *weights, Index count, double bound) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < count; ++i) sum += a[i] < bound ? weights[i] : 0.0;
    return sum;
}

Index list_below(const double *a, const double *b, Index count, double bound, Index *out) {
    Index listed = 0;
    for (Index first = 0; first < count; first += block) {
        const Index end = first + block < count ? first + block : count;
        int found = 0;
#pragma omp simd reduction(| : found)
        for (Index i = first; i < end; ++i) found |= a[i] + b[i] < bound ? 1 : 0;
        for (Index i = first; found != 0 && i < end; ++i)
            if (a[i] + b[i] < bound) out[listed++] = i;
    }
    return listed;
}

inline double ratio(double value, double rate) {
    return rate < 0 ? (value > 0 ? value : 0.0) / -rate : infinity;
}

Index shorten(const double *values, const double *rates, const double *in_force, Index count,
              double *step) {
    double least = *step;
    Index in = -1; // the block where it is
    for (Index first = 0; first < count; first += block) {
        const Index end = first + block < count ? first + block : count;
        double here = infinity;
#pragma omp simd reduction(min : here)
        for (Index i = first; i < end; ++i) {
            const double r = ratio(values[i], rates[i] * in_force[i]);
            here = r < here ? r : here;
        }
        if (here < least && here < no_step) {
            least = here;
            in = first;
        }
    }
    if (in < 0) return -1;
    *step = least;
    while (ratio(values[in], rates[in] * in_force[in]) != least) ++in;
    return in;
}

double greatest_difference(const double *a, const double *b, Index count) {
    double greatest = -infinity;
#pragma omp simd reduction(max : greatest)
    for (Index i = 0; i < count; ++i) {
        const double difference = a[i] - b[i];
        greatest = difference > greatest ? difference : greatest;
    }
    return greatest;
}

constexpr Index strip = 64; ///< long enough for its extremes to be found by the way

Extremes add_difference(const double *a, const double *b, double step, const double *up,
                        const double *down, Index count, double *f) {
    Extremes found{infinity, 0, -infinity};
    for (Index first = 0; first < count; first += strip) {
        const Index end = first + strip < count ? first + strip : count;
        double least = infinity, greatest = -infinity;
#pragma omp simd reduction(min : least) reduction(max : greatest)
        for (Index i = first; i < end; ++i) {
            const double value = f[i] + step * (a[i] - b[i]);
            f[i] = value;
            const double above = value + up[i], below = value - down[i];
            least = above < least ? above : least;
            greatest = below > greatest ? below : greatest;
        }
        if (least < found.least) found = {least, first, found.greatest};
        found.greatest = greatest > found.greatest ? greatest : found.greatest;
    }
    while (found.at < count && f[found.at] + up[found.at] != found.least) ++found.at;
    return found;
}

Index pair_gains(const double *f, const double *closed, const double *column,
                 const double *diagonal, double own, double low, Index count, double *gains,
                 double *largest) {
    double best = 0;
    Index at = 0;
    for (Index first = 0; first < count; first += strip) {
        const Index end = first + strip < count ? first + strip : count;
        double here = 0;
#pragma omp simd reduction(max : here)
        for (Index t = first; t < end; ++t) {
            const double gap = f[t] - low;
            const double curve = own + diagonal[t] - 2 * column[t];
            const double gain = gap * gap / (curve > 1e-12 ? curve : 1e-12);
            gains[t] = f[t] - closed[t] > low ? gain : 0.0;
            here = gains[t] > here ? gains[t] : here;
        }
        if (here > best) {
            best = here;
            at = first;
        }
    }
    while (at < count && gains[at] != best) ++at;
    *largest = best;
    return at;
}

} // namespace
} // namespace hinge0::HINGE0_ISA
