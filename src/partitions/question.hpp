#pragma once
/// What is in a question: which rows of the partition take part, and what is asked of them.
#include <array>
#include <cstdint>

#include "hinge0/model.hpp"
#include "partitions/message.hpp"
#include "solver/rows.hpp"

namespace hinge0 {

enum class Kind : std::uint8_t { sample, rows, keep, score, certify };

/// Which rows take part, with which sign and price: begins every question.
struct Setup {
    Kind kind{};
    std::array<Index, 2> classes{}; ///< of sign -1 and +1; -1: all but the other
    Vector class_prices{};          ///< C times the weight of each class
    Index features = 0;

    /// 0: takes no part.
    [[nodiscard]] double sign(std::int32_t label) const {
        if (label == classes[1]) return 1;
        return classes[0] < 0 || label == classes[0] ? -1 : 0;
    }
    void write(Writer &to) const;
    [[nodiscard]] static Setup read(Reader &from);
};

/// A classifier as it travels: what decision_function needs of it.
void write(Writer &to, const Kernel &kernel, double bias, const Vector &coefficients,
           const Samples &support);
[[nodiscard]] Model read_classifier(Reader &from, Index features);

/// A row of a seeded random order: rows with small keys come first.
struct Drawn {
    std::uint64_t key;
    Index row;

    friend bool operator<(const Drawn &a, const Drawn &z) {
        return a.key != z.key ? a.key < z.key : a.row < z.row;
    }
};
/// Keys of which rows are drawn, both ends included; none where the first is above the last.
struct Keys {
    std::uint64_t first = 1, last = 0;

    [[nodiscard]] bool have(std::uint64_t key) const { return first <= key && key <= last; }
};
/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}
/// A row's place in the order follows from its number: only that need travel.
[[nodiscard]] inline Drawn drawn_row(std::uint64_t seed, Index row) {
    return {mixed(seed ^ mixed(static_cast<std::uint64_t>(row))), row};
}

} // namespace hinge0
