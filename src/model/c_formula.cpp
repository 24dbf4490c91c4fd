/// Kernels in C.
#include "model/c_formula.hpp"

#include <fmt/format.h>

#include <array>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// exp of x <= 0 without branches or calls, as in scalar_math.hpp; @ stands for the name. Where it
/// would be 0 it is the smallest normal number: to choose between the two is a branch, for which
/// compilers make no vector code.
constexpr std::string_view exp_of_double = R"(static inline double @_exp(double x) {
    union { double number; uint64_t bits; } shifted, two_to_n;
    const double c = x < -708.0 ? -708.0 : x;
    shifted.number = c * 1.4426950408889634074 + 6755399441055744.0; /* 1.5 * 2^52 */
    const double n = shifted.number - 6755399441055744.0;
    const double r = (c - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    const double r2 = r * r, r4 = r2 * r2;
    const double low = (0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    const double mid = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    const double high = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600);
    two_to_n.bits = (shifted.bits + 1023) << 52;
    return (1.0 + (r + r2 * (low + r4 * (mid + r4 * high)))) * two_to_n.number;
}
)";
constexpr std::string_view exp_of_float = R"(static inline float @_exp(float x) {
    union { float number; uint32_t bits; } shifted, two_to_n;
    const float c = x < -87.0f ? -87.0f : x;
    shifted.number = c * 1.44269504f + 12582912.0f; /* 1.5 * 2^23 */
    const float n = shifted.number - 12582912.0f;
    const float r = (c - n * 0.693145752f) - n * 1.42860677e-6f, r2 = r * r;
    const float p =
        (0.5f + r * (1.0f / 6)) + r2 * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720)));
    two_to_n.bits = (shifted.bits + 127) << 23;
    return (1.0f + (r + r2 * p)) * two_to_n.number;
}
)";
constexpr std::string_view integer_power =
    R"(static inline @_real @_power(@_real base, int exponent) {
    @_real result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result *= base;
        base *= base;
    }
    return result;
}
)";

constexpr std::array vectors_of_double{
    CVectors{"avx512", "avx512f", "__builtin_cpu_supports(\"avx512f\")", "__m512d", "_mm512", "pd",
             8},
    CVectors{"avx2", "avx2,fma",
             "__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")", "__m256d",
             "_mm256", "pd", 4}};
constexpr std::array vectors_of_float{CVectors{
    "avx2", "avx2,fma", "__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")",
    "__m256", "_mm256", "ps", 8}};

constexpr CTerm product{"x * z", "$I_fmadd_$S(x, z, s)"};
constexpr CTerm squared_distance{"(x - z) * (x - z)",
                                 "$I_fmadd_$S($I_sub_$S(x, z), $I_sub_$S(x, z), s)"};
constexpr CTerm distance{"x < z ? z - x : x - z",
                         "$I_add_$S(s, $I_max_$S($I_sub_$S(x, z), $I_sub_$S(z, x)))"};

struct Formulas {
    bool single;

    [[nodiscard]] std::string number(double value) const { return c_number(value, single); }
    [[nodiscard]] std::string function(std::string_view name) const {
        return c_function(name, single);
    }
    [[nodiscard]] std::string exp() const {
        return std::string(single ? exp_of_float : exp_of_double);
    }

    CFormula operator()(const LinearKernel &) const {
        return {.term = product, .map = "s", .functions = ""};
    }
    CFormula operator()(const PolynomialKernel &k) const {
        return {.term = product,
                .map = fmt::format("@_power({} * s + {}, {})", number(k.gamma), number(k.coef0),
                                   k.degree),
                .functions = std::string(integer_power)};
    }
    CFormula operator()(const RbfKernel &k) const {
        return {.term = squared_distance,
                .map = fmt::format("@_exp(-{} * s)", number(k.gamma)),
                .functions = exp(),
                .needs_exp = true};
    }
    CFormula operator()(const ExponentialKernel &k) const {
        return {.term = squared_distance,
                .map = fmt::format("@_exp(-{} * {}(s))", number(k.gamma), function("sqrt")),
                .functions = exp(),
                .needs_exp = true,
                .needs_math = true};
    }
    CFormula operator()(const LaplacianKernel &k) const {
        return {.term = distance,
                .map = fmt::format("@_exp(-{} * s)", number(k.gamma)),
                .functions = exp(),
                .needs_exp = true};
    }
    CFormula operator()(const InverseMultiquadricKernel &k) const {
        return {.term = squared_distance,
                .map = fmt::format("{}({} + s, -{})", function("pow"), number(k.coef0 * k.coef0),
                                   number(k.beta)),
                .functions = "",
                .needs_math = true};
    }
    CFormula operator()(const WendlandKernel &k) const {
        const int power = k.dimension / 2 + 3;
        const std::string r = fmt::format("{} * {}(s)", number(k.gamma), function("sqrt"));
        return {
            .term = squared_distance,
            .map = fmt::format("({0} < 1 ? @_power(1 - {0}, {1}) * ({1} * {0} + 1) : 0)", r, power),
            .functions = std::string(integer_power),
            .needs_math = true};
    }
    CFormula operator()(const PrecomputedKernel &) const {
        throw InvalidInput("a precomputed kernel has no features to export");
    }
};

} // namespace

std::string c_number(double value, bool single) {
    return single ? fmt::format("{:#.9g}f", value) : fmt::format("{:#.17g}", value);
}

std::string c_function(std::string_view name, bool single) {
    return std::string(name) + (single ? "f" : "");
}

CFormula c_formula(const Kernel &kernel, bool single) {
    return std::visit(Formulas{single}, kernel);
}

std::span<const CVectors> c_vectors(bool single) {
    if (single) return vectors_of_float;
    return vectors_of_double;
}

std::string with_vectors(std::string text, const CVectors &vectors) {
    text = replaced(std::move(text), "$T", vectors.type);
    text = replaced(std::move(text), "$N", vectors.name);
    text = replaced(std::move(text), "$I", vectors.prefix);
    return replaced(std::move(text), "$S", vectors.suffix);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

} // namespace hinge0
