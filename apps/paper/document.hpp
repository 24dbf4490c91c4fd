#pragma once
/// A page as a list of blocks, and its two writings: one self-contained HTML file, and Markdown.
#include <string>
#include <variant>
#include <vector>

#include "text_table.hpp"

namespace hinge0::paper {

struct Heading {
    std::string id, text;
};
struct Paragraph {
    std::string text;
};
struct Bullets {
    std::vector<std::string> items;
};
struct Code {
    std::string text;
};
struct Image {
    std::string file; ///< name that the Markdown refers to
    std::string alt, caption;
    std::string svg; ///< what the HTML holds itself
};
/// A long table that the HTML folds away.
struct Folded {
    TextTable table;
};

using Block = std::variant<Heading, Paragraph, Bullets, Code, Image, TextTable, Folded>;

struct Document {
    std::string title, lead;
    std::vector<Block> blocks{};
};

[[nodiscard]] std::string to_html(const Document &document);
[[nodiscard]] std::string to_markdown(const Document &document);
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace hinge0::paper
