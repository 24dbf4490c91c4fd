#pragma once
/// What the tables show, counted by the program: the figures that a reader looks for first.
#include <string>
#include <vector>

#include "tables.hpp"

namespace hinge0::paper {

/// One sentence each, of the rows that were studied.
[[nodiscard]] std::vector<std::string> findings(const Studies &all_studies);

} // namespace hinge0::paper
