#pragma once
/// The tables for people, built from the studies of the rows.
#include "study.hpp"
#include "text_table.hpp"

namespace hinge0::paper {

using Studies = std::vector<Study>;

/// "Algorithm 1 at C'" for method::as_run, and so on; unknown keys are returned as they are.
[[nodiscard]] std::string title_of(const std::string &key);
[[nodiscard]] std::string table_title(int table);

/// Data: rows, features, classes, flips, kernel and prices of every row.
[[nodiscard]] TextTable data_summary(const Studies &studies);
/// One line a row: the paper, Algorithm 1, exact, exact tuned, hinge.
[[nodiscard]] TextTable overview(const Studies &studies);
/// Table 1, 2 or 3: a line for every method of every row.
[[nodiscard]] TextTable full_table(const Studies &studies, int which);
/// Medians and ranges over 20 seeds.
[[nodiscard]] TextTable spread_table(const Studies &studies, int which);
/// The other losses: test accuracy and support vectors at a glance, and every number.
[[nodiscard]] TextTable losses_overview(const Studies &studies);
[[nodiscard]] TextTable losses_table(const Studies &studies);

} // namespace hinge0::paper
