/// A classifier as one C99 header. Support vectors are held in blocks of eight, feature by feature,
/// for vector code over a block; every kernel value is computed once and handed to all pairs that
/// use it. Compilers at -O2 make too little of the sums over features, so those are also written
/// with the intrinsics of x86-64, and the processor is asked at run time which of them it has.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/memory.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"
#include "hinge0/version.hpp"
#include "model/c_formula.hpp"

namespace hinge0 {
namespace {

constexpr Index lanes = 8;

constexpr std::string_view if_vectors =
    "#if defined(__GNUC__) && defined(__x86_64__) && !defined(HINGE0_PLAIN)\n";

/// Compilers that may change the order of sums take the shift and its inverse for nothing.
constexpr std::string_view refuse_fast_math =
    "#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)\n"
    "#error \"compile this file without -ffast-math: exp needs its sums in their order\"\n"
    "#endif\n";

class CWriter {
public:
    CWriter(const Classifier &classifier, const COptions &options)
        : model_(classifier), options_(options),
          vectors_(static_cast<Index>(classifier.rows.size())),
          blocks_((vectors_ + lanes - 1) / lanes),
          formula_(c_formula(model_.kernel, options.single)) {}

    std::string write() {
        const std::string tables = this->tables(), functions = this->functions();
        return head() + tables + functions + "#endif\n";
    }

private:
    [[nodiscard]] std::string number(double value) const {
        return c_number(value, options_.single);
    }
    /// The text with the model's name for every @.
    [[nodiscard]] std::string named(std::string_view text) const {
        return replaced(std::string(text), "@", options_.name);
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
            "#ifndef HINGE0_{7}_H\n#define HINGE0_{7}_H\n\n{12}#include <stdint.h>\n{8}{13}"
            "#include <immintrin.h>\n#endif\n\n"
            "typedef {9} @_real;\n\n"
            "enum {{ @_features = {2}, @_classes = {1}, @_pairs = {10}, @_blocks = {11} }};\n\n",
            version, model_.classes.size(), model_.features, vectors_, name(model_.kernel), bytes_,
            stack_values(), guard, formula_.needs_math ? "#include <math.h>\n" : "",
            options_.single ? "float" : "double", pairs(), blocks_,
            formula_.needs_exp ? refuse_fast_math : "", if_vectors));
    }
    /// The row, scaled; kernel values and sums of a block; decision values; votes.
    [[nodiscard]] Index stack_values() const {
        return (model_.scaling.empty() ? 0 : model_.features) + 2 * lanes + pairs() +
               std::ssize(model_.classes);
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
    std::string vector_tables(Index real) {
        const Index width = model_.features, count = blocks_ * width * lanes;
        bytes_ += count * real;
        return table("@_real", "support", count,
                     [&](Index i) {
                         const Index block = i / (width * lanes);
                         return number(value(block * lanes + i % lanes, i / lanes % width));
                     }) +
               (pairs() == 1 ? coefficient_table(real) : coefficient_tables(real));
    }
    /// One pair: a coefficient for every lane.
    std::string coefficient_table(Index real) {
        const Pair &pair = model_.pairs.front();
        Vector of_lane = Vector::Zero(blocks_ * lanes);
        for (std::size_t p = 0; p < pair.support.size(); ++p)
            of_lane(pair.support[p]) = pair.coefficients(static_cast<Index>(p));
        bytes_ += of_lane.size() * real;
        return table("@_real", "coefficient", of_lane.size(),
                     [&](Index i) { return number(of_lane(i)); });
    }
    /// Of each vector the pairs that it supports, with its coefficients.
    std::string coefficient_tables(Index real) {
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
        const bool wide = pairs() > 65535;
        bytes_ += 4 * std::ssize(first) + (wide ? 4 : 2) * std::ssize(pair) +
                  std::ssize(coefficient) * real;
        return table("uint32_t", "first", std::ssize(first),
                     [&](Index i) { return std::to_string(at(first, i)); }) +
               table(wide ? "uint32_t" : "uint16_t", "pair", std::ssize(pair),
                     [&](Index i) { return std::to_string(at(pair, i)); }) +
               table("@_real", "coefficient", std::ssize(coefficient),
                     [&](Index i) { return number(at(coefficient, i)); });
    }
    [[nodiscard]] std::string functions() const {
        std::string out = "\n" + formula_.functions;
        if (vectors_ > 0) {
            out += decision("plain", "", plain_sums()) + std::string(if_vectors);
            for (const CVectors &vectors : c_vectors(options_.single)) {
                const std::string target =
                    fmt::format("__attribute__((target(\"{}\")))\n", vectors.target);
                out += target + vector_term(vectors) +
                       decision(vectors.name, target, vector_sums(vectors));
            }
            out += "#endif\n";
        }
        out += "/* Decision values of all pairs; above 0 a pair is for its second class. */\n"
               "static inline void @_decide(const @_real *features, @_real *h) {\n" +
               (vectors_ > 0 ? choice()
                             : "    for (int k = 0; k < @_pairs; ++k) h[k] = @_bias[k];\n"
                               "    (void)features;\n") +
               "}\n/* The class, an index into @_labels. */\n"
               "static inline int @_predict(const @_real *features) {\n"
               "    @_real h[@_pairs];\n"
               "    @_decide(features, h);\n";
        return named(out + verdict() + "}\n");
    }
    /// Scales the row, and decides by the best instructions that there are.
    [[nodiscard]] std::string choice() const {
        std::string out;
        if (model_.scaling.empty())
            out = "    const @_real *x = features;\n";
        else
            out = "    @_real x[@_features];\n"
                  "    for (int f = 0; f < @_features; ++f)\n"
                  "        x[f] = (features[f] - @_mean[f]) / @_scale[f];\n";
        out += if_vectors;
        for (const CVectors &vectors : c_vectors(options_.single))
            out += fmt::format("    if ({}) {{\n"
                               "        @_{}(x, h);\n"
                               "        return;\n"
                               "    }}\n",
                               vectors.supported, vectors.name);
        return out + "#endif\n    @_plain(x, h);\n";
    }
    /// A function that runs over the blocks: sums over features into k, their map, and what the
    /// coefficients make of it.
    [[nodiscard]] std::string decision(std::string_view name, std::string_view attribute,
                                       std::string_view sums) const {
        const bool one = pairs() == 1;
        return fmt::format(
            "{1}static inline void @_{2}(const @_real *row, @_real *h) {{\n"
            "{3}"
            "    const @_real *support = @_support;\n"
            "    for (int b = 0; b < @_blocks; ++b, support += @_features * {0}) {{\n"
            "        @_real k[{0}];\n"
            "{4}"
            "        for (int l = 0; l < {0}; ++l) {{\n"
            "            const @_real s = k[l];\n"
            "            k[l] = {5};\n"
            "        }}\n"
            "{6}"
            "    }}\n"
            "{7}"
            "}}\n",
            lanes, attribute, name,
            one ? fmt::format("    @_real sum[{}] = {{0}};\n", lanes)
                : "    for (int p = 0; p < @_pairs; ++p) h[p] = @_bias[p];\n",
            sums, formula_.map, one ? of_one_pair() : of_pairs(),
            one ? fmt::format("    h[0] = @_bias[0];\n"
                              "    for (int l = 0; l < {}; ++l) h[0] += sum[l];\n",
                              lanes)
                : "");
    }
    [[nodiscard]] static std::string of_one_pair() {
        return fmt::format(
            "        for (int l = 0; l < {0}; ++l) sum[l] += @_coefficient[b * {0} + l] * k[l];\n",
            lanes);
    }
    [[nodiscard]] static std::string of_pairs() {
        return fmt::format(
            "        for (int l = 0; l < {0}; ++l)\n"
            "            for (uint32_t p = @_first[b * {0} + l]; p < @_first[b * {0} + l + 1]; "
            "++p)\n"
            "                h[@_pair[p]] += @_coefficient[p] * k[l];\n",
            lanes);
    }
    [[nodiscard]] std::string plain_sums() const {
        return fmt::format("        for (int l = 0; l < {0}; ++l) k[l] = 0;\n"
                           "        for (int f = 0; f < @_features; ++f)\n"
                           "            for (int l = 0; l < {0}; ++l) {{\n"
                           "                const @_real x = row[f], z = support[f * {0} + l];\n"
                           "                k[l] += {1};\n"
                           "            }}\n",
                           lanes, formula_.term.plain);
    }
    /// One feature more in the sums of the lanes that a register holds.
    [[nodiscard]] std::string vector_term(const CVectors &vectors) const {
        return with_vectors(
            "static inline $T @_term_$N($T s, @_real of_row, const @_real *of_vectors) "
            "{\n"
            "    const $T x = $I_set1_$S(of_row), z = $I_loadu_$S(of_vectors);\n"
            "    return " +
                std::string(formula_.term.vectors) + ";\n}\n",
            vectors);
    }
    /// Even and odd features have sums of their own, which do not wait for each other.
    [[nodiscard]] std::string vector_sums(const CVectors &vectors) const {
        return with_vectors(
            fmt::format("        for (int l = 0; l < {0}; l += {1}) {{\n"
                        "            const @_real *z = support + l;\n"
                        "            $T even = $I_setzero_$S(), odd = even;\n"
                        "            int f = 0;\n"
                        "            for (; f + 1 < @_features; f += 2, z += 2 * {0}) {{\n"
                        "                even = @_term_$N(even, row[f], z);\n"
                        "                odd = @_term_$N(odd, row[f + 1], z + {0});\n"
                        "            }}\n"
                        "            if (f < @_features) even = @_term_$N(even, row[f], z);\n"
                        "            $I_storeu_$S(k + l, $I_add_$S(even, odd));\n"
                        "        }}\n",
                        lanes, vectors.width),
            vectors);
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
    CFormula formula_;
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
