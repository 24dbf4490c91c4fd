#pragma once
/// How many threads a request means; 0 asks for all that OpenMP would use. One if the BLAS cannot
/// be called from several.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <limits>

#include "core/blas.hpp"
#include "core/memory.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

/// OpenMP crashes, rather than fails, when asked for far more threads than there can be.
inline constexpr int most_threads = 4096;

/// OpenBLAS takes this much address space on each thread that calls it, and where that is refused
/// (ulimit -v) it asks again for ever.
inline constexpr double blas_buffer = 160.0 * 1024 * 1024;

/// On how many threads BLAS may be called: where address space is limited on one, whose buffer is
/// taken before anything else. Throws OutOfMemory if there is no room for it.
[[nodiscard]] inline int blas_threads() {
    static const double room = address_space_left(); // asked once: later the buffer is taken
    if (room < blas_buffer)
        throw OutOfMemory(fmt::format("linear algebra needs {:.2g} GiB of address space, {:.2g} "
                                      "are allowed",
                                      blas_buffer / 0x1p30, room / 0x1p30),
                          "raise the limit (ulimit -v)");
    if (room == std::numeric_limits<double>::infinity()) return most_threads;
    blas::take_buffer();
    return 1;
}

[[nodiscard]] inline int thread_count(int requested) {
    if (requested < 0 || requested > most_threads)
        throw InvalidInput(
            fmt::format("threads must be in [0, {}], got {}", most_threads, requested));
    const int possible = blas::is_thread_safe() ? blas_threads() : 1;
    return std::min(requested > 0 ? requested : omp_get_max_threads(), possible);
}

} // namespace hinge0
