#pragma once
/// How many threads a request means; 0 asks for all that OpenMP would use.
#include <omp.h>

namespace hinge0 {

[[nodiscard]] inline int thread_count(int requested) {
    return requested > 0 ? requested : omp_get_max_threads();
}

} // namespace hinge0
