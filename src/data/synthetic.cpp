/// Two moons and two circles, drawn as scikit-learn draws them from numpy's RandomState: first a
/// shuffle, then the noise.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/memory.hpp"
#include "data/random_state.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

void validate(const Synthetic &options) {
    if (options.samples < 2)
        throw InvalidInput(fmt::format("samples must be >= 2, not {}", options.samples));
    if (!(options.noise >= 0 && options.noise <= 1e300)) // ten times as much is still a number
        throw InvalidInput(fmt::format("noise must be in [0, 1e300], not {}", options.noise));
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
template <class Point> Table draw(const Synthetic &options, const Point &point) {
    const Index n = options.samples, negatives = n / 2;
    RandomState random(options.seed);
    DenseRows rows(n, 2);
    std::vector<bool> positive(static_cast<std::size_t>(n));
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    if (options.shuffle) order = random.permutation(n);
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
            table.label_names.emplace_back(label ? "1" : "-1");
        table.labels.push_back(second ? 1 : 0);
    }
    return table;
}

} // namespace

Table make_moons(const Synthetic &options) {
    validate(options);
    return draw(options, [](bool is_positive, Index k, Index count) -> Eigen::RowVector2d {
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
    return draw(options, [inner](bool is_positive, Index k, Index count) -> Eigen::RowVector2d {
        const double step = 2.0 * std::numbers::pi / static_cast<double>(count);
        const double angle = static_cast<double>(k) * step;
        const double radius = is_positive ? inner : 1.0;
        return {std::cos(angle) * radius, std::sin(angle) * radius};
    });
}

} // namespace hinge0
