#pragma once
/// Checks of options that CLI11's own let through or tell badly.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace hinge0::cli {

/// Finite, and greater than zero.
[[nodiscard]] CLI::Validator positive_number();
/// The number that positive_number has let through; `option` is for the message if it has not.
[[nodiscard]] double to_positive_number(const std::string &option, const std::string &text);

/// For Option::transform: decimal digits alone, from `least` to `most`.
[[nodiscard]] CLI::Validator whole_number_in(std::uint64_t least, std::uint64_t most);
/// auto (-1), off (0), or a number of rows, at least 2.
[[nodiscard]] CLI::Validator rows_or_word();
/// A number from 0, or auto, which becomes -1.
[[nodiscard]] CLI::Validator number_or_auto();

/// Throws UsageError for an option given as '': where its default is meant it is better left out.
void refuse_empty_values(const CLI::App &app);

/// Throws UsageError if writing to `output` (of an option) would destroy `other`, which is `what`.
void refuse_overwriting(const std::string &option, const std::string &output,
                        const std::string &what, const std::string &other);

} // namespace hinge0::cli
