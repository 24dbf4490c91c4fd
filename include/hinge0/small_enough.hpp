#pragma once
/// From the order of a grid's cells to a model that is not too large.
#include <functional>
#include <optional>
#include <vector>

#include "hinge0/loss.hpp"
#include "hinge0/settings.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// What Settings::thin is raised to, one after the other, until a model is small enough; none where
/// it was given, or has no meaning.
[[nodiscard]] std::vector<double> further_thinnings(const Objective &objective,
                                                    const Settings &settings);

/// A fit on all rows: of a cell, and with this Settings::thin instead of what was asked for.
struct Attempt {
    std::size_t cell = 0;
    std::optional<double> thin{};
};
/// Makes a fit and tells how many support vectors it has; nothing if it was not brought to its end.
using MakeAttempt = std::function<std::optional<Index>(const Attempt &)>;
/// The first of the cells in this order that has a model of at most `most` support vectors (0: any
/// number): as it is, or with the least of `thinner` that will do, the last of which is tried
/// first. `expected` is how many the folds had. After a fit without end no more are made: the
/// result is what is known by then, if anything. Throws InvalidInput if no model is small enough.
[[nodiscard]] std::optional<Attempt> first_small_enough(const std::vector<std::size_t> &order,
                                                        const Vector &expected, Index most,
                                                        const std::vector<double> &thinner,
                                                        const MakeAttempt &make);

} // namespace hinge0
