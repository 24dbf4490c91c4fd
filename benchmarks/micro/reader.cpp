/// The LIBSVM and CSV parsers on text in memory.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "data/readers.hpp"
#include "micro/samples.hpp"

namespace {

using namespace hinge0;

constexpr Index rows = 2000, features = 20;

/// Numbers of six digits, or ones as in one-hot data, where an index costs as much as a value.
std::string libsvm_text(bool one_hot) {
    const DenseRows values = bench::normal_rows(rows, features);
    std::string text;
    for (Index i = 0; i < rows; ++i) {
        text += i % 2 == 0 ? "+1" : "-1";
        for (Index j = 0; j < features; ++j)
            text += one_hot ? fmt::format(" {}:1", 6 * j + 1)
                            : fmt::format(" {}:{:.6g}", j + 1, values(i, j));
        text += '\n';
    }
    return text;
}

std::string csv_text() {
    const DenseRows values = bench::normal_rows(rows, features);
    std::string text;
    for (Index i = 0; i < rows; ++i) {
        text += i % 2 == 0 ? "1" : "-1";
        for (Index j = 0; j < features; ++j) text += fmt::format(",{:.6g}", values(i, j));
        text += '\n';
    }
    return text;
}

void read_text(benchmark::State &state, const std::string &text) {
    for (auto _ : state) {
        bool given = false;
        const auto source = [&]() -> std::string_view {
            return std::exchange(given, true) ? std::string_view{} : text;
        };
        benchmark::DoNotOptimize(parse_table(source, "text", {}));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

BENCHMARK_CAPTURE(read_text, libsvm_numbers, libsvm_text(false));
BENCHMARK_CAPTURE(read_text, libsvm_one_hot, libsvm_text(true));
BENCHMARK_CAPTURE(read_text, csv, csv_text());

} // namespace
