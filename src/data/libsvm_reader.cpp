/// LIBSVM text: "label index:value index:value ... # comment" per line, indices from 1 and rising.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "data/parse_blocks.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

/// What lines say.
struct LibsvmRows {
    explicit LibsvmRows(ReadBudget &budget)
        : names(budget), labels(budget), lengths(budget), indices(budget), values(budget) {}

    /// False, and nothing taken, if they have labels and the others not, or are too many.
    [[nodiscard]] bool append(LibsvmRows &&part);
    [[nodiscard]] Table to_table();

    [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(values.size()); }

    std::optional<bool> labelled; ///< none before the first row
    std::int64_t columns = 0, most_values = most_stored_values;
    LabelNames names;
    BlockedArray<std::int32_t> labels, lengths, indices; ///< lengths: values in each row
    BlockedArray<double> values;
};

class LibsvmParser {
public:
    LibsvmParser(LineReader &lines, bool precomputed, LibsvmRows &rows)
        : lines_(lines), precomputed_(precomputed), rows_(rows) {}

    void parse() {
        while (lines_.next()) row(lines_.line());
    }

private:
    void row(std::string_view line);
    const char *label(const char *begin, const char *end);
    const char *pair(const char *begin, const char *end);
    [[noreturn]] void refuse_pair(std::string_view token) const;
    [[noreturn]] void refuse_value(std::string_view index, std::string_view value) const;

    LineReader &lines_;
    bool precomputed_;
    std::int64_t last_index_ = 0; ///< of the current row
    LibsvmRows &rows_;
};

bool ends_token(char c) { return is_blank(c) || c == '#'; }

const char *token_end(const char *begin, const char *end) {
    return std::find_if(begin, end, ends_token);
}

void LibsvmParser::row(std::string_view line) {
    const char *p = line.data();
    const char *const end = p + line.size();
    while (is_blank(*p)) ++p; // a data line has something that is not blank
    p = label(p, end);
    const std::int64_t before = rows_.stored();
    last_index_ = precomputed_ ? -1 : 0;
    for (;;) {
        while (p != end && is_blank(*p)) ++p;
        if (p == end || *p == '#') break;
        p = pair(p, end);
    }
    rows_.columns = std::max(rows_.columns, last_index_);
    if (rows_.stored() > rows_.most_values)
        lines_.fail(fmt::format("more than {} values that are not zero", rows_.most_values));
    rows_.lengths.push(static_cast<std::int32_t>(rows_.stored() - before));
}

/// Stores the label, if the line has one, and returns where the pairs begin.
const char *LibsvmParser::label(const char *begin, const char *end) {
    const char *const stop = token_end(begin, end);
    const std::string_view token(begin, stop);
    const bool labelled = token.find(':') == std::string_view::npos;
    if (labelled != rows_.labelled.value_or(labelled))
        lines_.fail(
            labelled ? fmt::format("label {} in a file that began without labels", in_quotes(token))
                     : fmt::format("no label before {}", in_quotes(token)));
    rows_.labelled = labelled;
    if (!labelled) return begin;
    if (std::ranges::any_of(token, is_control))
        lines_.fail(fmt::format("control byte in label {}", in_quotes(token)));
    const std::int32_t number = rows_.names.number(token);
    if (number < 0) lines_.fail(fmt::format("label {} is not finite", in_quotes(token)));
    rows_.labels.push(number);
    return stop;
}

/// Stores one index:value and returns where it ends.
const char *LibsvmParser::pair(const char *begin, const char *end) {
    const char *p = begin;
    if (*p == '+') ++p;
    const char *const digits = p;
    std::int64_t index = 0;
    for (; p != end && is_digit(*p); ++p)
        if (index <= largest_index) index = index * 10 + (*p - '0');
    const bool rises = index > last_index_ && index <= largest_index;
    double value = 0;
    if (p == digits || p == end || *p != ':' || !rises) refuse_pair({begin, token_end(begin, end)});
    p = scan_number(p + 1, end, value);
    if (p == nullptr || (p != end && !ends_token(*p)) || !std::isfinite(value))
        refuse_pair({begin, token_end(begin, end)});
    last_index_ = index;
    if (value != 0 && index > 0) { // index 0: the serial number of a precomputed row
        rows_.indices.push(static_cast<std::int32_t>(index - 1));
        rows_.values.push(value);
    }
    return p;
}

