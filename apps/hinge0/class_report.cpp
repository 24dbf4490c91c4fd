/// One line, or one object, for each pair.
#include "class_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/printable.hpp"

namespace hinge0::cli {
namespace {

/// The labels of a pair; of the rest "rest".
std::array<std::string, 2> labels(const Classifier &classifier, std::size_t k) {
    const auto [low, high] = classifier.pairs[k].classes;
    return {low == Pair::rest ? "rest" : classifier.classes[static_cast<std::size_t>(low)],
            classifier.classes[static_cast<std::size_t>(high)]};
}

} // namespace

Json to_json(const ClassFit &fit) {
    Json json = to_json(fit.summary());
    json.erase("bias"); // every pair has its own
    json.update(
        {{"classes", fit.classifier.classes}, {"multi_class", name(fit.classifier.scheme)}});
    Json pairs = Json::array();
    for (std::size_t k = 0; k < fit.reports.size(); ++k) {
        const Report &one = fit.reports[k];
        pairs.push_back({{"classes", labels(fit.classifier, k)},
                         {"status", to_string(one.status)},
                         {"objective", one.objective},
                         {"violators", one.violators},
                         {"support_vectors", one.support_vectors},
                         {"bias", one.bias},
                         {"train_accuracy", one.train_accuracy},
                         {"rows", one.rows},
                         {"certificate", to_json(one.certificate)}});
    }
    json["pairs"] = pairs;
    return json;
}

std::string in_words(const ClassFit &fit) {
    const Report all = fit.summary();
    const auto certified = std::ranges::count_if(
        fit.reports, [](const Report &one) { return one.certificate.local_minimum; });
    Index used = 0;
    for (const Report &one : fit.reports) used += one.support_vectors;
    std::string text = fmt::format(
        "{} classes by {} ({} pairs), {} ({:.3g} s: read {:.2g}, kernel matrix {:.2g}, solve "
        "{:.2g}; "
        "{} threads)\n"
        "  support vectors   {} rows, used {} times\n"
        "  violators         {}\n"
        "  training accuracy {:.2f} %\n"
        "  local minima      {} of {} pairs certified (largest deficit off {:.1e})\n",
        fit.classifier.classes.size(), name(fit.classifier.scheme), fit.reports.size(),
        to_string(all.status), all.seconds.total, all.seconds.read, all.seconds.gram,
        all.seconds.solve, all.threads, all.support_vectors, used, all.violators,
        100 * all.train_accuracy, certified, fit.reports.size(), all.certificate.worst_deficit);
    for (std::size_t k = 0; k < fit.reports.size(); ++k)
        for (const std::string &note : fit.reports[k].notes) {
            const auto [low, high] = labels(fit.classifier, k);
            text += fmt::format("  note: '{}' against '{}': {}\n", printable(high), printable(low),
                                note);
        }
    return text;
}

Json to_json(const Classifier &classifier, const std::vector<Verification> &found) {
    Json pairs = Json::array();
    for (std::size_t k = 0; k < found.size(); ++k)
        pairs.push_back({{"classes", labels(classifier, k)},
                         {"objective", found[k].objective},
                         {"violators", found[k].violators},
                         {"support_vectors", found[k].support_vectors},
                         {"train_accuracy", found[k].train_accuracy},
                         {"local_minimum", found[k].certificate.local_minimum},
                         {"certificate", to_json(found[k].certificate)}});
    return pairs;
}

Index total(const std::vector<Verification> &found, Index Verification::*count) {
    Index sum = 0;
    for (const Verification &one : found) sum += one.*count;
    return sum;
}

bool all_certified(const std::vector<Verification> &found) {
    return std::ranges::all_of(
        found, [](const Verification &one) { return one.certificate.local_minimum; });
}

} // namespace hinge0::cli
