#pragma once
/// Fits and verifications of many classes, as JSON and as words.
#include "hinge0/classes.hpp"
#include "report_text.hpp"

namespace hinge0::cli {

/// The summary as a report of two classes has it, and what belongs to each pair.
[[nodiscard]] Json to_json(const ClassFit &fit);
[[nodiscard]] std::string in_words(const ClassFit &fit);

[[nodiscard]] Json to_json(const Classifier &classifier, const std::vector<Verification> &found);
/// The sum of a count over all.
[[nodiscard]] Index total(const std::vector<Verification> &found, Index Verification::*count);
/// Whether every pair is a certified local minimum.
[[nodiscard]] bool all_certified(const std::vector<Verification> &found);

} // namespace hinge0::cli
