#pragma once
/// Fewer support vectors for hardly another classifier: those that it would nearly do without are
/// given up. What is left is the hard-margin SVM of fewer rows, so it is a local minimum of F all
/// the same; F itself rises by the prices of the given-up rows.
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

/// Members of Gamma whose margin without them would be at least 1 - thin, those that matter least,
/// in rising order; some at a time, because each matters more when others are gone.
[[nodiscard]] std::vector<Index> dispensable(const ActiveSet &state, double thin);

/// Gives up such members, and they lose their flags, until there are none. False if stopped: then
/// the state is a valid start, but not a solution.
[[nodiscard]] bool thin_out(ActiveSet &state, Flags &kept, double thin,
                            const ActiveSet::GoOn &go_on);

} // namespace hinge0
