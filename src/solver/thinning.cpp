/// Without member p, while all others stay on their margins, its own is 1 - alpha_p / (M^-1)_pp:
/// docs/exact.md.
#include "solver/thinning.hpp"

#include <algorithm>

namespace hinge0 {
namespace {

/// The share of the members that is given up at a time.
constexpr double at_a_time = 1.0 / 8;

} // namespace

std::vector<Index> dispensable(const ActiveSet &state, double thin) {
    if (thin == 0 || state.is_constant()) return {};
    Vector inverse;
    state.factor().inverse_diagonal(inverse);
    std::vector<std::pair<double, Index>> losses; // of margin, and the row
    for (Index p = 0; p < inverse.size(); ++p) {
        const double loss = state.alpha()(p) / inverse(p);
        if (inverse(p) > 0 && loss <= thin)
            losses.emplace_back(loss, state.gamma()[static_cast<std::size_t>(p)]);
    }
    std::sort(losses.begin(), losses.end());
    const auto most = static_cast<std::size_t>(at_a_time * static_cast<double>(inverse.size()));
    losses.resize(std::min(losses.size(), most + 1));
    std::vector<Index> rows;
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
