/// CSV: separated fields, one row per line, with or without a row of names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/parse_blocks.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// What the first line says of all.
struct CsvShape {
    char separator = ',';
    std::vector<std::string> header; ///< empty: the file has none
    std::size_t columns = 0, label_column = none, weight_column = none;
};

/// What lines say.
struct CsvRows {
    explicit CsvRows(ReadBudget &budget)
        : names(budget), labels(budget), values(budget), weights(budget) {}

    [[nodiscard]] bool append(CsvRows &&part) {
        append_labels(names, labels, part.names, std::move(part.labels));
        values.append(std::move(part.values));
        weights.append(std::move(part.weights));
        count += part.count;
        return true;
    }
    [[nodiscard]] Table to_table();

    std::size_t count = 0;
    LabelNames names;
    BlockedArray<std::int32_t> labels;
    BlockedArray<double> values, weights;
};

class CsvParser {
public:
    CsvParser(LineReader &lines, ReadBudget &budget, CsvShape &shape, CsvRows &rows)
        : lines_(lines), budget_(budget), shape_(shape), rows_(rows) {}

    /// Looks at the first line: separator, number of columns, names, where the label is. Takes the
    /// row, if it is one.
    void start(const ReadOptions &options);
    void parse() {
        while (lines_.next()) {
            split(lines_.line());
            row();
        }
    }

private:
    void find_columns(const ReadOptions &options);
    [[nodiscard]] std::size_t column_numbered(const std::string &wanted, const char *what) const;
    [[nodiscard]] std::size_t column_named(const std::string &name, const char *what) const;
    [[nodiscard]] bool is_header() const;
    void split(std::string_view line);
    std::string_view take_field(std::string_view &rest);
    std::string_view take_quoted(std::string_view &rest);
    void row();
    void label(std::string_view field);
    void weight(std::string_view field);
    [[nodiscard]] double value(std::size_t column, std::string_view field) const;
    [[nodiscard]] std::string describe(std::size_t column) const;

