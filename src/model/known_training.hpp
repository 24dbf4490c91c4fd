#pragma once
/// What cannot be asked of a model that another program trained.
#include "hinge0/error.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// Throws InvalidInput if the training rows of a model are not known.
inline void check_known_training(Index training_rows) {
    if (training_rows == 0)
        throw InvalidInput("the model was trained by another program: its training rows and its "
                           "objective are not known, so that nothing can be verified");
}

} // namespace hinge0
