/// Kernels by name, their parameter ranges, and the two customary choices of gamma.
#include "hinge0/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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

/// The values of row i that are stored.
std::span<const double> stored_values(const DenseRows &rows, Index i) {
    return {rows.data() + i * rows.cols(), static_cast<std::size_t>(rows.cols())};
}
std::span<const double> stored_values(const SparseRows &rows, Index i) {
    const auto first = rows.outerIndexPtr()[i], last = rows.outerIndexPtr()[i + 1];
    return {rows.valuePtr() + first, static_cast<std::size_t>(last - first)};
}

double weight_of(const Vector &weight, Index i) { return weight.size() > 0 ? weight(i) : 1.0; }

/// Sum over all entries of weight (x - centre)^power, zeros of sparse rows included.
double power_sum(const Samples &samples, const Vector &weight, double centre, int power) {
    return std::visit(
        [&](const auto &rows) {
            double sum = 0, zeros = 0;
            for (Index i = 0; i < rows.rows(); ++i) {
                const auto values = stored_values(rows, i);
                const double w = weight_of(weight, i);
                for (const double x : values) sum += w * integer_power(x - centre, power);
                zeros += w * static_cast<double>(rows.cols() - std::ssize(values));
            }
            return sum + zeros * integer_power(-centre, power);
        },
        samples);
}

/// Squares of smaller features lose their digits.
constexpr double smallest_to_square = 1e-150;

double largest_size(const Samples &samples) {
    double largest = 0;
    std::visit(
        [&](const auto &rows) {
            for (Index i = 0; i < rows.rows(); ++i)
                for (const double x : stored_values(rows, i))
                    largest = std::max(largest, std::fabs(x));
        },
        samples);
    return largest;
}

} // namespace

std::string_view name(const Kernel &kernel) { return std::visit(NameOf{}, kernel); }

void validate(const Kernel &kernel) { std::visit(Validate{}, kernel); }

Kernel make_kernel(std::string_view name, const KernelParameters &parameters, Index features) {
    if (!std::holds_alternative<double>(parameters.gamma))
        throw InvalidInput(fmt::format("kernel gamma must be a number, scale or auto, got '{}'",
                                       std::get<std::string>(parameters.gamma)));
    const double gamma = std::get<double>(parameters.gamma);
    const Kernel known[] = {
        LinearKernel{},
        PolynomialKernel{
            .gamma = gamma, .coef0 = parameters.coef0.value_or(0.0), .degree = parameters.degree},
        RbfKernel{gamma},
        ExponentialKernel{gamma},
        InverseMultiquadricKernel{.coef0 = parameters.coef0.value_or(1.0), .beta = parameters.beta},
        WendlandKernel{.gamma = gamma, .dimension = static_cast<int>(features)},
        LaplacianKernel{gamma},
        PrecomputedKernel{}};
    const auto *const found =
        std::find_if(std::begin(known), std::end(known),
                     [&](const Kernel &kernel) { return hinge0::name(kernel) == name; });
    if (found == std::end(known))
        throw InvalidInput(fmt::format("unknown kernel '{}', known are linear, poly, rbf, "
                                       "exponential, imq, wendland, laplacian, precomputed",
                                       name));
    validate(*found);
    return *found;
}

Kernel make_kernel(std::string_view name, const KernelParameters &parameters,
                   const Samples &samples, const Vector &weight) {
    KernelParameters numbers = parameters;
    if (const auto *const word = std::get_if<std::string>(&parameters.gamma)) {
        const bool unused = name == "precomputed" || name == "linear" || name == "imq";
        if (*word == "auto")
            numbers.gamma = gamma_auto(samples);
        else if (*word == "scale")
            numbers.gamma = unused ? 1.0 : gamma_scale(samples, weight);
    }
    return make_kernel(name, numbers, feature_count(samples));
}

double gamma_scale(const Samples &samples, const Vector &weight) {
    const double rows = weight.size() > 0 ? weight.sum() : static_cast<double>(row_count(samples));
    const double entries = rows * static_cast<double>(feature_count(samples));
    const double mean = power_sum(samples, weight, 0.0, 1) / entries;
    const double variance = power_sum(samples, weight, mean, 2) / entries;
    if (!std::isfinite(variance))
        throw InvalidInput("the features are too large to compare: scale them (--standardize)");
    const double gamma = 1.0 / (static_cast<double>(feature_count(samples)) * variance);
    if (largest_size(samples) > 0 && largest_size(samples) < smallest_to_square)
        throw InvalidInput(fmt::format("the features, up to {:g}, are too small for gamma = scale; "
                                       "scale them (--standardize) or give gamma a number",
                                       largest_size(samples)));
    return variance > 0 ? gamma : 1.0;
}

double gamma_auto(const Samples &samples) {
    return 1.0 / static_cast<double>(feature_count(samples));
}

} // namespace hinge0
