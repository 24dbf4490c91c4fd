/// Tables in Markdown and HTML.
#include "text_table.hpp"

#include <fmt/format.h>

namespace hinge0::paper {
namespace {

/// A bar inside a cell would end it.
std::string markdown_text(const std::string &text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

const char *css_class(Tone tone) {
    switch (tone) {
    case Tone::good:
        return " class=\"good\"";
    case Tone::bad:
        return " class=\"bad\"";
    case Tone::quiet:
        return " class=\"quiet\"";
    case Tone::plain:
        break;
    }
    return "";
}

/// How many rows from `first` on have the same first cell.
std::size_t group_size(const TextTable &table, std::size_t first) {
    std::size_t last = first;
    while (last < table.rows.size() && table.rows[last][0].text == table.rows[first][0].text)
        ++last;
    return last - first;
}

} // namespace

std::string to_markdown(const TextTable &table) {
    std::string text = fmt::format("### {}\n\n", table.title);
    if (!table.caption.empty()) text += table.caption + "\n\n";
    std::string rule = "|";
    text += '|';
    for (const std::string &name : table.head) {
        text += fmt::format(" {} |", markdown_text(name));
        rule += "---|";
    }
    text += '\n' + rule + '\n';
    std::string group;
    for (const auto &row : table.rows) {
        text += '|';
        for (std::size_t k = 0; k < row.size(); ++k) {
            const bool repeated = table.grouped && k == 0 && row[0].text == group;
            const std::string words = repeated ? "" : markdown_text(row[k].text);
            const bool strong = !words.empty() && row[k].tone == Tone::good;
            text += strong ? fmt::format(" **{}** |", words) : fmt::format(" {} |", words);
        }
        text += '\n';
        group = row[0].text;
    }
    return text + '\n';
}

std::string to_html(const TextTable &table) {
    std::string text =
        fmt::format("<section id=\"{}\">\n<h3>{}</h3>\n", table.id, escaped(table.title));
    if (!table.caption.empty()) text += fmt::format("<p>{}</p>\n", escaped(table.caption));
    text += fmt::format("<div class=\"scroll\"><table{}>\n<thead><tr>",
                        table.grouped ? " class=\"grouped\"" : "");
    for (const std::string &name : table.head) text += fmt::format("<th>{}</th>", escaped(name));
    text += "</tr></thead>\n<tbody>\n";
    std::size_t left = 0; // rows of the current group still to come
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto &row = table.rows[i];
        const bool first = table.grouped && left == 0;
        if (first) left = group_size(table, i);
        text += first ? "<tr class=\"first\">" : "<tr>";
        if (first) text += fmt::format("<th rowspan=\"{}\">{}</th>", left, escaped(row[0].text));
        if (!table.grouped) text += fmt::format("<th>{}</th>", escaped(row[0].text));
        for (std::size_t k = 1; k < row.size(); ++k)
            text += fmt::format("<td{}>{}</td>", css_class(row[k].tone), escaped(row[k].text));
        text += "</tr>\n";
        if (left > 0) --left;
    }
    return text + "</tbody></table></div>\n</section>\n";
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else
            result += c;
    }
    return result;
}

} // namespace hinge0::paper
