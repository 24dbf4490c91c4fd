/// A classifier as one C99 header. Support vectors are held in blocks of eight, feature by feature,
/// so that compilers make vector code of the loops over a block; every kernel value is computed
/// once and handed to all pairs that use it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/memory.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"
#include "hinge0/version.hpp"

namespace hinge0 {
namespace {

constexpr Index lanes = 8;

/// exp without branches or calls, as in scalar_math.hpp; @ stands for the name.
constexpr std::string_view exp_of_double = R"(static inline double @_exp(double x) {
    union { double number; uint64_t bits; } shifted, two_to_n;
    const double c = x < -708.0 ? -708.0 : (x > 709.0 ? 709.0 : x);
    shifted.number = c * 1.4426950408889634074 + 6755399441055744.0; /* 1.5 * 2^52 */
    const double n = shifted.number - 6755399441055744.0;
    const double r = (c - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    const double r2 = r * r, r4 = r2 * r2;
    const double low = (0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    const double mid = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    const double high = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600);
    two_to_n.bits = (shifted.bits + 1023) << 52;
    return x < -708.0 ? 0.0 : (1.0 + (r + r2 * (low + r4 * (mid + r4 * high)))) * two_to_n.number;
}
)";
constexpr std::string_view exp_of_float = R"(static inline float @_exp(float x) {
    union { float number; uint32_t bits; } shifted, two_to_n;
    const float c = x < -87.0f ? -87.0f : (x > 88.0f ? 88.0f : x);
    shifted.number = c * 1.44269504f + 12582912.0f; /* 1.5 * 2^23 */
    const float n = shifted.number - 12582912.0f;
    const float r = (c - n * 0.693145752f) - n * 1.42860677e-6f, r2 = r * r;
    const float p =
        (0.5f + r * (1.0f / 6)) + r2 * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720)));
    two_to_n.bits = (shifted.bits + 127) << 23;
    return x < -87.0f ? 0.0f : (1.0f + (r + r2 * p)) * two_to_n.number;
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

/// The term that is summed over features, x and z its two values, and the map of the sum s.
struct Formula {
    std::string term, map;
    bool needs_exp = false, needs_power = false, needs_math = false;
};

class CWriter {
public:
    CWriter(const Classifier &classifier, const COptions &options)
        : model_(classifier), options_(options),
          vectors_(static_cast<Index>(classifier.rows.size())),
          blocks_((vectors_ + lanes - 1) / lanes),
          formula_(std::visit(Formulas{*this}, model_.kernel)) {}

    std::string write() {
        const std::string tables = this->tables(), functions = this->functions();
        return head() + tables + functions + "#endif\n";
    }

private:
    struct Formulas {
        const CWriter &out;
        Formula operator()(const LinearKernel &) const { return {"x * z", "s"}; }
        Formula operator()(const PolynomialKernel &k) const {
            return {"x * z",
                    fmt::format("@_power({} * s + {}, {})", out.number(k.gamma),
                                out.number(k.coef0), k.degree),
                    false, true};
        }
        Formula operator()(const RbfKernel &k) const {
            return {"(x - z) * (x - z)", fmt::format("@_exp(-{} * s)", out.number(k.gamma)), true};
        }
        Formula operator()(const ExponentialKernel &k) const {
            return {"(x - z) * (x - z)",
                    fmt::format("@_exp(-{} * {}(s))", out.number(k.gamma), out.function("sqrt")),
                    true, false, true};
        }
        Formula operator()(const LaplacianKernel &k) const {
            return {"x < z ? z - x : x - z", fmt::format("@_exp(-{} * s)", out.number(k.gamma)),
                    true};
        }
        Formula operator()(const InverseMultiquadricKernel &k) const {
            return {"(x - z) * (x - z)",
                    fmt::format("{}({} + s, -{})", out.function("pow"),
                                out.number(k.coef0 * k.coef0), out.number(k.beta)),
                    false, false, true};
        }
        Formula operator()(const WendlandKernel &k) const {
            const int power = k.dimension / 2 + 3;
            const std::string r =
                fmt::format("{} * {}(s)", out.number(k.gamma), out.function("sqrt"));
            return {
                "(x - z) * (x - z)",
                fmt::format("({0} < 1 ? @_power(1 - {0}, {1}) * ({1} * {0} + 1) : 0)", r, power),
                false, true, true};
        }
        Formula operator()(const PrecomputedKernel &) const {
            throw InvalidInput("a precomputed kernel has no features to export");
        }
    };

