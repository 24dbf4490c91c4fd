/// Decision values: of 4096 rows with 1000 support vectors (arguments: features, threads), and of
/// one row (features, support vectors).
#include <benchmark/benchmark.h>

#include <numeric>

#include "hinge0/model.hpp"
#include "hinge0/predictor.hpp"
#include "micro/samples.hpp"

namespace {

using namespace hinge0;

constexpr Index rows = 4096;

Model model_of(Index features, Index support_vectors = 1000) {
    Model model;
    model.kernel = RbfKernel{.gamma = 1.0 / static_cast<double>(features)};
    model.features = features;
    model.coefficients = Vector::Ones(support_vectors);
    model.support = bench::normal_rows(support_vectors, features);
    model.rows.resize(static_cast<std::size_t>(support_vectors));
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

void decide_one(benchmark::State &state) {
    Predictor predictor(model_of(state.range(0), state.range(1)));
    const DenseRows samples = bench::normal_rows(1, state.range(0));
    const std::span<const double> row(samples.data(), static_cast<std::size_t>(samples.size()));
    for (auto _ : state) benchmark::DoNotOptimize(predictor.decision(row));
}

BENCHMARK(decide_one)->Args({20, 50})->Args({20, 500})->Args({123, 500});
BENCHMARK(decide)->Args({22, 1})->Args({22, 2})->Args({128, 1})->UseRealTime();

} // namespace
