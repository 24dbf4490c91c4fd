#pragma once
/// A second opinion: recomputes what a fit claims from the model and its training data alone, by
/// plain loops in extended precision that share no code with the solver.
#include <functional>

#include "hinge0/dataset.hpp"
#include "hinge0/model.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {

struct Verification {
    double objective = 0, constant_objective = 0, half_norm_squared = 0;
    double train_accuracy = 0;
    Index violators = 0, support_vectors = 0;
    Certificate certificate;
};

/// Throws InvalidInput if `data` is not what the model was trained on (rows, features or support
/// vectors differ), NumericalError if kernel values are not finite. `sample_weight` as in training;
/// empty: all 1. `should_stop` is asked after rows; true ends it by Interrupted.
[[nodiscard]] Verification verify(const Model &model, const Dataset &data,
                                  const Vector &sample_weight = {},
                                  const std::function<bool()> &should_stop = {});

} // namespace hinge0
