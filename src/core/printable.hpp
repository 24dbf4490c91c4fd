#pragma once
/// Text of unknown origin, such as file names and labels, made fit for one line on a terminal.
#include <string>
#include <string_view>

namespace hinge0 {

/// `text` with control characters (line ends and ESC among them, also those of two bytes) and bytes
/// that are not UTF-8 written as \xNN. Everything else stays as it is; doing it twice changes
/// nothing.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace hinge0
