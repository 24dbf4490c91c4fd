#pragma once
/// Numbers, labels and tokens as text. scan_number is the inner loop of both readers.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hinge0 {

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// The double nearest to the decimal number in [begin, end), which scan_number has found well
/// formed; infinite when too large, 0 when too small.
[[nodiscard]] double nearest_double(const char *begin, const char *end);

/// Reads the longest decimal number, such as +1, -.5 or 2.5e-3, at `begin`. Returns where it ends,
/// or null when there is none. "nan" and "inf" are none; a number too large is infinite.
[[nodiscard]] inline const char *scan_number(const char *begin, const char *end, double &value) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = begin;
    const bool negative = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    std::uint64_t mantissa = 0;
    const auto scan_digits = [&] {
        const char *const first = p;
        for (; p != end && is_digit(*p); ++p)
            mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
        return p - first;
    };
    auto digits = scan_digits();
    std::int64_t exponent = 0;
    if (p != end && *p == '.') {
        ++p;
        exponent = -scan_digits();
        digits -= exponent;
    }
    if (digits == 0) return nullptr;
    if (p != end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        const bool falls = q != end && *q == '-';
        if (q != end && (*q == '-' || *q == '+')) ++q;
        if (q != end && is_digit(*q)) { // else the number ends before the 'e'
            std::int64_t power = 0;
            for (; q != end && is_digit(*q); ++q)
                if (power < 100'000) power = power * 10 + (*q - '0');
            exponent += falls ? -power : power;
            p = q;
        }
    }
    // Both factors exact, one rounding: the nearest double, as the general algorithm would give.
    if (digits <= 19 && mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
        const double whole = static_cast<double>(mantissa);
        const double size = exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent];
        value = negative ? -size : size;
    } else {
        value = nearest_double(begin, p);
    }
    return p;
}

/// The number that is the whole of `text`; none if it is not one.
[[nodiscard]] std::optional<double> whole_number(std::string_view text);

/// True for nan, inf and infinity in any case and sign, as programs print them.
[[nodiscard]] bool names_not_finite(std::string_view text);

/// A label in the one writing that hinge0 uses: numbers shortest ("+1", "1.0" become "1"), words as
/// they are. None if the label is not finite.
[[nodiscard]] std::optional<std::string> canonical_label(std::string_view text);

/// 'text' for a message: at most 40 characters, bytes that are not printable ASCII escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace hinge0
