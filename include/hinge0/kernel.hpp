#pragma once
/// Kernels k(a, z) as formulas of one number, a.z, |a - z|^2 or |a - z|_1, so that a whole block of
/// the Gram matrix is one sum over features followed by one elementwise map.
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "hinge0/host_device.hpp"
#include "hinge0/scalar_math.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

template <class K>
concept ProductKernel = requires(const K &k, double s) {
    { k.of_product(s) } -> std::same_as<double>;
};
template <class K>
concept DistanceKernel = requires(const K &k, double s) {
    { k.of_squared_distance(s) } -> std::same_as<double>;
};
template <class K>
concept ManhattanKernel = requires(const K &k, double s) {
    { k.of_manhattan(s) } -> std::same_as<double>;
};

/// k(a, z) = a.z
struct LinearKernel {
    HINGE0_HD double of_product(double dot) const { return dot; }
};

/// k(a, z) = (gamma a.z + coef0)^degree
struct PolynomialKernel {
    double gamma = 1.0, coef0 = 0.0;
    int degree = 3;
    HINGE0_HD double of_product(double dot) const {
        return integer_power(gamma * dot + coef0, degree);
    }
};

/// k(a, z) = exp(-gamma |a - z|^2)
struct RbfKernel {
    double gamma = 1.0;
    HINGE0_HD double of_squared_distance(double d2) const { return exponential(-gamma * d2); }
};

/// k(a, z) = exp(-gamma |a - z|)
struct ExponentialKernel {
    double gamma = 1.0;
    HINGE0_HD double of_squared_distance(double d2) const {
        return exponential(-gamma * std::sqrt(d2));
    }
};

/// k(a, z) = (coef0^2 + |a - z|^2)^-beta, the inverse multiquadric
struct InverseMultiquadricKernel {
    double coef0 = 1.0, beta = 0.5;
    HINGE0_HD double of_squared_distance(double d2) const {
        return exponential(-beta * std::log(coef0 * coef0 + d2));
    }
};

/// k(a, z) = (1 - r)_+^(l+1) ((l + 1) r + 1), r = gamma |a - z|, l = floor(d/2) + 2: Wendland's C2
/// function, compactly supported and strictly positive definite in R^d (Wendland 2005, Table 9.1).
struct WendlandKernel {
    double gamma = 1.0;
    int dimension = 1; ///< d, the number of features
    HINGE0_HD double of_squared_distance(double d2) const {
        const int power = dimension / 2 + 3;
        const double r = gamma * std::sqrt(d2);
        return r < 1.0 ? integer_power(1.0 - r, power) * (power * r + 1.0) : 0.0;
    }
};

/// k(a, z) = exp(-gamma |a - z|_1)
struct LaplacianKernel {
    double gamma = 1.0;
    HINGE0_HD double of_manhattan(double distance) const { return exponential(-gamma * distance); }
};

/// The samples are themselves the rows of the kernel matrix between them and the training rows.
struct PrecomputedKernel {};

using Kernel =
    std::variant<LinearKernel, PolynomialKernel, RbfKernel, ExponentialKernel,
                 InverseMultiquadricKernel, WendlandKernel, LaplacianKernel, PrecomputedKernel>;

/// "linear", "poly", "rbf", "exponential", "imq", "wendland", "laplacian", "precomputed".
[[nodiscard]] std::string_view name(const Kernel &kernel);

/// A number, "scale" (1 / (d var X)) or "auto" (1 / d).
using Gamma = std::variant<double, std::string>;

/// Every kernel parameter by name, for building a kernel from text. gamma <= 0 is refused.
struct KernelParameters {
    Gamma gamma = 1.0;
    std::optional<double> coef0 = {}; ///< without one: 0, of imq 1
    double beta = 0.5;
    int degree = 3;
};
/// Throws InvalidInput naming the parameter, its value and its range. gamma must be a number.
[[nodiscard]] Kernel make_kernel(std::string_view name, const KernelParameters &parameters,
                                 Index features);
/// The kernel for these samples, whose words for gamma are looked up. `weight`: how often each row
/// counts; empty: once.
[[nodiscard]] Kernel make_kernel(std::string_view name, const KernelParameters &parameters,
                                 const Samples &samples, const Vector &weight = {});

/// Calls visit(name, value) for every parameter of a kernel, in the order in which they are
/// written; values are double or int, and may be set where the kernel may.
template <class AnyKernel, class Visit>
void for_each_parameter(AnyKernel &kernel, const Visit &visit) {
    std::visit(
        [&](auto &k) {
            if constexpr (requires { k.gamma; }) visit("gamma", k.gamma);
            if constexpr (requires { k.coef0; }) visit("coef0", k.coef0);
            if constexpr (requires { k.beta; }) visit("beta", k.beta);
            if constexpr (requires { k.degree; }) visit("degree", k.degree);
            if constexpr (requires { k.dimension; }) visit("dimension", k.dimension);
        },
        kernel);
}
/// Throws InvalidInput if a parameter of the kernel is out of range.
void validate(const Kernel &kernel);

/// 1 / (d var X) over all entries of X, and 1 / d: scikit-learn's gamma="scale" and "auto".
/// `weight`: how often each row counts in var X; empty: once.
[[nodiscard]] double gamma_scale(const Samples &samples, const Vector &weight = {});
[[nodiscard]] double gamma_auto(const Samples &samples);

} // namespace hinge0
