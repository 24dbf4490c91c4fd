#pragma once
/// A fit without search of many rows, wherever they are (solver/rows.hpp): a sample's hinge SVM
/// says which rows are kept, and near rows lead to their hard-margin SVM.
#include <array>

#include "hinge0/settings.hpp"
#include "solver/near_rows.hpp"

namespace hinge0 {

/// Without a search: the price of the hinge start is raised by this until it is not constant.
inline constexpr double raise = 4.0;
inline constexpr int most_raises = 10;

/// The rows that a fit begins with; 0: with all.
[[nodiscard]] Index working_set(Index asked, Index rows);
/// The rows to begin the hard-margin solution with.
[[nodiscard]] Wanted near_ones(Index working_set);

struct FirstOfMany {
    HardMargin found; ///< constant if nothing else was found
    int starts = 0;   ///< kept sets that were tried
};
/// `most_rows`: of a sample that is brought here.
[[nodiscard]] FirstOfMany first_of_many(Rows &rows, Index working_set, Index most_rows,
                                        const Settings &settings, int threads, Watch &watch);

/// The class for which its weight speaks so loudly that one row of it costs more than all rows of
/// the other: whoever set it wants that class always. 0: there is none.
[[nodiscard]] double class_that_outweighs(std::array<double, 2> rows,
                                          std::array<double, 2> class_weight);

struct ManyRowsSolution {
    Expansion h;
    Report report; ///< its certificate is of all rows; without features, kernel, memory
};
/// The whole fit of the l0 loss by passes over the rows alone. `class_rows`: how many each class
/// has, or what they weigh.
[[nodiscard]] ManyRowsSolution solve_many(Rows &rows, std::array<double, 2> class_rows,
                                          Index most_rows, const Objective &objective,
                                          const Settings &settings, Watch &watch);

} // namespace hinge0
