/// How fast read_table reads a file, on one thread, from a warm page cache.
///   bench_read DATA REPEATS
/// Prints one JSON object, with counts and sums that another reader can be checked against.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "hinge0/dataset.hpp"
#include "timing.hpp"

namespace {

using namespace hinge0;

nlohmann::ordered_json measure(const std::string &file, int repeats) {
    Table table;
    std::vector<double> seconds;
    for (int r = 0; r <= repeats; ++r) {
        table = {}; // what the last run took is given back before the clock starts
        const bench::Stopwatch watch;
        table = read_table(file);
        if (r > 0) seconds.push_back(watch.seconds());
    }
    const auto bytes = static_cast<double>(std::filesystem::file_size(file));
    const double median = bench::median(seconds);
    const auto &rows = std::get<SparseRows>(table.samples);
    return {{"bytes", bytes},
            {"repeats", repeats},
            {"seconds", median},
            {"mbyte_per_second", bytes / median * 1e-6},
            {"rows", rows.rows()},
            {"features", rows.cols()},
            {"values", rows.nonZeros()},
            {"sum", rows.sum()}};
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3) {
        fmt::print(stderr, "usage: bench_read DATA REPEATS\n");
        return 2;
    }
    try {
        fmt::print("{}\n", measure(arguments[1], std::max(1, std::stoi(arguments[2]))).dump(2));
        return 0;
    } catch (const std::exception &e) {
        fmt::print(stderr, "bench_read: {}\n", e.what());
        return 1;
    }
}
