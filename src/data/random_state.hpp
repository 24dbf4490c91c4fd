#pragma once
/// The draws of numpy's legacy RandomState, so that data sets and splits equal scikit-learn's.
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// The draws of numpy's legacy RandomState(seed). The standard's distributions are not used: each
/// library has its own.
class RandomState {
public:
    explicit RandomState(std::uint32_t seed) : bits_(seed) {}

    /// Uniform in [0, most]: draws under the smallest mask that covers it, until one fits.
    std::uint64_t below_or_equal(std::uint64_t most) {
        const std::uint64_t mask = std::bit_ceil(most + 1) - 1;
        if (mask == 0) return 0;
        const bool wide = most > 0xffffffffU;
        for (;;) {
            const std::uint64_t high = wide ? std::uint64_t{bits_()} << 32 : 0;
            if (const std::uint64_t draw = (high | bits_()) & mask; draw <= most) return draw;
        }
    }

    /// Marsaglia's polar method; the second of each pair is kept for the next call.
    double normal() {
        if (kept_) return std::exchange(kept_, std::nullopt).value();
        double x = 0, y = 0, r2 = 0;
        do {
            x = 2.0 * uniform() - 1.0;
            y = 2.0 * uniform() - 1.0;
            r2 = x * x + y * y;
        } while (r2 >= 1.0 || r2 == 0.0);
        const double factor = std::sqrt(-2.0 * std::log(r2) / r2);
        kept_ = factor * x;
        return factor * y;
    }

    /// 0 .. n-1 in random order.
    std::vector<Index> permutation(Index n) {
        std::vector<Index> order(static_cast<std::size_t>(n));
        std::iota(order.begin(), order.end(), Index{0});
        for (std::size_t i = order.size() - 1; i > 0; --i)
            std::swap(order[i], order[below_or_equal(i)]);
        return order;
    }

private:
    /// 53 random bits in [0, 1).
    double uniform() {
        const std::uint32_t high = static_cast<std::uint32_t>(bits_()) >> 5;
        const std::uint32_t low = static_cast<std::uint32_t>(bits_()) >> 6;
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }

    std::mt19937 bits_;
    std::optional<double> kept_;
};

} // namespace hinge0
