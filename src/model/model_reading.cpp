/// Lines and words of model files.
#include "model/model_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/memory.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "model/model_format.hpp"

namespace hinge0::model_reading {
namespace {

/// The alternative of a Kernel or Loss that has this name, with its default parameters.
template <class Variant, std::size_t... index>
Variant alternative(const WordReader &reader, std::string_view kind, std::string_view wanted,
                    std::index_sequence<index...>) {
    std::optional<Variant> found;
    const auto match = [&](const Variant &candidate) {
        if (name(candidate) == wanted) found = candidate;
    };
    (match(std::variant_alternative_t<index, Variant>{}), ...);
    if (!found) reader.fail(fmt::format("unknown {} {}", kind, in_quotes(wanted)));
    return *found;
}

template <class Variant> Variant read_alternative(WordReader &reader, std::string_view key) {
    reader.expect(key);
    const std::string_view wanted = reader.word(key);
    reader.end_line();
    return alternative<Variant>(reader, key, wanted,
                                std::make_index_sequence<std::variant_size_v<Variant>>());
}

void read_values(WordReader &reader, DenseRows &support, Index row) {
    for (Index column = 0; column < support.cols(); ++column)
        support(row, column) = reader.number("value");
}

void read_values(WordReader &reader, SparseRows &support, Index row) {
    support.startVec(row);
    for (Index last = 0; !reader.at_line_end();) {
        const std::string_view pair = reader.word("index:value pair");
        const std::size_t colon = pair.find(':');
        if (colon == std::string_view::npos)
            reader.fail("expected index:value, found " + in_quotes(pair));
        const Index index = reader.to_integer(pair.substr(0, colon), "index", 1, support.cols());
        if (index <= last)
            reader.fail(fmt::format("indices must rise, got {} after {}", index, last));
        support.insertBack(row, index - 1) = reader.to_number(pair.substr(colon + 1), "value");
        last = index;
    }
}

/// Small models are not worth asking the system about.
void ask_for(double bytes) {
    constexpr double without_asking = 1 << 20;
    if (bytes > without_asking)
        require_memory(bytes, 0, "loading the support vectors", "use a machine with more memory");
}

/// Values into a `support` that has its size already.
template <class Rows> void read_rows(WordReader &reader, const SupportLine &line, Rows &support) {
    const Index count = support.rows();
    for (Index i = 0; i < count; ++i) {
        if (!reader.next_line())
            reader.fail(fmt::format("support_vectors says {}, only {} follow", count, i));
        line.begin(i);
        read_values(reader, support, i);
        reader.end_line();
    }
    if constexpr (std::is_same_v<Rows, SparseRows>) support.finalize();
}

} // namespace

int format_of(std::string_view text, const std::string &file) {
    using model_format::magic, model_format::newest;
    const std::string where = file + ":1";
    if (!text.starts_with(magic)) throw FileError("not a hinge0 model", where);
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view found = line.substr(magic.size());
    for (int format = 1; format <= newest; ++format)
        if (found == std::to_string(format)) return format;
    if (found.ends_with('\r'))
        throw FileError("lines end in CR LF, a model's end in LF: copy it as a binary file", where);
    const bool number = !found.empty() && found.front() != '0' &&
                        found.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number) throw FileError("bad format version " + in_quotes(found), where);
    throw FileError(
        fmt::format("written by a newer hinge0 (format {}); this one reads formats up to {}",
                    found.substr(0, 20), newest),
        where);
}

std::string_view check_last_line(std::string_view text, const std::string &file, bool check_sum) {
    const auto fail = [&](const std::string &what) {
        const auto lines = std::count(text.begin(), text.end(), '\n') + !text.ends_with('\n');
        throw FileError(what, fmt::format("{}:{}", file, lines));
    };
    if (!text.ends_with('\n')) fail("the last line is cut off");
    std::string_view line = text.substr(0, text.size() - 1);
    line.remove_prefix(line.rfind('\n') + 1);
    const std::string_view body = text.substr(0, text.size() - 1 - line.size());
    const std::string_view digits =
        line.substr(std::min(line.size(), model_format::checksum_key.size()));
    if (!line.starts_with(model_format::checksum_key) || digits.size() != 16 ||
        digits.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        fail("no checksum on the last line, the file is cut off or damaged");
    if (!check_sum) return body;
    const std::string sum = fmt::format("{:016x}", model_format::fnv1a64(body));
    if (sum != digits)
        fail(fmt::format("the checksum says {} but the text gives {}, the file was changed", digits,
                         sum));
    return body;
}

Kernel read_kernel(WordReader &reader) {
    auto kernel = read_alternative<Kernel>(reader, "kernel");
    const auto read_parameter = [&](std::string_view key, auto &value) {
        reader.expect(key);
        if constexpr (std::is_same_v<decltype(value), int &>)
            value = static_cast<int>(reader.integer(key, 0, std::numeric_limits<int>::max()));
        else
            value = reader.number(key);
        reader.end_line();
        // After each: the defaults of those to come are valid, so the message has the right line.
        try {
            validate(kernel);
        } catch (const InvalidInput &error) {
            reader.fail(error.what());
        }
    };
    for_each_parameter(kernel, read_parameter);
    return kernel;
}

std::string read_label(WordReader &reader) {
    const std::string_view word = reader.word("class label");
    std::string label;
    if (word == "%") return label;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (!model_format::must_escape(word[i])) {
            label += word[i];
            continue;
        }
        const std::string_view digits = word.substr(i + 1, 2);
        unsigned char code = 0;
        const char *end = digits.data() + digits.size();
        if (word[i] != '%' || digits.size() != 2 ||
            std::from_chars(digits.data(), end, code, 16).ptr != end)
            reader.fail("bad escape in class label " + in_quotes(word));
        label += static_cast<char>(code);
        i += 2;
    }
    // A line end would make two lines of one prediction, an ESC would speak to the terminal.
    if (std::ranges::any_of(label, is_control))
        reader.fail("control byte in class label " + in_quotes(label));
    return label;
}

