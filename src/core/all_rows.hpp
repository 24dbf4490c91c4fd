#pragma once
/// 0, 1, ..., count - 1, where rows are named by a list.
#include <numeric>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

[[nodiscard]] inline std::vector<Index> all_rows(Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

} // namespace hinge0
