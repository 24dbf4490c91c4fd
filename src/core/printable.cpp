/// UTF-8 is checked by the table of well-formed sequences (Unicode, table 3-7).
#include "core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hinge0 {
namespace {

/// How many bytes of `text` are one character that may be shown; 0: the first byte must not be.
std::size_t shown_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    if (!follows(1)) return 0;
    if (first >= 0xc2 && first <= 0xdf)
        return first == 0xc2 && second < 0xa0 ? 0 : 2; // U+0080 to U+009F are control characters
    if (!follows(2)) return 0;
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool surrogate = first == 0xed && second >= 0xa0;
    const bool beyond = first > 0xf4 || (first == 0xf4 && second >= 0x90);
    if (overlong || surrogate || beyond) return 0;
    if (first >= 0xe0 && first <= 0xef) return 3;
    return first >= 0xf0 && follows(3) ? 4 : 0;
}

} // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t count = shown_bytes(text);
        if (count > 0)
            result.append(text.substr(0, count));
        else
            fmt::format_to(std::back_inserter(result), "\\x{:02x}",
                           static_cast<unsigned char>(text.front()));
        text.remove_prefix(std::max<std::size_t>(count, 1));
    }
    return result;
}

} // namespace hinge0
