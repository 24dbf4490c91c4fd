/// The tiled Cholesky factor and one pair of triangular solves; arguments: rows, threads.
#include <benchmark/benchmark.h>

#include "gram/factor/tiled_cholesky.hpp"

namespace {

using namespace hinge0;

/// A matrix that is surely positive definite: m on the diagonal, 1 elsewhere.
void fill(TiledCholesky &matrix) {
    for (Index i = 0; i < matrix.tile_count(); ++i)
        for (Index j = 0; j <= i; ++j) {
            const blas::Block block = matrix.block(i, j);
            std::fill_n(block.data, block.stride * block.cols, 1.0);
            for (Index k = 0; i == j && k < block.rows; ++k)
                block.data[k * (block.stride + 1)] = static_cast<double>(matrix.size());
        }
}

void cholesky_factor(benchmark::State &state) {
    const auto m = static_cast<double>(state.range(0));
    TiledCholesky matrix(state.range(0), static_cast<int>(state.range(1)));
    Watch watch;
    for (auto _ : state) {
        state.PauseTiming();
        fill(matrix);
        state.ResumeTiming();
        if (!matrix.factor(watch)) state.SkipWithError("not positive definite");
    }
    state.counters["flop/s"] = benchmark::Counter(
        m * m * m / 3 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void cholesky_solve(benchmark::State &state) {
    TiledCholesky matrix(state.range(0), static_cast<int>(state.range(1)));
    Watch watch;
    fill(matrix);
    if (!matrix.factor(watch)) state.SkipWithError("not positive definite");
    Vector x = Vector::Ones(matrix.size());
    for (auto _ : state) {
        if (!matrix.solve(x.data(), watch)) state.SkipWithError("stopped");
        benchmark::DoNotOptimize(x.data());
        x.setOnes(); // repeated solves would shrink x into slow subnormal numbers
    }
    state.SetBytesProcessed(state.iterations() * 8 * matrix.size() * (matrix.size() + 1));
}

BENCHMARK(cholesky_factor)->Args({1024, 1})->Args({1024, 2})->UseRealTime();
BENCHMARK(cholesky_solve)->Args({1024, 1})->Args({2048, 1})->Args({2048, 2})->UseRealTime();

} // namespace
