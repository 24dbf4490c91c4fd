#pragma once
/// The parts of an exported C header that depend on its kernel and on the machine: formulas, exp,
/// and the instructions that sums over features are written for. In all texts @ stands for the
/// model's name.
#include <span>
#include <string>

#include "hinge0/kernel.hpp"

namespace hinge0 {

/// A number, or the name of a function of math.h, of float or double.
[[nodiscard]] std::string c_number(double value, bool single);
[[nodiscard]] std::string c_function(std::string_view name, bool single);

/// What is added to a sum s for the values x and z of a feature: in C, and in intrinsics, where $I
/// and $S stand for their prefix and suffix.
struct CTerm {
    std::string_view plain, vectors;
};

/// The term that is summed over features, the map of the sum s, and the functions that it calls.
struct CFormula {
    CTerm term;
    std::string map, functions;
    bool needs_exp = false, needs_math = false;
};
/// Throws InvalidInput for a precomputed kernel.
[[nodiscard]] CFormula c_formula(const Kernel &kernel, bool single);

/// Instructions that the sums over features are written for.
struct CVectors {
    std::string_view name, target, supported, type, prefix, suffix;
    Index width; ///< values in a register
};
/// The best ones first.
[[nodiscard]] std::span<const CVectors> c_vectors(bool single);
/// The text for a kind of registers: $T is their type, $N their name, $I and $S the prefix and
/// suffix of their intrinsics.
[[nodiscard]] std::string with_vectors(std::string text, const CVectors &vectors);

/// The text with `by` for every `what`.
[[nodiscard]] std::string replaced(std::string text, std::string_view what, std::string_view by);

} // namespace hinge0
