#pragma once
/// Reports as JSON (for programs, on standard output) and as words (for people, on standard error).
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "hinge0/kernel.hpp"
#include "hinge0/report.hpp"
#include "hinge0/tune.hpp"

namespace hinge0::cli {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Kernel &kernel);
[[nodiscard]] Json to_json(const Certificate &certificate);
[[nodiscard]] Json to_json(const Report &report);

/// "rbf (gamma 0.5)"
[[nodiscard]] std::string in_words(const Kernel &kernel);
/// The four residuals and the verdict, indented lines.
[[nodiscard]] std::string in_words(const Certificate &certificate);
/// Fits of a cross-validation that gave a score.
[[nodiscard]] std::size_t fit_count(const CrossValidation &tried);
/// What each kernel's best cell had, if there were several; else nothing.
[[nodiscard]] std::string in_words(const std::vector<KernelScore> &kernels);
/// What was chosen, and from what; kernel and `thin` of the fit.
[[nodiscard]] std::string in_words(const CrossValidation &tried, std::size_t chosen,
                                   const std::string &kernel, double thin,
                                   const TuneSettings &settings);
[[nodiscard]] std::string in_words(const Report &report);

/// Writes to standard output, at once; throws FileError when that fails.
void write_output(std::string_view text);
/// Prints one line of JSON to standard output, as write_output does.
void print(const Json &json);
/// Writes to standard error. Words that nobody can read change nothing, so failures are ignored.
void say(std::string_view words);

} // namespace hinge0::cli
