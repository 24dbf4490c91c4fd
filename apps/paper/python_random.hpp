#pragma once
/// The draws of Python's random module, so that the flipped labels are the paper's.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0::paper {

/// random.seed(seed) and random.sample(range(population), count) of Python 3.
class PythonRandom {
public:
    explicit PythonRandom(std::uint32_t seed) : bits_(seeded(seed)) {}

    /// `count` of 0 .. population-1 in the order drawn. As Python does it: a few of many are drawn
    /// until they are new, many are taken from a shrinking pool.
    std::vector<Index> sample(std::uint32_t population, std::size_t count) {
        double pool_above = 21;
        if (count > 5)
            pool_above += std::pow(
                4.0, std::ceil(std::log(3.0 * static_cast<double>(count)) / std::log(4.0)));
        std::vector<Index> chosen;
        if (population > pool_above) {
            std::set<std::uint32_t> seen;
            while (chosen.size() < count)
                if (const std::uint32_t draw = below(population); seen.insert(draw).second)
                    chosen.push_back(draw);
            return chosen;
        }
        std::vector<Index> pool(population);
        std::iota(pool.begin(), pool.end(), Index{0});
        for (; chosen.size() < count; pool.pop_back()) {
            const std::uint32_t draw = below(static_cast<std::uint32_t>(pool.size()));
            chosen.push_back(pool[draw]);
            pool[draw] = pool.back();
        }
        return chosen;
    }

private:
    /// Matsumoto and Nishimura's init_by_array for a key of one word, in the form in which the
    /// standard's generator takes its state.
    struct OneWordKey {
        // NOLINTNEXTLINE(readability-identifier-naming): the standard's name
        using result_type = std::uint32_t;
        std::uint32_t key;

        template <class Iterator> void generate(Iterator begin, Iterator end) const {
            constexpr std::uint32_t size = 624;
            std::array<std::uint32_t, size> s{19650218U};
            const auto twist = [&](std::uint32_t i, std::uint32_t factor) {
                return (s[i - 1] ^ (s[i - 1] >> 30)) * factor;
            };
            for (std::uint32_t i = 1; i < size; ++i) s[i] = twist(i, 1812433253U) + i;
            std::uint32_t i = 1;
            const auto advance = [&] {
                if (++i < size) return;
                s[0] = s[size - 1];
                i = 1;
            };
            for (std::uint32_t k = 0; k < size; ++k, advance())
                s[i] = (s[i] ^ twist(i, 1664525U)) + key;
            for (std::uint32_t k = 1; k < size; ++k, advance())
                s[i] = (s[i] ^ twist(i, 1566083941U)) - i;
            s[0] = 0x80000000U;
            std::copy_n(s.begin(), std::min<std::ptrdiff_t>(size, end - begin), begin);
        }
    };

    static std::mt19937 seeded(std::uint32_t seed) {
        OneWordKey key{seed};
        return std::mt19937(key);
    }

    /// Uniform in [0, n): the highest bits that n needs, drawn again until they are below it.
    std::uint32_t below(std::uint32_t n) {
        for (;;) {
            const auto draw = static_cast<std::uint32_t>(bits_());
            if (const std::uint32_t value = draw >> (32 - std::bit_width(n)); value < n)
                return value;
        }
    }

    std::mt19937 bits_;
};

} // namespace hinge0::paper
