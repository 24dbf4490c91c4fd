/// Text of any format -> Classifier.
#include <fmt/format.h>

#include <algorithm>

#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "model/model_file.hpp"
#include "model/model_reading.hpp"

namespace hinge0 {
namespace {

using namespace model_reading;

Scheme read_scheme(WordReader &reader) {
    const std::string_view word = reader.word("scheme");
    for (const Scheme scheme : {Scheme::ovo, Scheme::ovr})
        if (name(scheme) == word) return scheme;
    reader.fail("unknown scheme " + in_quotes(word));
}

std::vector<std::string> read_classes(WordReader &reader) {
    std::vector<std::string> classes;
    reader.expect("classes");
    const Index count = reader.integer("classes", 2, most_classes);
    while (!reader.at_line_end()) classes.push_back(read_label(reader));
    if (std::ssize(classes) != count)
        reader.fail(fmt::format("classes says {}, {} follow", count, classes.size()));
    reader.end_line();
    std::vector<std::string> sorted = classes;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        reader.fail(fmt::format("class label {} occurs twice", in_quotes(*twice)));
    return classes;
}

/// "<place>:<number>" of a line; places count from 1 and rise.
void read_terms(WordReader &reader, const Classifier &classifier, Pair &pair) {
    const Index count = reader.integer("support vectors of a pair", 0, most_rows);
    // " 1:1" is the shortest.
    if (count > static_cast<Index>(reader.line_left().size() + 1) / 4)
        reader.fail(fmt::format("the pair says {} support vectors, the line is too short", count));
    pair.coefficients.resize(count);
    for (Index k = 0, last = 0; k < count; ++k) {
        const std::string_view term = reader.word("place:coefficient");
        const std::size_t colon = term.find(':');
        if (colon == std::string_view::npos)
            reader.fail("expected place:coefficient, found " + in_quotes(term));
        const Index place = reader.to_integer(term.substr(0, colon), "place", 1,
                                              static_cast<Index>(classifier.rows.size()));
        if (place <= last)
            reader.fail(fmt::format("places must rise, got {} after {}", place, last));
        pair.support.push_back(place - 1);
        pair.coefficients(k) = reader.to_number(term.substr(colon + 1), "coefficient");
        if (pair.coefficients(k) == 0) reader.fail("a coefficient must not be zero");
        last = place;
    }
}

Isotonic read_isotonic(WordReader &reader) {
    const Index count = reader.integer("isotonic", 1, most_rows);
    // " 0 0" is the shortest point.
    if (count > static_cast<Index>(reader.line_left().size() + 1) / 4)
        reader.fail(fmt::format("isotonic says {} points, the line is too short", count));
    Isotonic result{.at = Vector(count), .value = Vector(count)};
    for (Index k = 0; k < count; ++k) {
        result.at(k) = reader.number("point");
        result.value(k) = reader.number("probability");
        const bool rises =
            k == 0 || (result.at(k) > result.at(k - 1) && result.value(k) >= result.value(k - 1));
        if (!rises || result.value(k) < 0 || result.value(k) > 1)
            reader.fail("points must rise, their probabilities too and be in [0, 1]");
    }
    return result;
}

Calibration read_calibration(WordReader &reader) {
    const std::string_view word = reader.word("calibration");
    if (word == "none") return {};
    if (word == "isotonic") return read_isotonic(reader);
    if (word != "sigmoid") reader.fail("unknown calibration " + in_quotes(word));
    Sigmoid result;
    result.slope = reader.number("slope");
    result.offset = reader.number("offset");
    if (result.slope > 0) reader.fail("the slope of a sigmoid must not be above 0");
    return result;
}

/// "pair <class> <class> <status> <objective> <bias> <n> <place>:<coefficient> ..."
Pair read_pair(WordReader &reader, const Classifier &classifier, Index k) {
    const auto classes = static_cast<Index>(classifier.classes.size());
    Pair pair;
    pair.classes = pair_classes(classifier.scheme, classes, k);
    reader.expect("pair");
    for (const Index expected : pair.classes) {
        const Index found = reader.integer("class", 0, classes);
        if (found != expected + 1)
            reader.fail(fmt::format("pair {} is of class {}, got {}", k + 1, expected + 1, found));
    }
    pair.status = read_status(reader);
    pair.objective = reader.number("objective");
    pair.bias = reader.number("bias");
    read_terms(reader, classifier, pair);
    reader.end_line();
    pair.calibration = read_line(reader, "calibration", [&] { return read_calibration(reader); });
    return pair;
}

Classifier parse_format_2(WordReader &reader) {
    Classifier result;
    result.kernel = read_kernel(reader);
    result.loss = read_loss(reader);
    result.C = read_line(reader, "C", [&] { return reader.positive_number("C"); });
    result.scheme = read_line(reader, "scheme", [&] { return read_scheme(reader); });
    result.classes = read_classes(reader);
    const Vector weight =
        read_vector(reader, "class_weight", static_cast<Index>(result.classes.size()));
    if (!(weight.minCoeff() > 0)) reader.fail("class_weight must be > 0");
    result.class_weight.assign(weight.begin(), weight.end());
    read_sizes(reader, result.kernel, 0, result.features, result.training_rows);
    result.scaling = read_scaling(reader, result.kernel, result.features);
    const bool precomputed = std::holds_alternative<PrecomputedKernel>(result.kernel);
    const auto begin = [&](Index) {
        result.rows.push_back(read_rising_row(reader, result.rows, result.training_rows));
    };
    // "1\n" is the shortest beginning.
    result.support =
        read_support(reader, precomputed ? 0 : result.features, {.least_bytes = 2, .begin = begin});
    const Index pairs = pair_count(result.scheme, static_cast<Index>(result.classes.size()));
    for (Index k = 0; k < pairs; ++k) {
        result.pairs.push_back(read_pair(reader, result, k));
        if (result.pairs.back().calibration.index() != result.pairs[0].calibration.index())
            reader.fail("some pairs are calibrated and others not");
    }
    if (reader.next_line()) reader.fail(fmt::format("lines after the last of {} pairs", pairs));
    return result;
}

} // namespace

Classifier parse_classifier(std::string_view text, const std::string &name, bool check_sum) {
    if (format_of(text, name) == 1) return classifier_of(parse_model(text, name, check_sum));
    WordReader reader(check_last_line(text, name, check_sum), name);
    static_cast<void>(reader.next_line());
    return parse_format_2(reader);
}

} // namespace hinge0
