/// A document as one HTML file that needs nothing else: style and pictures are inside it.
#include <fmt/format.h>

#include "document.hpp"

namespace hinge0::paper {
namespace {

constexpr const char *style = R"(
:root { --ink: #1d232b; --soft: #5b6673; --line: #d9dee5; --paper: #ffffff; --tint: #f4f6f9;
        --good: #0a6b3d; --good-tint: #e3f4ea; --bad: #a3341f; --accent: #0059a6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #9aa5b3; --line: #36404c; --paper: #14181e; --tint: #1c222a;
          --good: #7fd6a5; --good-tint: #17392a; --bad: #f0937f; --accent: #7db8f2; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
       font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main { max-width: 84rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .8rem; padding-top: .6rem;
     border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
p, li { max-width: 52rem; }
header p { color: var(--soft); font-size: 1.05rem; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.1rem; margin: 1.2rem 0 0; font-size: .92rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
li { margin: .35rem 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .82rem;
        font-variant-numeric: tabular-nums; }
thead th { background: var(--tint); text-align: right; font-weight: 600;
           border-bottom: 1px solid var(--line); vertical-align: bottom; }
th, td { padding: .3rem .55rem; text-align: right; }
td { white-space: nowrap; }
th:first-child { text-align: left; white-space: nowrap; }
tbody th { font-weight: 600; vertical-align: top; }
table.grouped td:nth-of-type(1), table.grouped thead th:nth-child(2) { text-align: left; }
table.grouped tr:not(.first) td:first-child { text-align: left; }
tr.first > * { border-top: 1px solid var(--line); }
tbody tr:hover td { background: var(--tint); }
.good { color: var(--good); background: var(--good-tint); font-weight: 600; }
.bad { color: var(--bad); }
.quiet { color: var(--soft); }
figure { margin: 1.2rem 0; }
figure img { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px;
             background: #fff; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 60rem; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 8px;
      padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; }
summary { cursor: pointer; color: var(--accent); margin: .8rem 0; }
footer { height: 4rem; }
@media print { .scroll { overflow: visible; } h2 { break-after: avoid; } }
)";

/// Words between backquotes become code, as Markdown would show them.
std::string inline_html(std::string_view text) {
    std::string result;
    bool code = false;
    for (const char c : escaped(text)) {
        if (c == '`') {
            result += code ? "</code>" : "<code>";
            code = !code;
        } else {
            result += c;
        }
    }
    return result;
}

struct HtmlWriter {
    std::string operator()(const Heading &h) const {
        return fmt::format("<h2 id=\"{}\">{}</h2>\n", h.id, inline_html(h.text));
    }
    std::string operator()(const Paragraph &p) const {
        return fmt::format("<p>{}</p>\n", inline_html(p.text));
    }
    std::string operator()(const Bullets &bullets) const {
        std::string text = "<ul>\n";
        for (const std::string &item : bullets.items)
            text += fmt::format("<li>{}</li>\n", inline_html(item));
        return text + "</ul>\n";
    }
    std::string operator()(const Code &code) const {
        return fmt::format("<pre>{}</pre>\n", escaped(code.text));
    }
    std::string operator()(const Image &image) const {
        // as data, not inline: the identifiers inside two drawings would clash
        return fmt::format("<figure><img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n"
                           "<figcaption>{}</figcaption></figure>\n",
                           escaped(image.alt), base64(image.svg), inline_html(image.caption));
    }
    std::string operator()(const TextTable &table) const { return to_html(table); }
    std::string operator()(const Folded &folded) const {
        return fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                           escaped(folded.table.title), to_html(folded.table));
    }
};

} // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::string_view part = bytes.substr(i, 3);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < part.size() ? static_cast<unsigned char>(part[k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= part.size() ? letters[word >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

std::string to_html(const Document &document) {
    std::string navigation, body;
    for (const Block &block : document.blocks) {
        if (const auto *heading = std::get_if<Heading>(&block))
            navigation +=
                fmt::format("<a href=\"#{}\">{}</a>\n", heading->id, inline_html(heading->text));
        body += std::visit(HtmlWriter{}, block);
    }
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header>\n"
                       "<h1>{0}</h1>\n<p>{2}</p>\n<nav>\n{3}</nav>\n</header>\n<main>\n{4}"
                       "</main>\n<footer></footer>\n</body>\n</html>\n",
                       escaped(document.title), style, inline_html(document.lead), navigation,
                       body);
}

} // namespace hinge0::paper
