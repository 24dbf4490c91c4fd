#pragma once
/// The panels of Figures 1 and 2: the exact solver's classifiers of the synthetic rows.
#include "figure.hpp"

namespace hinge0::paper {

/// Figure 1 is Table 1's rows, Figure 2 Table 2's.
[[nodiscard]] std::vector<Panel> panels(int figure, int threads);

} // namespace hinge0::paper
