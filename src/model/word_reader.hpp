#pragma once
/// Strict reading of text made of lines of words with one space between them. Whatever does not
/// fit is a FileError "<what>: <name>:<line>".
#include <cstddef>
#include <string>
#include <string_view>

#include "hinge0/types.hpp"

namespace hinge0 {

class WordReader {
public:
    /// `text` is empty or ends in LF; both arguments must outlive the reader.
    WordReader(std::string_view text, const std::string &name) : left_(text), name_(name) {}

    /// False at the end of the text.
    [[nodiscard]] bool next_line();
    /// The next line must begin with the word `key`.
    void expect(std::string_view key);

    /// `what` names the word in messages.
    [[nodiscard]] std::string_view word(std::string_view what);
    [[nodiscard]] double number(std::string_view what);
    [[nodiscard]] double positive_number(std::string_view what);
    [[nodiscard]] Index integer(std::string_view what, Index least, Index most);
    /// All of `text` must be the number: no "+", no blanks, nothing after it.
    [[nodiscard]] double to_number(std::string_view text, std::string_view what) const;
    [[nodiscard]] Index to_integer(std::string_view text, std::string_view what, Index least,
                                   Index most) const;
    [[nodiscard]] bool at_line_end() const noexcept { return line_ended_; }
    /// Nothing may be left on this line.
    void end_line();

    /// What follows this line.
    [[nodiscard]] std::string_view left() const noexcept { return left_; }
    /// What follows the words read so far on this line.
    [[nodiscard]] std::string_view line_left() const noexcept { return line_; }
    [[noreturn]] void fail(const std::string &what) const;

private:
    std::string_view left_, line_;
    const std::string &name_;
    std::size_t line_number_ = 0;
    bool line_ended_ = true;
};

} // namespace hinge0
