/// The slow and rare half of text handling.
#include "data/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace hinge0 {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a decimal number that no double can hold is large, rather than small: the decimal
/// exponent of its first digit that is not 0 tells.
bool is_large(std::string_view number) {
    const std::size_t e = std::min(number.find_first_of("eE"), number.size());
    const std::string_view mantissa = number.substr(0, e);
    const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
    if (first < 0) return false;
    const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    std::int64_t exponent = 0;
    if (e < number.size()) {
        const char *begin = number.data() + e + 1, *end = number.data() + number.size();
        if (*begin == '+') ++begin;
        if (std::from_chars(begin, end, exponent).ec == std::errc::result_out_of_range)
            exponent = *begin == '-' ? std::numeric_limits<std::int32_t>::min()
                                     : std::numeric_limits<std::int32_t>::max();
    }
    return point - first + exponent > 0;
}

/// +0012 -> 12, -0 -> 0. Long integers keep all digits: as doubles, different ones would be equal.
std::string canonical_integer(std::string_view text) {
    const bool negative = text.front() == '-';
    const std::size_t first = text.find_first_of("123456789");
    if (first == std::string_view::npos) return "0";
    return fmt::format("{}{}", negative ? "-" : "", text.substr(first));
}

} // namespace

double nearest_double(const char *begin, const char *end) {
    if (*begin == '+') ++begin; // which from_chars does not know
    double value = 0;
    if (std::from_chars(begin, end, value).ec != std::errc::result_out_of_range) return value;
    const bool negative = *begin == '-';
    const double size = is_large({begin, end}) ? std::numeric_limits<double>::infinity() : 0.0;
    return negative ? -size : size;
}

std::optional<double> whole_number(std::string_view text) {
    double value = 0;
    const char *const end = text.data() + text.size();
    if (scan_number(text.data(), end, value) != end || text.empty()) return std::nullopt;
    return value;
}

bool names_not_finite(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    const auto is = [&](std::string_view word) {
        return std::ranges::equal(text, word, {}, lower);
    };
    return is("nan") || is("inf") || is("infinity");
}

std::optional<std::string> canonical_label(std::string_view text) {
    if (names_not_finite(text)) return std::nullopt;
    const std::optional<double> number = whole_number(text);
    if (!number) return std::string(text);
    const auto is_integer_character = [](char c) { return is_digit(c) || c == '-' || c == '+'; };
    if (std::ranges::all_of(text, is_integer_character)) return canonical_integer(text);
    if (!std::isfinite(*number)) return std::nullopt;
    return fmt::format("{}", *number == 0 ? 0.0 : *number); // -0 is 0
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 40;
    std::string result = "'";
    for (const char c : text.substr(0, most)) {
        if (c >= 0x20 && c < 0x7f)
            result += c;
        else
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return result + (text.size() > most ? "...'" : "'");
}

} // namespace hinge0
