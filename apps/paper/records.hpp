#pragma once
/// The tables for programs: CSV and JSON with every digit.
#include <string>

#include "tables.hpp"

namespace hinge0::paper {

/// One line per row and method; the published lines have the methods paper-l0, paper-l1, paper-l2.
[[nodiscard]] std::string table_csv(const Studies &studies, int table);
[[nodiscard]] std::string table_json(const Studies &studies, int table);
[[nodiscard]] std::string losses_csv(const Studies &studies);
[[nodiscard]] std::string losses_json(const Studies &studies);
/// Row numbers, from 0, of training and test part and of the flipped labels.
[[nodiscard]] std::string splits_json(const Studies &studies);

} // namespace hinge0::paper
