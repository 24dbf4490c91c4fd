#pragma once
/// Stopwatch and median for the benchmark programs.
#include <algorithm>
#include <chrono>
#include <vector>

namespace hinge0::bench {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

/// Of an odd number of values the middle one, else the upper of the two.
[[nodiscard]] inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace hinge0::bench
