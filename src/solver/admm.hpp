#pragma once
/// Algorithm 1 of the paper: ADMM for  min c'Kc/2 + sum_i C_i loss(u_i)  s.t.  u + y*(Kc) + b y
/// = 1.
#include "gram/factor/shifted_factor.hpp"
#include "hinge0/more_losses.hpp"
#include "hinge0/settings.hpp"
#include "hinge0/solver.hpp"

namespace hinge0 {

struct AdmmResult {
    Status status = Status::max_iterations;
    int iterations = 0;
    Vector lambda{}; ///< multipliers of the returned iterate, exactly 0 off its support
    Vector u{};      ///< its margin deficits; of a start that led nowhere, those of c = 0, b = 0
    double b = 0;
    Residuals residuals{}; ///< of that iterate
};

/// `factor` is that of K + I / sigma. Starts at c = 0, b = 0, the given lambda. Returns the iterate
/// that met the tolerance, else the one with the smallest worst residual that has a support vector.
/// Losses: Loss or OtherLoss.
template <class Losses>
[[nodiscard]] AdmmResult admm(ShiftedSystem &factor, const Vector &y, const Vector &prices,
                              const Losses &loss, const Settings &settings, const Vector &start,
                              Watch &watch);

/// Seeded multipliers in [0, 1); where sigma > 2 C_i, multipliers from which the l0 loss can leave
/// the zero classifier, and `moved` is set.
[[nodiscard]] Vector start_multipliers(const Vector &prices, const Settings &settings,
                                       const Loss &loss, bool &moved);

} // namespace hinge0
