/// A document as Markdown, for the docs folder.
#include <fmt/format.h>

#include "document.hpp"

namespace hinge0::paper {
namespace {

struct MarkdownWriter {
    std::string operator()(const Heading &h) const { return fmt::format("## {}\n\n", h.text); }
    std::string operator()(const Paragraph &p) const { return p.text + "\n\n"; }
    std::string operator()(const Bullets &bullets) const {
        std::string text;
        for (const std::string &item : bullets.items) text += "- " + item + '\n';
        return text + '\n';
    }
    std::string operator()(const Code &code) const {
        return fmt::format("```\n{}```\n\n", code.text);
    }
    std::string operator()(const Image &image) const {
        return fmt::format("![{}]({})\n\n{}\n\n", image.alt, image.file, image.caption);
    }
    std::string operator()(const TextTable &table) const { return to_markdown(table); }
    std::string operator()(const Folded &folded) const { return to_markdown(folded.table); }
};

} // namespace

std::string to_markdown(const Document &document) {
    std::string text = fmt::format("# {}\n\n{}\n\n", document.title, document.lead);
    for (const Block &block : document.blocks) text += std::visit(MarkdownWriter{}, block);
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

} // namespace hinge0::paper
