#pragma once
/// A table of words and numbers, and its two writings: Markdown and HTML.
#include <string>
#include <string_view>
#include <vector>

namespace hinge0::paper {

/// How a cell is shown where the writing can: a value to notice, or one to read past.
enum class Tone { plain, good, bad, quiet };

struct Cell {
    std::string text;
    Tone tone = Tone::plain;
};

struct TextTable {
    std::string id{}, title{}, caption{};
    std::vector<std::string> head{};
    std::vector<std::vector<Cell>> rows{};
    bool grouped = false; ///< the first column names a group: written once for rows alike in it
};

[[nodiscard]] std::string to_markdown(const TextTable &table);
[[nodiscard]] std::string to_html(const TextTable &table);
/// &, < and > written so that HTML shows them.
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace hinge0::paper