/// Says what is wrong with an index:value that pair() could not take.
void LibsvmParser::refuse_pair(std::string_view token) const {
    if (std::ranges::any_of(token, is_control))
        lines_.fail(fmt::format("control byte in {}", in_quotes(token)));
    if (token.starts_with("qid:"))
        lines_.fail(fmt::format("{} is for ranking, which is not supported", in_quotes(token)));
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos)
        lines_.fail(fmt::format("missing ':' in {}", in_quotes(token)));
    const std::string_view index = token.substr(0, colon);
    std::string_view digits = index;
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty() || !std::ranges::all_of(digits, is_digit))
        lines_.fail(fmt::format("index {} is not a whole number", in_quotes(index)));
    if (index.starts_with('-')) lines_.fail(fmt::format("index {} is negative", in_quotes(index)));
    const double number = whole_number(digits).value();
    if (number > static_cast<double>(largest_index))
        lines_.fail(fmt::format("index {} is over {}", in_quotes(index), largest_index));
    if (number == 0 && last_index_ >= 0)
        lines_.fail(fmt::format("index 0 in {}, but indices start at 1", in_quotes(token)));
    const double last = static_cast<double>(last_index_);
    if (number == last) lines_.fail(fmt::format("index {} is repeated", last_index_));
    if (number < last)
        lines_.fail(fmt::format("index {} after {}, but indices must rise", number, last_index_));
    refuse_value(index, token.substr(colon + 1));
}

void LibsvmParser::refuse_value(std::string_view index, std::string_view value) const {
    if (value.empty()) lines_.fail(fmt::format("missing value of index {}", in_quotes(index)));
    const bool number = names_not_finite(value) || whole_number(value).has_value();
    lines_.fail(fmt::format("value {} of index {} is not {}", in_quotes(value), in_quotes(index),
                            number ? "finite" : "a number"));
}

bool LibsvmRows::append(LibsvmRows &&part) {
    if (!part.labelled) return true; // no row
    if (*part.labelled != labelled.value_or(*part.labelled)) return false;
    if (stored() + part.stored() > most_values) return false;
    labelled = part.labelled;
    columns = std::max(columns, part.columns);
    append_labels(names, labels, part.names, std::move(part.labels));
    lengths.append(std::move(part.lengths));
    indices.append(std::move(part.indices));
    values.append(std::move(part.values));
    return true;
}

Table LibsvmRows::to_table() {
    Table table;
    table.labels.resize(labels.size());
    labels.move_to(table.labels.data());
    table.label_names = names.take_names();
    // Built in place: Eigen 3.4 copies sparse matrices where it is asked to move them.
    auto &rows = table.samples.emplace<SparseRows>(static_cast<Index>(lengths.size()),
                                                   static_cast<Index>(columns));
    rows.resizeNonZeros(static_cast<Index>(values.size()));
    auto *const ends = rows.outerIndexPtr();
    ends[0] = 0;
    lengths.move_to(ends + 1);
    std::partial_sum(ends, ends + rows.rows() + 1, ends);
    indices.move_to(rows.innerIndexPtr());
    values.move_to(rows.valuePtr());
    return table;
}

} // namespace

Table parse_libsvm(LineReader &lines, const ReadOptions &options, ReadBudget &budget,
                   const Cutting &cutting, std::int64_t most_values) {
    LibsvmRows whole(budget);
    whole.columns = options.features;
    whole.most_values = most_values;
    parse_blocks(lines, budget, cutting, whole, [&](LineReader &own, LibsvmRows &rows) {
        LibsvmParser(own, options.precomputed, rows).parse();
    });
    if (whole.lengths.size() == 0) throw FileError("no data rows", lines.name());
    return whole.to_table();
}

} // namespace hinge0
