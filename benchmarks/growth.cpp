/// How the time of one step of the exact solver's active set grows with |Gamma|.
///   bench_growth ROWS REPEATS SIZE...
/// Random labels and a narrow rbf kernel make every kept sample a support vector, so keeping SIZE
/// of ROWS samples gives |Gamma| = SIZE. There a random member is given up and taken back, REPEATS
/// times: one step down and one step up. Prints one JSON object.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "hinge0/error.hpp"
#include "micro/samples.hpp"
#include "solver/active_set.hpp"
#include "timing.hpp"

namespace hinge0::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index features = 10;
/// With squared distances about 20, K is close to the identity.
constexpr double narrow = 1.0;

Vector random_labels(Index rows) {
    std::mt19937_64 generator(2);
    return Vector::NullaryExpr(rows, [&] { return generator() % 2 == 0 ? 1.0 : -1.0; });
}

bool always(const ActiveSet &, double) { return true; }

/// Solves for `kept` in exactly one step (told by the work counted for it), and says how long that
/// took.
double one_step(ActiveSet &state, std::vector<char> &kept) {
    const auto n = static_cast<double>(state.gamma().size());
    const double after_one = state.work() + n * (n + static_cast<double>(kept.size()));
    const Stopwatch watch;
    const bool solved = state.solve(kept, always);
    const double seconds = watch.seconds();
    if (!solved || state.work() != after_one)
        throw std::runtime_error(fmt::format("not one step at |Gamma| = {}", n));
    return seconds;
}

struct Step {
    double size, enter, leave;
};

/// Grows `state` to `size` support vectors, then times single steps there.
Step measure(ActiveSet &state, std::vector<char> &kept, std::size_t size, int repeats) {
    std::fill(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(size), char{1});
    if (!state.solve(kept, always) || state.gamma().size() != size)
        throw std::runtime_error(
            fmt::format("{} of {} kept are support vectors", state.gamma().size(), size));
    std::mt19937_64 generator(3);
    std::vector<double> enter, leave;
    for (int r = 0; r <= repeats; ++r) {
        const std::size_t sample = generator() % size;
        kept[sample] = 0;
        const double down = one_step(state, kept);
        kept[sample] = 1;
        const double up = one_step(state, kept);
        if (r == 0) continue; // warms up
        leave.push_back(down);
        enter.push_back(up);
    }
    return {static_cast<double>(size), median(enter), median(leave)};
}

/// The slope of log time over log |Gamma|, by least squares.
double exponent(const std::vector<Step> &steps, double Step::*part) {
    const auto count = static_cast<Index>(steps.size());
    Vector x(count), t(count);
    for (Index k = 0; k < count; ++k) {
        const Step &step = steps[static_cast<std::size_t>(k)];
        x(k) = std::log(step.size);
        t(k) = std::log(step.*part);
    }
    x.array() -= x.mean();
    return x.dot(t) / x.squaredNorm();
}

Json measure_all(Index rows, int repeats, const std::vector<std::size_t> &sizes) {
    const Samples samples = normal_rows(rows, features);
    const Vector y = random_labels(rows);
    MemoryBudget memory;
    const auto gram = make_gram(samples, RbfKernel{.gamma = narrow}, memory);
    ColumnCache columns(*gram, memory);
    ActiveSet state(columns, y);
    std::vector<char> kept(static_cast<std::size_t>(rows), 0);
    std::vector<Step> steps;
    Json table = Json::array();
    for (const std::size_t size : sizes) {
        const Step step = measure(state, kept, size, repeats);
        steps.push_back(step);
        table.push_back({{"gamma", size},
                         {"work", step.size * (step.size + static_cast<double>(rows))},
                         {"enter", step.enter},
                         {"leave", step.leave}});
    }
    const std::vector<Step> last(steps.end() - 2, steps.end());
    return {{"rows", rows},
            {"features", features},
            {"repeats", repeats},
            {"steps", table},
            {"exponent",
             {{"enter", exponent(steps, &Step::enter)}, {"leave", exponent(steps, &Step::leave)}}},
            {"last_exponent",
             {{"enter", exponent(last, &Step::enter)}, {"leave", exponent(last, &Step::leave)}}}};
}

int run(int count, char **arguments) {
    const Index rows = std::stol(arguments[1]);
    const int repeats = std::stoi(arguments[2]);
    std::vector<std::size_t> sizes;
    for (int a = 3; a < count; ++a) {
        sizes.push_back(std::stoul(arguments[a]));
        if (sizes.back() > static_cast<std::size_t>(rows) || sizes.back() < 20 ||
            (a > 3 && sizes.back() <= sizes[sizes.size() - 2]))
            throw InvalidInput("SIZE must grow, from 20 to ROWS");
    }
    if (repeats < 1) throw InvalidInput("REPEATS must be at least 1");
    fmt::print("{}\n", measure_all(rows, repeats, sizes).dump(2));
    return 0;
}

} // namespace
} // namespace hinge0::bench

int main(int count, char **arguments) {
    if (count < 5) {
        fmt::print(stderr, "usage: bench_growth ROWS REPEATS SIZE SIZE...\n");
        return 2;
    }
    try {
        return hinge0::bench::run(count, arguments);
    } catch (const std::exception &e) {
        fmt::print(stderr, "bench_growth: {}\n", e.what());
        return 1;
    }
}
