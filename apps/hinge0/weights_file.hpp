#pragma once
/// --weights: what every row weighs.
#include <string>

#include "hinge0/types.hpp"

namespace hinge0::cli {

/// One number from 0 a line for each of `rows` rows. Throws FileError "<what>: <file>:<line>".
[[nodiscard]] Vector read_weights(const std::string &file, Index rows);

} // namespace hinge0::cli
