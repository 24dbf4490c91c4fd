#pragma once
/// Fewer support vectors for hardly another classifier: those that it would nearly do without are
/// given up. What is left is the hard-margin SVM of fewer rows, so it is a local minimum of F all
/// the same; F itself rises by the prices of the given-up rows.
#include <span>
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

/// What the margin of each member of Gamma would lose without it, all others on theirs; infinite
/// where that cannot be told.
[[nodiscard]] Vector margin_losses(const ActiveSet &state);

/// How many of the support vectors that may be given up leave together, by what their margins would
/// lose, in rising order: of those that lose little (half of `thin`) a sixth of all support
/// vectors, of the others a 24th, because each matters more when others are gone. Fewer save no
/// row and gain no accuracy; a sixth of any cost 0.15 points (docs/classes.md).
[[nodiscard]] std::size_t given_up_together(std::span<const double> losses, std::size_t members,
                                            double thin);

/// Members of Gamma whose margin without them would be at least 1 - thin, those that matter least,
/// in rising order; some at a time.
[[nodiscard]] std::vector<Index> dispensable(const ActiveSet &state, double thin);

/// Gives up such members, and they lose their flags, until there are none. False if stopped: then
/// the state is a valid start, but not a solution.
[[nodiscard]] bool thin_out(ActiveSet &state, Flags &kept, double thin,
                            const ActiveSet::GoOn &go_on);

} // namespace hinge0
