#pragma once
/// Fewer support vectors for hardly another classifier: those that it would nearly do without are
/// given up. What is left is the hard-margin SVM of fewer rows, so it is a local minimum of F all
/// the same; F itself rises by the prices of the given-up rows.
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

/// What the margin of each member of Gamma would lose without it, all others on theirs; infinite
/// where that cannot be told.
[[nodiscard]] Vector margin_losses(const ActiveSet &state);

/// The share of the support vectors that is given up at a time, because each matters more when
/// others are gone.
inline constexpr double thinned_at_a_time = 1.0 / 8;

/// Members of Gamma whose margin without them would be at least 1 - thin, those that matter least,
/// in rising order; some at a time.
[[nodiscard]] std::vector<Index> dispensable(const ActiveSet &state, double thin);

/// Gives up such members, and they lose their flags, until there are none. False if stopped: then
/// the state is a valid start, but not a solution.
[[nodiscard]] bool thin_out(ActiveSet &state, Flags &kept, double thin,
                            const ActiveSet::GoOn &go_on);

} // namespace hinge0
