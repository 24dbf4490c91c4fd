#pragma once
/// The two directions of the model format (docs/model-format.md) without the file around them.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "hinge0/classifier.hpp"

namespace hinge0 {

/// More is neither written nor read: a model this large is a mistake or an attack.
inline constexpr std::uintmax_t max_model_bytes = std::uintmax_t{4} << 30;

/// All bytes of a file, of a pipe too. A file whose beginning is not wanted is not read to its end:
/// /dev/zero has none.
using IsWanted = std::function<bool(std::string_view)>;
[[nodiscard]] std::string read_bytes(const std::filesystem::path &file, const IsWanted &is_wanted);

/// The text of `model`, checksum included. Throws InvalidInput if its parts do not belong together;
/// single values are not checked, parse_model does that.
[[nodiscard]] std::string to_text(const Model &model);
[[nodiscard]] std::string to_text(const Classifier &classifier);

/// The text of `model`, which is shown to load again; InvalidInput if it would not.
[[nodiscard]] std::string checked_text(const Model &model, const std::string &name);
[[nodiscard]] std::string checked_text(const Classifier &classifier, const std::string &name);

/// Throws FileError "<what>: <name>:<line>". `check_sum` = false takes any well-formed checksum, so
/// that the fuzzer gets past it; everything else is checked all the same.
[[nodiscard]] Model parse_model(std::string_view text, const std::string &name,
                                bool check_sum = true);
/// The same for a file of any format; parse_model takes format 1 alone.
[[nodiscard]] Classifier parse_classifier(std::string_view text, const std::string &name,
                                          bool check_sum = true);

} // namespace hinge0
