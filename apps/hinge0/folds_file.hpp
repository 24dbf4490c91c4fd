#pragma once
/// --folds-file: which rows are tested together.
#include <string>
#include <vector>

#include "hinge0/tune.hpp"

namespace hinge0::cli {

/// One word a line for each of `rows` rows, in order of the first appearance of each word; '-' is
/// never tested. Throws FileError "<what>: <file>:<line>".
[[nodiscard]] std::vector<Split> read_splits(const std::string &file, Index rows);

} // namespace hinge0::cli
