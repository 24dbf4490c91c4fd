#pragma once
/// Random numbers for the micro benchmarks: their values do not matter, their count does.
#include <random>

#include "hinge0/types.hpp"

namespace hinge0::bench {

[[nodiscard]] inline DenseRows normal_rows(Index rows, Index features) {
    std::mt19937_64 generator(1);
    std::normal_distribution<double> normal;
    return DenseRows::NullaryExpr(rows, features, [&] { return normal(generator); });
}

} // namespace hinge0::bench
