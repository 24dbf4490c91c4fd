/// The loops of quick_sum, included by one source per instruction set with HINGE0_ISA set to a
/// namespace of its own. Nothing here may be linked into the rest.
#include "model/quick/quick_sum.hpp"

namespace hinge0::HINGE0_ISA {
namespace {

/// exp(t) for t <= 0: 2^n times a series in t - n log 2.
inline double quick_exp(double t) {
    constexpr double shift = 0x1.8p52; // its sum with n has n in the last bits
    t = t < -700.0 ? -700.0 : t;
    const double shifted = t * 1.4426950408889634 + shift, n = shifted - shift;
    const double r = t - n * 0.6931471805599453;
    double series = 1.0 / 3628800;
    series = series * r + 1.0 / 362880;
    series = series * r + 1.0 / 40320;
    series = series * r + 1.0 / 5040;
    series = series * r + 1.0 / 720;
    series = series * r + 1.0 / 120;
    series = series * r + 1.0 / 24;
    series = series * r + 1.0 / 6;
    series = series * r + 1.0 / 2;
    series = series * r + 1.0;
    series = series * r + 1.0;
    long long bits = 0;
    __builtin_memcpy(&bits, &shifted, sizeof(bits));
    bits = static_cast<long long>(static_cast<unsigned long long>(bits + 1023) << 52);
    double power = 0;
    __builtin_memcpy(&power, &bits, sizeof(power));
    return series * power;
}

} // namespace

void quick_sum(const QuickTerms &terms, const double *x, double *scratch, QuickSum &out) {
    const Index n = terms.count;
    for (Index j = 0; j < n; ++j) scratch[j] = 0;
    for (Index f = 0; f < terms.features; ++f) {
        const double value = x[f], *const z = terms.z + f * n;
#pragma omp simd
        for (Index j = 0; j < n; ++j) scratch[j] += (value - z[j]) * (value - z[j]);
    }
    double sum = 0, size = 0;
    const double gamma = terms.gamma, *const c = terms.c;
#pragma omp simd reduction(+ : sum, size)
    for (Index j = 0; j < n; ++j) {
        const double part = c[j] * quick_exp(-gamma * scratch[j]);
        sum += part;
        size += __builtin_fabs(part);
    }
    out = {sum, size};
}

} // namespace hinge0::HINGE0_ISA
