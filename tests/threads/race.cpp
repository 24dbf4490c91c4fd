/// Proves that the ThreadSanitizer build sees races, and sees none where OpenMP orders the threads:
/// without its helper (archer) it would take every barrier of OpenMP for a race.
///   race none | thread | openmp
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

namespace {

/// Every value is written by one thread and read by another, with a barrier between.
long ordered_sum(std::vector<long> &from, std::vector<long> &to) {
    const int n = static_cast<int>(from.size());
    long sum = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; ++i) from[static_cast<std::size_t>(i)] += i;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; ++i)
            to[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(n - 1 - i)];
    }
    for (const long value : to) sum += value;
    return sum;
}

long racing_threads() {
    long count = 0;
    const auto add = [&count] {
        for (int i = 0; i < 1000; ++i) ++count;
    };
    std::thread other(add);
    add();
    other.join();
    return count;
}

long racing_openmp() {
    long count = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 1000; ++i) ++count;
    return count;
}

} // namespace

int main(int count, char **values) {
    const std::string_view which = count == 2 ? values[1] : "";
    long result = 0;
    if (which == "thread") {
        result = racing_threads();
    } else if (which == "openmp") {
        result = racing_openmp();
    } else {
        std::vector<long> from(1000), to(1000);
        for (int repeat = 0; repeat < 50; ++repeat) result = ordered_sum(from, to);
    }
    std::printf("%ld\n", result);
    return 0;
}
