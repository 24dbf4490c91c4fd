/// Kernels by name, their parameter ranges, and the two customary choices of gamma.
#include "hinge0/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

struct NameOf {
    std::string_view operator()(const LinearKernel &) const { return "linear"; }
    std::string_view operator()(const PolynomialKernel &) const { return "poly"; }
    std::string_view operator()(const RbfKernel &) const { return "rbf"; }
    std::string_view operator()(const ExponentialKernel &) const { return "exponential"; }
    std::string_view operator()(const InverseMultiquadricKernel &) const { return "imq"; }
    std::string_view operator()(const WendlandKernel &) const { return "wendland"; }
    std::string_view operator()(const LaplacianKernel &) const { return "laplacian"; }
    std::string_view operator()(const PrecomputedKernel &) const { return "precomputed"; }
};

void require(bool holds, std::string_view field, double value, std::string_view range) {
    if (!holds)
        throw InvalidInput(fmt::format("kernel {} must be {}, got {}", field, range, value));
}

void require_positive(std::string_view field, double value) {
    require(std::isfinite(value) && value > 0, field, value, "a positive number");
}

struct Validate {
    void operator()(const LinearKernel &) const {}
    void operator()(const PrecomputedKernel &) const {}
    void operator()(const PolynomialKernel &k) const {
        require_positive("gamma", k.gamma);
        // a negative coef0 makes the kernel indefinite
        require(std::isfinite(k.coef0) && k.coef0 >= 0, "coef0", k.coef0, "a number from 0");
        require(k.degree >= 1 && k.degree <= 100, "degree", k.degree, "in [1, 100]");
    }
    void operator()(const RbfKernel &k) const { require_positive("gamma", k.gamma); }
    void operator()(const ExponentialKernel &k) const { require_positive("gamma", k.gamma); }
    void operator()(const LaplacianKernel &k) const { require_positive("gamma", k.gamma); }
    void operator()(const InverseMultiquadricKernel &k) const {
        require_positive("coef0", k.coef0);
        require_positive("beta", k.beta);
    }
    void operator()(const WendlandKernel &k) const {
        require_positive("gamma", k.gamma);
        require(k.dimension >= 1, "dimension", k.dimension, "at least 1");
    }
};

std::pair<const double *, Index> stored_values(const DenseRows &rows) {
    return {rows.data(), rows.size()};
}
std::pair<const double *, Index> stored_values(const SparseRows &rows) {
    return {rows.valuePtr(), rows.nonZeros()};
}

/// Sum over all entries of (x - centre)^power, zeros of sparse rows included.
double power_sum(const Samples &samples, double centre, int power) {
    return std::visit(
        [&](const auto &rows) {
            double sum = 0;
            const auto [values, stored] = stored_values(rows);
            for (Index k = 0; k < stored; ++k) sum += integer_power(values[k] - centre, power);
            const double zeros =
                static_cast<double>(rows.rows()) * static_cast<double>(rows.cols()) -
                static_cast<double>(stored);
            return sum + zeros * integer_power(-centre, power);
        },
        samples);
}

} // namespace

std::string_view name(const Kernel &kernel) { return std::visit(NameOf{}, kernel); }

void validate(const Kernel &kernel) { std::visit(Validate{}, kernel); }

Kernel make_kernel(std::string_view text, const KernelParameters &p, Index features) {
    const Kernel known[] = {
        LinearKernel{},
        PolynomialKernel{.gamma = p.gamma, .coef0 = p.coef0, .degree = p.degree},
        RbfKernel{p.gamma},
        ExponentialKernel{p.gamma},
        InverseMultiquadricKernel{.coef0 = p.coef0, .beta = p.beta},
        WendlandKernel{.gamma = p.gamma, .dimension = static_cast<int>(features)},
        LaplacianKernel{p.gamma},
        PrecomputedKernel{}};
    const auto *const found =
        std::find_if(std::begin(known), std::end(known),
                     [&](const Kernel &kernel) { return name(kernel) == text; });
    if (found == std::end(known))
        throw InvalidInput(fmt::format("unknown kernel '{}', known are linear, poly, rbf, "
                                       "exponential, imq, wendland, laplacian, precomputed",
                                       text));
    validate(*found);
    return *found;
}

double gamma_scale(const Samples &samples) {
    const double entries =
        static_cast<double>(row_count(samples)) * static_cast<double>(feature_count(samples));
    const double mean = power_sum(samples, 0.0, 1) / entries;
    const double variance = power_sum(samples, mean, 2) / entries;
    if (!std::isfinite(variance))
        throw InvalidInput("the features are too large to compare: scale them (--standardize)");
    return variance > 0 ? 1.0 / (static_cast<double>(feature_count(samples)) * variance) : 1.0;
}

double gamma_auto(const Samples &samples) {
    return 1.0 / static_cast<double>(feature_count(samples));
}

} // namespace hinge0
