/// Time of one decision value of a Predictor, on real rows.
///   bench_one_row MODEL ROWS REPEATS
/// ROWS holds doubles, feature after feature and row after row. Prints one JSON object, with a sum
/// that benchmarks/exported.c is checked against.
#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "hinge0/error.hpp"
#include "hinge0/predictor.hpp"
#include "timing.hpp"

namespace {

using namespace hinge0;

std::vector<double> read_doubles(const std::string &file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) throw FileError("cannot read", file);
    std::vector<double> values(static_cast<std::size_t>(in.tellg()) / sizeof(double));
    in.seekg(0);
    in.read(reinterpret_cast<char *>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
    return values;
}

nlohmann::ordered_json measure(const std::string &file, const std::string &data, int repeats) {
    const Model model = load_model(file);
    Predictor predictor(model);
    const std::vector<double> values = read_doubles(data);
    const auto width = static_cast<std::size_t>(model.features);
    const std::size_t rows = values.size() / width;
    std::vector<double> seconds;
    double sum = 0;
    for (int r = 0; r <= repeats; ++r) {
        sum = 0;
        const bench::Stopwatch watch;
        for (std::size_t i = 0; i < rows; ++i)
            sum += predictor.decision(std::span(values).subspan(i * width, width));
        if (r > 0) seconds.push_back(watch.seconds() / static_cast<double>(rows));
    }
    return {{"rows", rows}, {"seconds", bench::median(seconds)}, {"sum", sum}};
}

} // namespace

int main(int count, char **arguments) {
    if (count != 4) {
        fmt::print(stderr, "usage: bench_one_row MODEL ROWS REPEATS\n");
        return 2;
    }
    try {
        const int repeats = std::max(1, std::stoi(arguments[3]));
        fmt::print("{}\n", measure(arguments[1], arguments[2], repeats).dump(2));
        return 0;
    } catch (const std::exception &e) {
        fmt::print(stderr, "bench_one_row: {}\n", e.what());
        return 1;
    }
}
