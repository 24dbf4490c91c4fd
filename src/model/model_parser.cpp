/// Text -> Model. The text is hostile until shown otherwise: every count is held against the bytes
/// that are left before anything of its size is allocated.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "core/memory.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "model/model_file.hpp"
#include "model/model_format.hpp"
#include "model/word_reader.hpp"

namespace hinge0 {
namespace {

constexpr Index most_features = std::numeric_limits<int>::max(); // SparseRows has int indices
constexpr Index most_rows = std::numeric_limits<Index>::max();

void check_first_line(std::string_view text, const std::string &file) {
    using model_format::magic, model_format::version;
    const std::string where = file + ":1";
    if (!text.starts_with(magic)) throw FileError("not a hinge0 model", where);
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view found = line.substr(magic.size());
    if (found == version) return;
    if (found.ends_with('\r'))
        throw FileError("lines end in CR LF, a model's end in LF: copy it as a binary file", where);
    const bool number = !found.empty() && found.front() != '0' &&
                        found.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number) throw FileError("bad format version " + in_quotes(found), where);
    throw FileError(fmt::format("written by a newer hinge0 (format {}); this one reads format {}",
                                found.substr(0, 20), version),
                    where);
}

/// Everything before the checksum line.
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

/// One line "<key> <value>...": expect, read, nothing more.
template <class Read> auto read_line(WordReader &reader, std::string_view key, Read read) {
    reader.expect(key);
    auto value = read();
    reader.end_line();
    return value;
}

void read_training(WordReader &reader, Model &model) {
    model.loss = read_alternative<Loss>(reader, "loss");
    model.C = read_line(reader, "C", [&] { return reader.positive_number("C"); });
    model.class_weight = read_line(reader, "class_weight", [&] {
        const double negative = reader.positive_number("class_weight");
        return std::array{negative, reader.positive_number("class_weight")};
    });
    model.classes = read_line(reader, "classes", [&] {
        std::string negative = read_label(reader);
        return std::array{std::move(negative), read_label(reader)};
    });
    if (model.classes[0] == model.classes[1])
        reader.fail("the two class labels are equal, both " + in_quotes(model.classes[0]));
    model.features =
        read_line(reader, "features", [&] { return reader.integer("features", 1, most_features); });
    model.training_rows = read_line(reader, "training_rows",
                                    [&] { return reader.integer("training_rows", 1, most_rows); });
    if (std::holds_alternative<PrecomputedKernel>(model.kernel) &&
        model.features != model.training_rows)
        reader.fail(fmt::format("a precomputed kernel needs features equal to training_rows, got "
                                "{} and {}",
                                model.features, model.training_rows));
    model.status = read_line(reader, "status", [&] { return read_status(reader); });
    model.objective = read_line(reader, "objective", [&] { return reader.number("objective"); });
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

Scaling read_scaling(WordReader &reader, const Model &model) {
    Scaling scaling;
    const std::string_view word =
        read_line(reader, "scaling", [&] { return reader.word("scaling"); });
    if (word == "no") return scaling;
    if (word != "yes") reader.fail("scaling must be yes or no, got " + in_quotes(word));
    if (std::holds_alternative<PrecomputedKernel>(model.kernel))
        reader.fail("a precomputed kernel takes no scaling");
    scaling.mean = read_vector(reader, "mean", model.features);
    scaling.scale = read_vector(reader, "scale", model.features);
    if (!(scaling.scale.minCoeff() > 0))
        reader.fail(fmt::format("scale must be > 0, got {:.17g}", scaling.scale.minCoeff()));
    return scaling;
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

/// Rows, coefficients and vectors, into a `support` that has its size already.
template <class Rows> void read_rows(WordReader &reader, Model &model, Rows &support) {
    const Index count = support.rows();
    model.coefficients.resize(count);
    model.rows.reserve(static_cast<std::size_t>(count));
    for (Index i = 0, last = 0; i < count; ++i) {
        if (!reader.next_line())
            reader.fail(fmt::format("support_vectors says {}, only {} follow", count, i));
        const Index row = reader.integer("row", 1, model.training_rows);
        if (row <= last) reader.fail(fmt::format("rows must rise, got {} after {}", row, last));
        model.rows.push_back(row - 1);
        model.coefficients[i] = reader.number("coefficient");
        if (model.coefficients[i] == 0) reader.fail("a coefficient must not be zero");
        read_values(reader, support, i);
        reader.end_line();
        last = row;
    }
    if constexpr (std::is_same_v<Rows, SparseRows>) support.finalize();
}

/// Small models are not worth asking the system about.
void ask_for(double bytes) {
    constexpr double without_asking = 1 << 20;
    if (bytes > without_asking)
        require_memory(bytes, 0, "loading the support vectors", "use a machine with more memory");
}

void read_support(WordReader &reader, Model &model) {
    const Index count = read_line(reader, "support_vectors",
                                  [&] { return reader.integer("support_vectors", 0, most_rows); });
    const std::string_view storage =
        read_line(reader, "storage", [&] { return reader.word("storage"); });
    const bool sparse = storage == "sparse";
    if (!sparse && storage != "dense")
        reader.fail("storage must be dense or sparse, got " + in_quotes(storage));
    const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    const Index columns = precomputed ? 0 : model.features;

    // "1 1\n" is the shortest line, " 0" the shortest value; dividing cannot overflow.
    const std::string_view left = reader.left();
    const Index line_bytes = 4 + (sparse ? 0 : 2 * columns);
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
        read_rows(reader, model, support);
        model.support = std::move(support);
    } else {
        ask_for(8.0 * static_cast<double>(count) * static_cast<double>(columns + 2));
        DenseRows support(count, columns);
        read_rows(reader, model, support);
        model.support = std::move(support);
    }
    if (reader.next_line())
        reader.fail(fmt::format("support_vectors says {}, but more lines follow", count));
}

} // namespace

Model parse_model(std::string_view text, const std::string &name, bool check_sum) {
    check_first_line(text, name);
    WordReader reader(check_last_line(text, name, check_sum), name);
    static_cast<void>(reader.next_line());
    Model model;
    model.kernel = read_kernel(reader);
    read_training(reader, model);
    model.scaling = read_scaling(reader, model);
    model.bias = read_line(reader, "bias", [&] { return reader.number("bias"); });
    read_support(reader, model);
    return model;
}

} // namespace hinge0
