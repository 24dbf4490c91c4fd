#pragma once
/// The local minima that a run has come across: told to its observer, and the lowest remembered.
#include <algorithm>
#include <limits>

#include "core/watch.hpp"
#include "solver/active_set.hpp"
#include "solver/first_minimum.hpp"
#include "solver/near_rows.hpp"

namespace hinge0 {

/// What the trace shows of a minimum.
struct Sight {
    double objective = 0, half_norm_squared = 0, bias = 0;
    Index support_vectors = 0;

    Sight(const ActiveSet &state, double f)
        : objective(f), half_norm_squared(state.half_norm_squared()), bias(state.bias()),
          support_vectors(static_cast<Index>(state.gamma().size())) {}
    Sight(const Minimum &found, const Vector &prices)
        : objective(found.half_norm_squared + found.margins.missed_prices(prices)),
          half_norm_squared(found.half_norm_squared), bias(found.bias),
          support_vectors(found.support_vectors) {}
    explicit Sight(const HardMargin &found)
        : objective(found.half_norm_squared + found.missed_prices),
          half_norm_squared(found.half_norm_squared), bias(found.h.bias),
          support_vectors(static_cast<Index>(found.h.rows.size())) {}
};

class Minima {
public:
    /// `constant`: the objective of the better constant classifier.
    Minima(Watch &watch, double constant) : watch_(watch), constant_(constant) {}

    void tell(const Sight &sight) {
        ++told_;
        lowest_ = std::min(lowest_, sight.objective);
        const double given_up = sight.objective - sight.half_norm_squared;
        if (given_up < constant_)
            wins_above_ = std::min(wins_above_, sight.half_norm_squared / (constant_ - given_up));
        if (watch_.has_observer())
            watch_.tell({.stage = Progress::Stage::search,
                         .iteration = told_,
                         .objective = sight.objective,
                         .support_vectors = sight.support_vectors,
                         .bias = sight.bias});
    }
    [[nodiscard]] double lowest() const noexcept { return lowest_; }
    /// A multiple of the prices: above it, some minimum that was seen beats the constant
    /// classifier.
    [[nodiscard]] double wins_above() const noexcept { return wins_above_; }

private:
    Watch &watch_;
    double constant_;
    int told_ = 0;
    double lowest_ = std::numeric_limits<double>::infinity();
    double wins_above_ = std::numeric_limits<double>::infinity();
};

} // namespace hinge0
