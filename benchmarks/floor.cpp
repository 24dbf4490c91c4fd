/// Algorithm 1 beside its floor: one Gram matrix, one Cholesky factor, one pair of triangular
/// solves an iteration. The floor is timed twice: with hinge0's own tiles, and with plain LAPACK.
///   bench_floor DATA START TRACE ITERATIONS REPEATS
/// START holds one first multiplier per row; TRACE receives iteration, objective and bias, so that
/// another program can check that it does the same work. Prints one JSON object.
#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/threads.hpp"
#include "floor.hpp"
#include "gram/factor/shifted_factor.hpp"
#include "timing.hpp"

namespace hinge0::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The paper's row for svmguide1: C, sigma, and gamma = 1/d.
constexpr double price = 1.0, penalty = 2.0;

Vector read_numbers(const char *file, Index count) {
    std::ifstream in(file);
    Vector numbers(count);
    for (double &number : numbers)
        if (!(in >> number)) throw FileError(fmt::format("needs {} numbers", count), file);
    return numbers;
}

Problem read_problem(const char *data_file, const char *start_file, int iterations) {
    Dataset data(read_table(data_file));
    const Index rows = data.size();
    const double gamma = gamma_auto(data.samples());
    // No residual is ever below this tolerance, so the loop runs to its last iteration.
    return {.data = std::move(data),
            .kernel = {.gamma = gamma},
            .objective = {.C = price},
            .settings = {.method = Method::admm,
                         .sigma = penalty,
                         .tolerance = 1e-300,
                         .max_iterations = iterations},
            .start = read_numbers(start_file, rows)};
}

/// Solver::solve as a user calls it. The observer only takes the time of the first and the last
/// iteration, which tells the loop from what comes before and after.
Times library(const Problem &problem, Report &report) {
    Dataset data = problem.data;
    const int iterations = problem.settings.max_iterations;
    double first = 0, last = 0;
    const Stopwatch watch;
    const auto observer = [&](const Progress &progress) {
        if (progress.stage == Progress::Stage::iterate) {
            last = watch.seconds();
            if (progress.iteration == 1) first = last;
        }
        return true;
    };
    const Solver solver(data.samples(), problem.kernel);
    report =
        solver.solve(data.signs(), problem.objective, problem.settings, observer, problem.start)
            .report;
    Times times;
    times.total = watch.seconds();
    if (report.iterations != iterations)
        throw std::runtime_error(fmt::format("stopped after {} iterations", report.iterations));
    const double each = iterations > 1 ? (last - first) / (iterations - 1) : 0.0;
    times.gram = report.seconds.gram;
    times.factor = first - each - times.gram;
    times.iterations = each * iterations;
    return times;
}

Times tiled_floor(const Problem &problem, Vector &out) {
    out.resize(problem.start.size());
    Watch never;
    MemoryBudget memory;
    Times times;
    const Stopwatch watch;
    const auto gram = make_gram(problem.data.samples(), problem.kernel, memory);
    ShiftedFactor factor(*gram, problem.shift(), thread_count(problem.settings.threads), memory,
                         never);
    const double factored = watch.seconds();
    for (int k = 0; k < problem.settings.max_iterations; ++k)
        if (!factor.solve(problem.start, out, never)) throw Interrupted("stopped by nobody");
    times.total = watch.seconds();
    times.gram = factor.kernel_seconds();
    times.factor = factored - times.gram;
    times.iterations = times.total - factored;
    return times;
}

void write_trace(const Problem &problem, const char *file) {
    std::ofstream out(file);
    out << "iteration,objective,bias\n";
    const auto observer = [&](const Progress &progress) {
        if (progress.iterate != nullptr)
            out << fmt::format("{},{:.17g},{:.17g}\n", progress.iteration, progress.objective,
                               progress.iterate->b);
        return true;
    };
    const Solver solver(problem.data.samples(), problem.kernel);
    static_cast<void>(solver.solve(problem.data.signs(), problem.objective, problem.settings,
                                   observer, problem.start));
    if (!out.flush()) throw FileError("could not be written", file);
}

