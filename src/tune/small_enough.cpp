/// Which fits are made until one is small enough.
#include "hinge0/small_enough.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// A model of so many times as many support vectors as wanted is too large to be thinned out.
constexpr double most_thinned_out = 4;

} // namespace

std::vector<double> further_thinnings(const Objective &objective, const Settings &settings) {
    const bool has_meaning = std::holds_alternative<L0Loss>(objective.loss) &&
                             settings.method == Method::exact && !settings.searches();
    if (!has_meaning || settings.thin != automatic_thin) return {};
    return {0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
}

std::optional<Attempt> first_small_enough(const std::vector<std::size_t> &order,
                                          const Vector &expected, Index most,
                                          const std::vector<double> &thinner,
                                          const MakeAttempt &make) {
    double fewest = std::numeric_limits<double>::infinity();
    const auto is_small = [&](Index support_vectors) {
        fewest = std::min(fewest, static_cast<double>(support_vectors));
        return most == 0 || support_vectors <= most;
    };
    const double too_many = static_cast<double>(most) * (thinner.empty() ? 1.0 : most_thinned_out);
    for (const std::size_t k : order) {
        // On fewer rows there are fewer: no fit where even those are too many.
        const double in_folds = expected(static_cast<Index>(k));
        if (most > 0 && in_folds > too_many) {
            fewest = std::min(fewest, in_folds);
            continue;
        }
        std::optional<Index> found = make({k});
        if (!found) return {};
        if (is_small(*found)) return Attempt{k};
        if (thinner.empty()) continue;
        // As thin as can be tells whether this cell will do; then no thinner than it must be.
        found = make({k, thinner.back()});
        if (!found) return {};
        if (!is_small(*found)) continue;
        for (auto thin = thinner.begin(); thin + 1 != thinner.end(); ++thin) {
            found = make({k, *thin});
            if (!found) break;
            if (is_small(*found)) return Attempt{k, *thin};
        }
        return Attempt{k, thinner.back()};
    }
    throw InvalidInput(fmt::format(
        "no cell of the grid has a model of at most {} support vectors; the smallest has about "
        "{:.0f}",
        most, fewest));
}

} // namespace hinge0
