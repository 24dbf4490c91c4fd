/// Words, numbers and keys of a line, each refused with its line number.
#include "model/word_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

double WordReader::to_number(std::string_view text, std::string_view what) const {
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // from_chars takes "inf" and "nan", and reports what is too large or too small for a double.
    if (error != std::errc() || stop != end || !std::isfinite(value))
        fail(fmt::format("{} must be a finite number, got {}", what, in_quotes(text)));
    return value;
}

Index WordReader::to_integer(std::string_view text, std::string_view what, Index least,
                             Index most) const {
    Index value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < least || value > most)
        fail(fmt::format("{} must be a whole number from {} to {}, got {}", what, least, most,
                         in_quotes(text)));
    return value;
}

bool WordReader::next_line() {
    ++line_number_;
    if (left_.empty()) return false;
    const std::size_t length = left_.find('\n');
    line_ = left_.substr(0, length);
    left_.remove_prefix(length + 1);
    line_ended_ = line_.empty();
    return true;
}

void WordReader::expect(std::string_view key) {
    if (!next_line()) fail(fmt::format("expected '{}', found the end of the model", key));
    const std::string_view found = line_ended_ ? std::string_view() : word(key);
    if (found != key) fail(fmt::format("expected '{}', found {}", key, in_quotes(found)));
}

std::string_view WordReader::word(std::string_view what) {
    const std::size_t length = line_.find(' ');
    const std::string_view found = line_.substr(0, length);
    if (line_ended_ || found.empty()) fail(fmt::format("{} is missing or incomplete", what));
    line_ended_ = length == std::string_view::npos;
    line_.remove_prefix(line_ended_ ? line_.size() : length + 1);
    return found;
}

double WordReader::number(std::string_view what) { return to_number(word(what), what); }

double WordReader::positive_number(std::string_view what) {
    const std::string_view text = word(what);
    const double value = to_number(text, what);
    if (!(value > 0)) fail(fmt::format("{} must be > 0, got {}", what, in_quotes(text)));
    return value;
}

Index WordReader::integer(std::string_view what, Index least, Index most) {
    return to_integer(word(what), what, least, most);
}

void WordReader::end_line() {
    if (!line_ended_) fail(fmt::format("{} is too much on this line", in_quotes(line_)));
}

void WordReader::fail(const std::string &what) const {
    throw FileError(what, fmt::format("{}:{}", name_, line_number_));
}

} // namespace hinge0