    LineReader &lines_;
    ReadBudget &budget_;
    CsvShape &shape_; ///< made by start(), else read only
    CsvRows &rows_;
    std::vector<std::string_view> fields_; ///< of the current line
    std::string unescaped_;                ///< those of them that held "", one after the other
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// A comma if there is one outside quotes; else a semicolon; else a tab.
char separator_of(std::string_view line) {
    static constexpr std::string_view separators = ",;\t";
    std::size_t best = separators.size();
    bool inside = false;
    for (const char c : line) {
        inside ^= c == '"';
        if (!inside) best = std::min(best, separators.find(c));
    }
    return best < separators.size() ? separators[best] : ',';
}

/// The ways in which programs write that a value is missing: a row with one is not yet a header.
bool marks_missing(std::string_view field) {
    static constexpr std::array<std::string_view, 7> marks{"",   "?",    "NA",  "N/A",
                                                           "na", "null", "NULL"};
    return names_not_finite(field) || std::ranges::find(marks, field) != marks.end();
}

void CsvParser::start(const ReadOptions &options) {
    shape_.separator = separator_of(lines_.line());
    split(lines_.line());
    shape_.columns = fields_.size();
    find_columns(options);
    if (options.labelled && shape_.columns == 1)
        lines_.fail("only one column, and that is the label");
    if (shape_.header.empty()) row();
}

void CsvParser::find_columns(const ReadOptions &options) {
    const std::string &label = options.label_column, &weight = options.weight_column;
    const auto is_number = [](const std::string &text) {
        return !text.empty() && std::ranges::all_of(text, is_digit);
    };
    if (options.labelled && label.empty()) shape_.label_column = 0;
    if (options.labelled && is_number(label)) shape_.label_column = column_numbered(label, "label");
    if (is_number(weight)) shape_.weight_column = column_numbered(weight, "weight");
    if (is_header()) {
        budget_.take(lines_.line().size() + shape_.columns * sizeof(std::string));
        shape_.header.assign(fields_.begin(), fields_.end());
    }
    if (!weight.empty() && shape_.weight_column == none)
        shape_.weight_column = column_named(weight, "weight");
    if (options.labelled && shape_.label_column == none)
        shape_.label_column = column_named(label, "label");
    if (options.labelled && shape_.weight_column == shape_.label_column)
        lines_.fail(
            fmt::format("{} cannot be both label and weight", describe(shape_.label_column)));
}

std::size_t CsvParser::column_numbered(const std::string &wanted, const char *what) const {
    const double number = whole_number(wanted).value();
    if (number < 1 || number > static_cast<double>(shape_.columns))
        lines_.fail(
            fmt::format("no {} column {}, there are {} columns", what, wanted, shape_.columns));
    return static_cast<std::size_t>(number) - 1;
}

std::size_t CsvParser::column_named(const std::string &name, const char *what) const {
    if (shape_.header.empty())
        lines_.fail(fmt::format("no header row to find {} column {} in", what, in_quotes(name)));
    const auto found = std::ranges::find(shape_.header, name);
    if (found == shape_.header.end()) {
        std::string known;
        for (std::size_t i = 0; i < std::min<std::size_t>(shape_.columns, 5); ++i)
            known += (i == 0 ? "" : ", ") + in_quotes(shape_.header[i]);
        lines_.fail(fmt::format("no column {} among {}{}", in_quotes(name), known,
                                shape_.columns > 5 ? ", ..." : ""));
    }
    if (std::find(found + 1, shape_.header.end(), name) != shape_.header.end())
        lines_.fail(fmt::format("more than one column {}", in_quotes(name)));
    return static_cast<std::size_t>(found - shape_.header.begin());
}

bool CsvParser::is_header() const {
    for (std::size_t i = 0; i < shape_.columns; ++i)
        if (i != shape_.label_column && !whole_number(fields_[i]) && !marks_missing(fields_[i]))
            return true;
    return false;
}

/// Cuts a line into fields_.
void CsvParser::split(std::string_view line) {
    fields_.clear();
    unescaped_.clear();
    for (;;) {
        if (fields_.size() == fields_.capacity())
            budget_.take((fields_.size() + 1) * 2 * sizeof(std::string_view));
        fields_.push_back(take_field(line));
        if (line.empty()) return;
        line.remove_prefix(1); // the separator: one more field follows, if only an empty one
    }
}

/// Takes one field off the front of `rest`, up to its separator, without blanks and quotes.
std::string_view CsvParser::take_field(std::string_view &rest) {
    const auto skip_blanks = [&] {
        while (!rest.empty() && is_blank(rest.front()) && rest.front() != shape_.separator)
            rest.remove_prefix(1);
    };
    skip_blanks();
    if (!rest.starts_with('"')) {
        const std::string_view field = rest.substr(0, rest.find(shape_.separator));
        rest.remove_prefix(field.size());
        return trimmed(field);
    }
    const std::string_view field = take_quoted(rest);
    skip_blanks();
    if (!rest.empty() && rest.front() != shape_.separator)
        lines_.fail(fmt::format("text after the closing quote of {}", in_quotes(field)));
    return field;
}

/// Takes "..." off the front of `rest`; "" inside stands for one quote.
std::string_view CsvParser::take_quoted(std::string_view &rest) {
    const std::string_view whole = rest;
    rest.remove_prefix(1);
    const std::size_t first = unescaped_.size();
    for (;;) {
        const std::size_t quote = rest.find('"');
        if (quote == std::string_view::npos)
            lines_.fail(fmt::format("quote not closed in {} (a quoted field ends on its line)",
                                    in_quotes(whole)));
        const std::string_view part = rest.substr(0, quote);
        rest.remove_prefix(quote + 1);
        const bool ends = !rest.starts_with('"');
        if (ends && unescaped_.size() == first) return part;
        if (unescaped_.capacity() < lines_.line().size()) { // so that it never moves in this line
            budget_.take(lines_.line().size());
            unescaped_.reserve(lines_.line().size());
        }
        unescaped_.append(part);
        if (ends) return std::string_view(unescaped_).substr(first);
        unescaped_ += '"';
        rest.remove_prefix(1);
    }
}

void CsvParser::row() {
    if (fields_.size() != shape_.columns)
        lines_.fail(fmt::format("found {} fields, expected {}", fields_.size(), shape_.columns));
    for (std::size_t i = 0; i < shape_.columns; ++i) {
        if (i == shape_.label_column)
            label(fields_[i]);
        else if (i == shape_.weight_column)
            weight(fields_[i]);
        else
            rows_.values.push(value(i, fields_[i]));
    }
    ++rows_.count;
}

void CsvParser::label(std::string_view field) {
    if (field.empty())
        lines_.fail(fmt::format("missing label in {}", describe(shape_.label_column)));
    if (std::ranges::any_of(field, is_control))
        lines_.fail(fmt::format("control byte in label {}", in_quotes(field)));
    const std::int32_t number = rows_.names.number(field);
    if (number < 0) lines_.fail(fmt::format("label {} is not finite", in_quotes(field)));
    rows_.labels.push(number);
}

void CsvParser::weight(std::string_view field) {
    rows_.weights.push(value(shape_.weight_column, field));
    if (field.starts_with('-') && whole_number(field) < 0.0)
        lines_.fail(fmt::format("weight {} in {} is negative", in_quotes(field),
                                describe(shape_.weight_column)));
}

double CsvParser::value(std::size_t column, std::string_view field) const {
    double number = 0;
    const char *const end = field.data() + field.size();
    if (scan_number(field.data(), end, number) == end && std::isfinite(number)) return number;
    if (field.empty()) lines_.fail(fmt::format("missing value in {}", describe(column)));
    const bool is_number = names_not_finite(field) || whole_number(field).has_value();
    lines_.fail(fmt::format("value {} in {} is not {}", in_quotes(field), describe(column),
                            is_number ? "finite" : "a number"));
}

std::string CsvParser::describe(std::size_t column) const {
    const std::string name =
        shape_.header.empty() ? "" : fmt::format(" ({})", in_quotes(shape_.header[column]));
    return fmt::format("column {}{}", column + 1, name);
}

Table CsvRows::to_table() {
    Table table;
    table.labels.resize(labels.size());
    labels.move_to(table.labels.data());
    table.label_names = names.take_names();
    table.weights.resize(static_cast<Index>(weights.size()));
    weights.move_to(table.weights.data());
    DenseRows rows(static_cast<Index>(count), static_cast<Index>(values.size() / count));
    values.move_to(rows.data());
    table.samples = std::move(rows);
    return table;
}

} // namespace

Table parse_csv(LineReader &lines, const ReadOptions &options, ReadBudget &budget,
                const Cutting &cutting) {
    CsvRows whole(budget);
    CsvShape shape;
    if (lines.next()) CsvParser(lines, budget, shape, whole).start(options);
    parse_blocks(lines, budget, cutting, whole, [&](LineReader &own, CsvRows &rows) {
        CsvParser(own, budget, shape, rows).parse();
    });
    if (whole.count == 0) throw FileError("no data rows", lines.name());
    return whole.to_table();
}

} // namespace hinge0
