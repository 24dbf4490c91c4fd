#pragma once
/// Independent jobs on several threads. Each writes its own place, so the result does not depend on
/// their number.
#include <exception>
#include <vector>

namespace hinge0::paper {

/// job(i) for i = 0 .. count-1; the exception of the first job that failed is thrown on.
template <class Job> void parallel_for(int count, int threads, const Job &job) {
    std::vector<std::exception_ptr> failed(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < count; ++i) {
        try {
            job(i);
        } catch (...) {
            failed[static_cast<std::size_t>(i)] = std::current_exception();
        }
    }
    for (const std::exception_ptr &failure : failed)
        if (failure) std::rethrow_exception(failure);
}

} // namespace hinge0::paper