    [[nodiscard]] std::string number(double value) const {
        return options_.single ? fmt::format("{:#.9g}f", value) : fmt::format("{:#.17g}", value);
    }
    [[nodiscard]] std::string function(std::string_view name) const {
        return std::string(name) + (options_.single ? "f" : "");
    }
    /// The text with the model's name for every @.
    [[nodiscard]] std::string named(std::string_view text) const {
        std::string result;
        for (const char c : text) c == '@' ? result += options_.name : result += c;
        return result;
    }
    [[nodiscard]] Index pairs() const { return std::ssize(model_.pairs); }
    [[nodiscard]] double value(Index vector, Index feature) const {
        if (vector >= vectors_) return 0;
        return std::visit([&](const auto &rows) { return double{rows.coeff(vector, feature)}; },
                          model_.support);
    }
    template <class Value>
    std::string table(std::string_view type, std::string_view what, Index count,
                      const Value &value) {
        std::string out = named(fmt::format("static const {} @_{}[] = {{", type, what));
        for (Index i = 0; i < count; ++i)
            fmt::format_to(std::back_inserter(out), "{}{}", i % 8 == 0 ? "\n    " : " ",
                           value(i) + ",");
        return out + "\n};\n";
    }

    [[nodiscard]] std::string head() const {
        std::string guard = options_.name;
        std::ranges::transform(guard, guard.begin(),
                               [](unsigned char c) { return std::toupper(c); });
        return named(fmt::format(
            "/* Written by hinge0 {0}: {1} classes, {2} features, {3} support vectors, {4} "
            "kernel.\n"
            " *\n"
            " *     int c = @_predict(x);   x: {2} features, not scaled\n"
            " *     puts(@_labels[c]);\n"
            " *\n"
            " * The tables take {5} bytes. No memory is allocated; the stack holds {6} values. */\n"
            "#ifndef HINGE0_{7}_H\n#define HINGE0_{7}_H\n\n#include <stdint.h>\n{8}\n"
            "typedef {9} @_real;\n\n"
            "enum {{ @_features = {2}, @_classes = {1}, @_pairs = {10}, @_blocks = {11} }};\n\n",
            version, model_.classes.size(), model_.features, vectors_, name(model_.kernel), bytes_,
            2 * lanes + pairs() + std::ssize(model_.classes), guard,
            formula_.needs_math ? "#include <math.h>\n" : "", options_.single ? "float" : "double",
            pairs(), blocks_));
    }
    std::string tables() {
        const Index width = model_.features, real = options_.single ? 4 : 8;
        std::string out = "static const char *const @_labels[] = {";
        for (const std::string &label : model_.classes) out += quoted(label) + ", ";
        out = named(out + "};\n");
        if (!model_.scaling.empty()) {
            const Vector &mean = model_.scaling.mean, &scale = model_.scaling.scale;
            out += table("@_real", "mean", width, [&](Index f) { return number(mean(f)); });
            out += table("@_real", "scale", width, [&](Index f) { return number(scale(f)); });
            bytes_ += 2 * width * real;
        }
        if (vectors_ > 0) out += vector_tables(real);
        out += table("@_real", "bias", pairs(), [&](Index k) {
            return number(model_.pairs[static_cast<std::size_t>(k)].bias);
        });
        bytes_ += pairs() * real;
        return named(out);
    }
    /// Vectors in blocks; of each vector the pairs that it supports, with its coefficients.
    std::string vector_tables(Index real) {
        const Index width = model_.features;
        std::string out = table("@_real", "support", blocks_ * width * lanes, [&](Index i) {
            const Index block = i / (width * lanes);
            return number(value(block * lanes + i % lanes, i / lanes % width));
        });
        std::vector<std::vector<std::pair<Index, double>>> uses(
            static_cast<std::size_t>(blocks_ * lanes));
        for (Index k = 0; k < pairs(); ++k) {
            const Pair &pair = model_.pairs[static_cast<std::size_t>(k)];
            for (std::size_t p = 0; p < pair.support.size(); ++p)
                uses[static_cast<std::size_t>(pair.support[p])].emplace_back(
                    k, pair.coefficients(static_cast<Index>(p)));
        }
        std::vector<Index> first{0}, pair;
        std::vector<double> coefficient;
        for (const auto &of_vector : uses) {
            for (const auto &[k, c] : of_vector) {
                pair.push_back(k);
                coefficient.push_back(c);
            }
            first.push_back(std::ssize(pair));
        }
        const auto at = [](const auto &list, Index i) { return list[static_cast<std::size_t>(i)]; };
        out += table("uint32_t", "first", std::ssize(first),
                     [&](Index i) { return std::to_string(at(first, i)); });
        out += table(pairs() > 65535 ? "uint32_t" : "uint16_t", "pair", std::ssize(pair),
                     [&](Index i) { return std::to_string(at(pair, i)); });
        out += table("@_real", "coefficient", std::ssize(coefficient),
                     [&](Index i) { return number(at(coefficient, i)); });
        bytes_ += blocks_ * width * lanes * real + 4 * std::ssize(first) + 2 * std::ssize(pair) +
                  std::ssize(coefficient) * real;
        return out;
    }
    [[nodiscard]] std::string functions() const {
        std::string out = "\n";
        if (formula_.needs_exp) out += options_.single ? exp_of_float : exp_of_double;
        if (formula_.needs_power) out += integer_power;
        out += "/* Decision values of all pairs; above 0 a pair is for its second class. */\n"
               "static inline void @_decide(const @_real *features, @_real *h) {\n"
               "    for (int k = 0; k < @_pairs; ++k) h[k] = @_bias[k];\n";
        if (vectors_ > 0)
            out += loop();
        else
            out += "    (void)features;\n";
        out += "}\n/* The class, an index into @_labels. */\n"
               "static inline int @_predict(const @_real *features) {\n"
               "    @_real h[@_pairs];\n"
               "    @_decide(features, h);\n";
        return named(out + verdict() + "}\n");
    }
    [[nodiscard]] std::string loop() const {
        const std::string_view x =
            model_.scaling.empty() ? "features[f]" : "(features[f] - @_mean[f]) / @_scale[f]";
        return fmt::format(
            "    for (int b = 0; b < @_blocks; ++b) {{\n"
            "        @_real sum[{0}] = {{0}}, k[{0}];\n"
            "        const @_real *row = @_support + b * @_features * {0};\n"
            "        for (int f = 0; f < @_features; ++f, row += {0}) {{\n"
            "            const @_real x = {1};\n"
            "            for (int l = 0; l < {0}; ++l) {{\n"
            "                const @_real z = row[l];\n"
            "                sum[l] += {2};\n"
            "            }}\n"
            "        }}\n"
            "        for (int l = 0; l < {0}; ++l) {{\n"
            "            const @_real s = sum[l];\n"
            "            k[l] = {3};\n"
            "        }}\n"
            "        for (int l = 0; l < {0}; ++l)\n"
            "            for (uint32_t p = @_first[b * {0} + l]; p < @_first[b * {0} + "
            "l + 1]; ++p)\n"
            "                h[@_pair[p]] += @_coefficient[p] * k[l];\n"
            "    }}\n",
            lanes, x, formula_.term, formula_.map);
    }
    [[nodiscard]] std::string verdict() const {
        if (model_.is_binary()) return "    return h[0] > 0;\n";
        if (model_.scheme == Scheme::ovr)
            return "    int best = 0;\n"
                   "    for (int c = 1; c < @_classes; ++c)\n"
                   "        if (h[c] > h[best]) best = c;\n"
                   "    return best;\n";
        return "    int votes[@_classes] = {0}, best = 0, k = 0;\n"
               "    for (int a = 0; a < @_classes; ++a)\n"
               "        for (int z = a + 1; z < @_classes; ++z) ++votes[h[k++] > 0 ? z : a];\n"
               "    for (int c = 1; c < @_classes; ++c)\n"
               "        if (votes[c] > votes[best]) best = c;\n"
               "    return best;\n";
    }
    [[nodiscard]] static std::string quoted(const std::string &label) {
        std::string out = "\"";
        for (const char c : label) {
            const auto code = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\' || c == '?' || c == '@' || code < 0x20 || code >= 0x7f)
                fmt::format_to(std::back_inserter(out), "\\{:03o}", code);
            else
                out += c;
        }
        return out + "\"";
    }

    const Classifier &model_;
    const COptions &options_;
    Index vectors_, blocks_;
    Formula formula_;
    Index bytes_ = 0;
};

} // namespace

std::string to_c(const Classifier &classifier, const COptions &options) {
    const auto is_letter = [](char c) {
        return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
    };
    const bool fits = !options.name.empty() && is_letter(options.name[0]) &&
                      std::ranges::all_of(options.name, [&](char c) {
                          return is_letter(c) || (c >= '0' && c <= '9');
                      });
    if (!fits) throw InvalidInput(fmt::format("'{}' is no name in C", options.name));
    const double values = static_cast<double>(classifier.rows.size() + lanes) *
                          static_cast<double>(classifier.features);
    if (values > 2e9) throw InvalidInput("the support vectors have too many values for a C table");
    require_memory(50 * values, 0, "writing the support vectors as a table",
                   "export to libsvm, which holds zeros for nothing");
    return CWriter(classifier, options).write();
}

} // namespace hinge0
