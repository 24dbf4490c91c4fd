#pragma once
/// What is in a question: which rows of the partition take part, and what is asked of them.
#include <array>
#include <cstdint>

#include "partitions/message.hpp"
#include "solver/rows.hpp"

namespace hinge0 {

enum class Kind : Index { sample, rows, keep, score, certify };

/// Which rows take part, with which sign and price: begins every question.
struct Setup {
    Kind kind{};
    std::array<Index, 2> classes{};     ///< of sign -1 and +1; -1: all but the other
    std::vector<double> class_prices{}; ///< C times the weight of each class
    Index features = 0;

    /// 0: takes no part.
    [[nodiscard]] double sign(std::int32_t label) const {
        if (label == classes[1]) return 1;
        return classes[0] < 0 || label == classes[0] ? -1 : 0;
    }
    void write(Writer &to) const {
        to.put(kind);
        to.put(classes);
        to.put_list(std::span<const double>(class_prices));
        to.put(features);
    }
    [[nodiscard]] static Setup read(Reader &from) {
        Setup setup;
        setup.kind = from.get<Kind>();
        setup.classes = from.get<std::array<Index, 2>>();
        setup.class_prices = from.get_list<double>();
        setup.features = from.get<Index>();
        return setup;
    }
};

/// A row of a seeded random order: rows with small keys come first.
struct Drawn {
    std::uint64_t key;
    Index row;

    friend bool operator<(const Drawn &a, const Drawn &z) {
        return a.key != z.key ? a.key < z.key : a.row < z.row;
    }
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
