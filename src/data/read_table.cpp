/// The door: which format, what may go wrong outside the parsers.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <new>

#include "data/readers.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr int most_at_once = 16; // the lines themselves are found on one thread

/// Threads want address space, which may be limited.
int reading_threads(int requested) {
    if (address_space_left() < std::numeric_limits<double>::infinity()) return 1;
    return std::min(requested > 0 ? requested : omp_get_max_threads(), most_at_once);
}

void validate(const ReadOptions &options) {
    constexpr Index most = std::numeric_limits<std::int32_t>::max();
    if (options.features < 0 || options.features > most)
        throw InvalidInput(
            fmt::format("features must be in [0, {}], not {}", most, options.features));
    if (!(options.memory_limit >= 0))
        throw InvalidInput(fmt::format("memory_limit must be >= 0, not {}", options.memory_limit));
}

/// ".csv" among the extensions: x.csv, x.CSV.gz, but not x.csv-old.
bool is_named_csv(const std::string &name) {
    std::string file = std::filesystem::path(name).filename().string() + '.';
    std::ranges::transform(file, file.begin(), [](unsigned char c) { return std::tolower(c); });
    return file.find(".csv.") != std::string::npos;
}

/// Whether a line holds a word such as "3:0.5".
bool has_pair(std::string_view line) {
    bool in_index = false, at_start = true;
    for (const char c : line) {
        if (c == ':' && in_index) return true;
        in_index = is_digit(c) && (in_index || at_start);
        at_start = is_blank(c);
    }
    return false;
}

Format detect(LineReader &lines) {
    if (is_named_csv(lines.name())) return Format::csv;
    if (!lines.peek()) return Format::libsvm;
    const bool separated = lines.line().find_first_of(",;") != std::string_view::npos;
    return separated && !has_pair(lines.line()) ? Format::csv : Format::libsvm;
}

} // namespace

Table parse_table(ByteSource source, const std::string &name, const ReadOptions &options,
                  const Cutting &cutting) {
    validate(options);
    const std::string purpose = "reading " + name;
    try {
        ReadBudget budget(options.memory_limit, purpose);
        LineReader lines(std::move(source), name, options.should_stop, budget);
        const Format format = options.format == Format::detect ? detect(lines) : options.format;
        return format == Format::csv ? parse_csv(lines, options, budget, cutting)
                                     : parse_libsvm(lines, options, budget, cutting);
    } catch (const std::bad_alloc &) { // the estimate was too low, or others took the memory
        throw OutOfMemory(purpose + " needs more memory than there is", "use fewer rows");
    }
}

Table read_table(const std::filesystem::path &file, const ReadOptions &options) {
    return parse_table(open_bytes(file, options.should_stop), display_name(file), options,
                       {.threads = reading_threads(options.threads)});
}

} // namespace hinge0
