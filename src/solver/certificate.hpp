#pragma once
/// The numbers of a report that follow from a classifier alone: objective, counts, certificate.
#include "hinge0/loss.hpp"
#include "hinge0/report.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// Fills objective .. certificate of `report` for h = Kc + b on the training rows. `largest`: the
/// largest kernel value, which tells how far rounding can take Kc.
void evaluate(const Vector &y, const Vector &prices, const Loss &loss, const Vector &c,
              const Vector &Kc, double b, double largest, Report &report);

} // namespace hinge0
