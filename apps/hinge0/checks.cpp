/// What an option may be.
#include "checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "data/text.hpp"

namespace hinge0::cli {
namespace {

namespace fs = std::filesystem;

/// The positive finite number that is all of `text`, else 0. Not std::stod, which throws at numbers
/// below 2.2e-308.
double positive_value(const std::string &text) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool whole = end == text.c_str() + text.size();
    return whole && std::isfinite(value) && value > 0 ? value : 0.0;
}

/// Standard input may be redirected from the file that -o names.
fs::path path_of(const std::string &name) { return name == "-" ? "/dev/stdin" : name; }

bool same_file(const fs::path &a, const fs::path &b) {
    std::error_code error;
    if (fs::exists(a, error) && fs::exists(b, error)) // devices and pipes may be named twice
        return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
    const fs::path whole_a = fs::weakly_canonical(fs::absolute(a, error), error);
    const fs::path whole_b = fs::weakly_canonical(fs::absolute(b, error), error);
    return !whole_a.empty() && whole_a == whole_b;
}

} // namespace

CLI::Validator positive_number() {
    return {[](const std::string &text) -> std::string {
                if (positive_value(text) > 0) return {};
                return "must be a positive number, got " + in_quotes(text);
            },
            "NUMBER > 0"};
}

double to_positive_number(const std::string &option, const std::string &text) {
    const double value = positive_value(text);
    if (!(value > 0))
        throw UsageError(
            fmt::format("{} must be a positive number, got {}", option, in_quotes(text)));
    return value;
}

CLI::Validator whole_number_in(std::uint64_t least, std::uint64_t most) {
    return {[=](std::string &text) -> std::string {
                std::uint64_t value = 0;
                const char *const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data(), end, value);
                if (error != std::errc() || stop != end || value < least || value > most)
                    return fmt::format("must be a whole number from {} to {}, got {}", least, most,
                                       in_quotes(text));
                text = std::to_string(value); // CLI11 would take 010 for eight
                return {};
            },
            "NUMBER"};
}

CLI::Validator rows_or_word() {
    return {[](std::string &text) -> std::string {
                if (text == "auto" || text == "off") {
                    text = text == "auto" ? "-1" : "0";
                    return {};
                }
                const std::string wrong = whole_number_in(2, INT32_MAX)(text);
                return wrong.empty()
                           ? wrong
                           : fmt::format("must be auto, off or a whole number from 2 to {}, got {}",
                                         INT32_MAX, in_quotes(text));
            },
            "auto|off|ROWS"};
}

CLI::Validator number_or_auto() {
    return {[](std::string &text) -> std::string {
                if (text == "auto") {
                    text = "-1";
                    return {};
                }
                double value = 0;
                return CLI::detail::lexical_cast(text, value) && value >= 0
                           ? std::string()
                           : fmt::format("must be auto or a number in [0, 1), got {}",
                                         in_quotes(text));
            },
            "auto|NUM"};
}

void refuse_empty_values(const CLI::App &app) {
    for (const CLI::Option *option : app.get_options())
        for (const std::string &value : option->results())
            if (value.empty() && !option->get_positional())
                throw UsageError(option->get_name() + " needs a value, got ''");
}

void refuse_overwriting(const std::string &option, const std::string &output,
                        const std::string &what, const std::string &other) {
    if (output.empty() || output == "-" || other.empty()) return;
    if (same_file(path_of(output), path_of(other)))
        throw UsageError(fmt::format("{} would overwrite {}: {}", option, what, in_quotes(output)));
}

} // namespace hinge0::cli