Status read_status(WordReader &reader) {
    const std::string_view word = reader.word("status");
    for (const Status status :
         {Status::converged, Status::max_iterations, Status::time_limit, Status::interrupted})
        if (to_string(status) == word) return status;
    reader.fail("unknown status " + in_quotes(word));
}

Loss read_loss(WordReader &reader) { return read_alternative<Loss>(reader, "loss"); }

void read_sizes(WordReader &reader, const Kernel &kernel, Index least_rows, Index &features,
                Index &training_rows) {
    features =
        read_line(reader, "features", [&] { return reader.integer("features", 1, most_features); });
    training_rows = read_line(reader, "training_rows", [&] {
        return reader.integer("training_rows", least_rows, most_rows);
    });
    if (std::holds_alternative<PrecomputedKernel>(kernel) && features != training_rows)
        reader.fail(fmt::format("a precomputed kernel needs features equal to training_rows, got "
                                "{} and {}",
                                features, training_rows));
}

Vector read_vector(WordReader &reader, std::string_view key, Index size) {
    return read_line(reader, key, [&] {
        // n numbers and the spaces between them take at least 2n - 1 bytes.
        if (static_cast<std::size_t>(size) > (reader.line_left().size() + 1) / 2)
            reader.fail(fmt::format("{} must have {} numbers, the line is too short", key, size));
        Vector values(size);
        for (double &value : values) value = reader.number(key);
        return values;
    });
}

Scaling read_scaling(WordReader &reader, const Kernel &kernel, Index features) {
    Scaling scaling;
    const std::string_view word =
        read_line(reader, "scaling", [&] { return reader.word("scaling"); });
    if (word == "no") return scaling;
    if (word != "yes") reader.fail("scaling must be yes or no, got " + in_quotes(word));
    if (std::holds_alternative<PrecomputedKernel>(kernel))
        reader.fail("a precomputed kernel takes no scaling");
    scaling.mean = read_vector(reader, "mean", features);
    scaling.scale = read_vector(reader, "scale", features);
    if (!(scaling.scale.minCoeff() > 0))
        reader.fail(fmt::format("scale must be > 0, got {:.17g}", scaling.scale.minCoeff()));
    return scaling;
}

Index read_rising_row(WordReader &reader, const std::vector<Index> &before, Index training_rows) {
    const Index last = before.empty() ? 0 : before.back() + 1;
    const Index row = reader.integer("row", 1, training_rows > 0 ? training_rows : last + 1);
    if (row <= last) reader.fail(fmt::format("rows must rise, got {} after {}", row, last));
    return row - 1;
}

Samples read_support(WordReader &reader, Index columns, const SupportLine &line) {
    const Index count = read_line(reader, "support_vectors",
                                  [&] { return reader.integer("support_vectors", 0, most_rows); });
    const std::string_view storage =
        read_line(reader, "storage", [&] { return reader.word("storage"); });
    const bool sparse = storage == "sparse";
    if (!sparse && storage != "dense")
        reader.fail("storage must be dense or sparse, got " + in_quotes(storage));

    // " 0" is the shortest value; dividing cannot overflow.
    const std::string_view left = reader.left();
    const Index line_bytes = line.least_bytes + (sparse ? 0 : 2 * columns);
    const Index room = static_cast<Index>(left.size()) / line_bytes;
    if (count > room)
        reader.fail(
            fmt::format("support_vectors says {}, but there is room for {} at most", count, room));
    if (sparse) {
        // Every pair has one colon: this is how many a well-formed rest of the file has.
        const Index pairs = std::count(left.begin(), left.end(), ':');
        ask_for(12.0 * static_cast<double>(pairs) + 20.0 * static_cast<double>(count));
        SparseRows support(count, columns);
        support.reserve(pairs);
        read_rows(reader, line, support);
        return support;
    }
    ask_for(8.0 * static_cast<double>(count) * static_cast<double>(columns + 2));
    DenseRows support(count, columns);
    read_rows(reader, line, support);
    return support;
}

} // namespace hinge0::model_reading