/// All runs of one way, and their medians with the rates that they mean.
struct Runs {
    std::vector<Times> all{};

    [[nodiscard]] double median_of(double Times::*part) const {
        std::vector<double> values;
        for (const Times &times : all) values.push_back(times.*part);
        return median(values);
    }
    [[nodiscard]] Json summary(const Problem &problem) const {
        const auto m = static_cast<double>(problem.data.size());
        const double iterations = problem.settings.max_iterations;
        const double factor = median_of(&Times::factor), loop = median_of(&Times::iterations);
        return {{"seconds", median_of(&Times::total)},
                {"gram", median_of(&Times::gram)},
                {"factor", factor},
                {"iterations", loop},
                {"gflop_per_second", m * m * m / 3 / factor * 1e-9},
                {"gbyte_per_second", 8 * m * (m + 1) * iterations / loop * 1e-9}};
    }
};

/// A pause, so that threads of OpenBLAS or OpenMP that still spin do not take the next run's core.
void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

void require_equal(const Vector &a, const Vector &z) {
    const double difference = (a - z).norm() / a.norm();
    if (!(difference < 1e-8))
        throw std::runtime_error(fmt::format("the floors solve differently: {:g}", difference));
}

Json measure(const Problem &problem, int repeats) {
    Runs solve, tiled, potrs, trsv;
    Report report;
    for (int r = 0; r <= repeats; ++r) {
        const auto keep = [r](Runs &runs, const Times &times) {
            if (r > 0) runs.all.push_back(times); // run 0 warms up pages, caches and threads
            settle();
        };
        Vector a, z;
        keep(solve, library(problem, report));
        keep(tiled, tiled_floor(problem, a));
        keep(potrs, lapack_floor(problem, LapackSolve::potrs, z));
        require_equal(a, z);
        keep(trsv, lapack_floor(problem, LapackSolve::trsv, z));
        require_equal(a, z);
    }
    const auto m = static_cast<double>(problem.data.size());
    const double own = solve.median_of(&Times::total), floor = tiled.median_of(&Times::total);
    const double lapack = std::min(potrs.median_of(&Times::total), trsv.median_of(&Times::total));
    return {{"rows", problem.data.size()},
            {"features", problem.data.features()},
            {"C", problem.objective.C},
            {"sigma", problem.settings.sigma},
            {"iota", problem.settings.iota},
            {"gamma", problem.kernel.gamma},
            {"iterations", problem.settings.max_iterations},
            {"repeats", repeats},
            {"threads", report.threads},
            {"status", to_string(report.status)},
            {"worst_residual", report.residuals.worst()},
            {"support_vectors", report.support_vectors},
            {"train_accuracy", report.train_accuracy},
            // L once down and once up, its lower triangle only; m^3/3 as LAPACK counts.
            {"bytes_per_iteration", 8 * m * (m + 1)},
            {"cholesky_flops", m * m * m / 3},
            {"solve", solve.summary(problem)},
            {"tiled_floor", tiled.summary(problem)},
            {"lapack_floor_potrs", potrs.summary(problem)},
            {"lapack_floor_trsv", trsv.summary(problem)},
            {"solve_over_tiled_floor", own / floor},
            {"solve_over_lapack_floor", own / lapack}};
}

int run(char **arguments) {
    const int iterations = std::stoi(arguments[4]), repeats = std::stoi(arguments[5]);
    if (iterations < 2 || repeats < 1)
        throw InvalidInput("needs at least 2 iterations and 1 repeat");
    const Problem problem = read_problem(arguments[1], arguments[2], iterations);
    write_trace(problem, arguments[3]);
    fmt::print("{}\n", measure(problem, repeats).dump(2));
    return 0;
}

} // namespace
} // namespace hinge0::bench

int main(int count, char **arguments) {
    if (count != 6) {
        fmt::print(stderr, "usage: bench_floor DATA START TRACE ITERATIONS REPEATS\n");
        return 2;
    }
    try {
        return hinge0::bench::run(arguments);
    } catch (const std::exception &e) {
        fmt::print(stderr, "bench_floor: {}\n", e.what());
        return 1;
    }
}
