/// One 256 x 256 tile of kernel values, for each kernel and for few and many features.
#include <benchmark/benchmark.h>

#include <numeric>

#include "gram/row_set.hpp"
#include "micro/samples.hpp"

namespace {

using namespace hinge0;

constexpr Index tile = 256;

void kernel_tile_of(benchmark::State &state, const char *name) {
    const Index features = state.range(0);
    const Samples samples = bench::normal_rows(tile, features);
    const KernelParameters parameters{.gamma = 1.0 / static_cast<double>(features), .coef0 = 1.0};
    const FeatureSpace space(make_kernel(name, parameters, features), samples);
    const RowSet rows = space.prepare(samples, 0, tile);
    Matrix values(tile, tile);
    blas::use_one_thread();
    std::vector<Index> all(tile);
    std::iota(all.begin(), all.end(), Index{0});
    const RightRows right = space.right(rows, all);
    for (auto _ : state) {
        kernel_block(space, rows, 0, right, 0, {values.data(), tile, tile, tile});
        benchmark::DoNotOptimize(values.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * tile * tile);
}

BENCHMARK_CAPTURE(kernel_tile_of, linear, "linear")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, poly, "poly")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, rbf, "rbf")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, exponential, "exponential")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, imq, "imq")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, wendland, "wendland")->Arg(4)->Arg(128);
BENCHMARK_CAPTURE(kernel_tile_of, laplacian, "laplacian")->Arg(4)->Arg(128);

} // namespace
