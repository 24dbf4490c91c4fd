/// Decision values of 4096 rows with 1000 support vectors; arguments: features, threads.
#include <benchmark/benchmark.h>

#include <numeric>

#include "hinge0/model.hpp"
#include "micro/samples.hpp"

namespace {

using namespace hinge0;

constexpr Index support_vectors = 1000, rows = 4096;

Model model_of(Index features) {
    Model model;
    model.kernel = RbfKernel{.gamma = 1.0 / static_cast<double>(features)};
    model.features = features;
    model.coefficients = Vector::Ones(support_vectors);
    model.support = bench::normal_rows(support_vectors, features);
    model.rows.resize(support_vectors);
    std::iota(model.rows.begin(), model.rows.end(), Index{0});
    model.training_rows = support_vectors;
    return model;
}

void decide(benchmark::State &state) {
    const Model model = model_of(state.range(0));
    const Samples samples = bench::normal_rows(rows, state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            decision_function(model, samples, static_cast<int>(state.range(1))));
    state.SetItemsProcessed(state.iterations() * rows);
}

BENCHMARK(decide)->Args({22, 1})->Args({22, 2})->Args({128, 1})->UseRealTime();

} // namespace
