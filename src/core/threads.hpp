#pragma once
/// How many threads a request means; 0 asks for all that OpenMP would use. One if the BLAS cannot
/// be called from several.
#include <fmt/format.h>
#include <omp.h>

#include "core/blas.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

/// OpenMP crashes, rather than fails, when asked for far more threads than there can be.
inline constexpr int most_threads = 4096;

[[nodiscard]] inline int thread_count(int requested) {
    if (requested < 0 || requested > most_threads)
        throw InvalidInput(
            fmt::format("threads must be in [0, {}], got {}", most_threads, requested));
    if (!blas::is_thread_safe()) return 1;
    return requested > 0 ? requested : omp_get_max_threads();
}

} // namespace hinge0
