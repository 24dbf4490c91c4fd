/// Without member p, while all others stay on their margins, its own is 1 - alpha_p / (M^-1)_pp:
/// docs/exact.md.
#include "solver/thinning.hpp"

#include <algorithm>
#include <limits>

namespace hinge0 {

Vector margin_losses(const ActiveSet &state) {
    Vector inverse;
    state.factor().inverse_diagonal(inverse);
    constexpr double unknown = std::numeric_limits<double>::infinity();
    return (inverse.array() > 0).select(state.alpha().array() / inverse.array(), unknown);
}

std::size_t given_up_together(std::span<const double> losses, std::size_t members, double thin) {
    const std::size_t many = members / 6 + 1, few = members / 24 + 1;
    const auto first_dear = std::ranges::upper_bound(losses, thin / 2);
    const auto cheap = static_cast<std::size_t>(first_dear - losses.begin());
    return std::min(losses.size(), std::max(few, std::min(cheap, many)));
}

std::vector<Index> dispensable(const ActiveSet &state, double thin) {
    if (thin == 0 || state.is_constant()) return {};
    const Vector of_members = margin_losses(state);
    std::vector<std::pair<double, Index>> losses; // of margin, and the row
    for (Index p = 0; p < of_members.size(); ++p)
        if (of_members(p) <= thin)
            losses.emplace_back(of_members(p), state.gamma()[static_cast<std::size_t>(p)]);
    std::sort(losses.begin(), losses.end());
    std::vector<double> lost;
    lost.reserve(losses.size());
    for (const auto &loss : losses) lost.push_back(loss.first);
    losses.resize(given_up_together(lost, static_cast<std::size_t>(of_members.size()), thin));
    std::vector<Index> rows;
    rows.reserve(losses.size());
    for (const auto &loss : losses) rows.push_back(loss.second);
    std::sort(rows.begin(), rows.end());
    return rows;
}

bool thin_out(ActiveSet &state, Flags &kept, double thin, const ActiveSet::GoOn &go_on) {
    for (auto rows = dispensable(state, thin); !rows.empty(); rows = dispensable(state, thin)) {
        for (const Index row : rows) kept[static_cast<std::size_t>(row)] = 0;
        state.give_up_all(rows);
        if (!state.solve(kept, go_on)) return false;
    }
    return true;
}

} // namespace hinge0
