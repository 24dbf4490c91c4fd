/// Two moons and two circles, drawn as scikit-learn draws them from numpy's RandomState: first a
/// shuffle, then the noise.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "core/memory.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

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

void validate(const Synthetic &options) {
    if (options.samples < 2)
        throw InvalidInput(fmt::format("samples must be >= 2, not {}", options.samples));
    if (!(options.noise >= 0 && std::isfinite(options.noise)))
        throw InvalidInput(fmt::format("noise must be finite and >= 0, not {}", options.noise));
    if (!(options.factor >= 0 && options.factor < 1))
        throw InvalidInput(fmt::format("factor must be in [0, 1), not {}", options.factor));
    if (!(options.flip >= 0 && options.flip <= 1))
        throw InvalidInput(fmt::format("flip must be in [0, 1], not {}", options.flip));
    const double bytes_per_row = 2 * sizeof(double) + 2 * sizeof(Index) + sizeof(std::int32_t);
    require_memory(static_cast<double>(options.samples) * bytes_per_row, 0, "making the samples",
                   "ask for fewer");
}

/// The first half of the samples are of class -1, the rest of class +1, before they are shuffled;
/// point(is_positive, k, count) is the k-th of the `count` points of its class. Labels are flipped
/// at the first rows of a second permutation.
template <class Point> Table shuffled(const Synthetic &options, const Point &point) {
    const Index n = options.samples, negatives = n / 2;
    RandomState random(options.seed);
    DenseRows rows(n, 2);
    std::vector<bool> positive(static_cast<std::size_t>(n));
    const std::vector<Index> order = random.permutation(n);
    for (std::size_t i = 0; i < order.size(); ++i) {
        positive[i] = order[i] >= negatives;
        rows.row(static_cast<Index>(i)) = positive[i]
                                              ? point(true, order[i] - negatives, n - negatives)
                                              : point(false, order[i], negatives);
    }
    for (double &x : rows.reshaped<Eigen::RowMajor>()) x += options.noise * random.normal();
    const auto flips = static_cast<std::size_t>(std::round(options.flip * static_cast<double>(n)));
    if (flips > 0) {
        const std::vector<Index> chosen = random.permutation(n);
        for (std::size_t k = 0; k < flips; ++k)
            positive[static_cast<std::size_t>(chosen[k])].flip();
    }
    Table table{std::move(rows), {positive[0] ? "1" : "-1"}, {}};
    for (const bool label : positive) {
        const bool second = label != positive[0];
        if (second && table.label_names.size() == 1)
            table.label_names.push_back(label ? "1" : "-1");
        table.labels.push_back(second ? 1 : 0);
    }
    return table;
}

} // namespace

Table make_moons(const Synthetic &options) {
    validate(options);
    return shuffled(options, [](bool is_positive, Index k, Index count) -> Eigen::RowVector2d {
        // The last angle is pi itself, not a multiple of the rounded step.
        const bool last = k == count - 1 && count > 1;
        const double step = count > 1 ? std::numbers::pi / static_cast<double>(count - 1) : 0.0;
        const double angle = last ? std::numbers::pi : static_cast<double>(k) * step;
        if (is_positive) return {1.0 - std::cos(angle), 1.0 - std::sin(angle) - 0.5};
        return {std::cos(angle), std::sin(angle)};
    });
}

Table make_circles(const Synthetic &options) {
    validate(options);
    const double inner = options.factor;
    return shuffled(options, [inner](bool is_positive, Index k, Index count) -> Eigen::RowVector2d {
        const double step = 2.0 * std::numbers::pi / static_cast<double>(count);
        const double angle = static_cast<double>(k) * step;
        const double radius = is_positive ? inner : 1.0;
        return {std::cos(angle) * radius, std::sin(angle) * radius};
    });
}

} // namespace hinge0
