/// Classes and the two-class problems that they are made of.
#include "hinge0/classifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/all_rows.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "hinge0/settings.hpp"

namespace hinge0 {
namespace {

void check_calibration(const Calibration &calibration) {
    if (const auto *sigmoid = std::get_if<Sigmoid>(&calibration))
        if (!std::isfinite(sigmoid->slope) || !std::isfinite(sigmoid->offset) || sigmoid->slope > 0)
            throw InvalidInput(fmt::format("a sigmoid needs a slope of at most 0, got {} and {}",
                                           sigmoid->slope, sigmoid->offset));
    if (const auto *isotonic = std::get_if<Isotonic>(&calibration)) {
        const auto &[at, value] = *isotonic;
        const bool sorted = std::is_sorted(at.begin(), at.end(), std::less_equal<>()) &&
                            std::is_sorted(value.begin(), value.end());
        if (at.size() == 0 || at.size() != value.size() || !at.allFinite() || !sorted ||
            !(value.minCoeff() >= 0 && value.maxCoeff() <= 1))
            throw InvalidInput("an isotonic calibration needs rising points in [0, 1]");
    }
}

void check_pair(const Classifier &classifier, Index k) {
    const Pair &pair = classifier.pairs[static_cast<std::size_t>(k)];
    const auto count = static_cast<Index>(classifier.rows.size());
    if (pair.classes !=
        pair_classes(classifier.scheme, static_cast<Index>(classifier.classes.size()), k))
        throw InvalidInput(
            fmt::format("pair {} has the classes {} and {}", k, pair.classes[0], pair.classes[1]));
    if (std::ssize(pair.support) != pair.coefficients.size())
        throw InvalidInput(fmt::format("pair {} has {} support vectors, but {} coefficients", k,
                                       pair.support.size(), pair.coefficients.size()));
    Index last = -1;
    for (const Index place : pair.support) {
        if (place <= last || place >= count)
            throw InvalidInput(fmt::format(
                "the support vectors of pair {} must rise below {}, got {}", k, count, place));
        last = place;
    }
    const auto usable = [](double c) { return std::isfinite(c) && c != 0; };
    if (!std::isfinite(pair.bias) || !std::ranges::all_of(pair.coefficients, usable))
        throw InvalidInput(
            fmt::format("bias and coefficients of pair {} must be finite, and these not 0", k));
    if (pair.calibration.index() != classifier.pairs[0].calibration.index())
        throw InvalidInput("some pairs are calibrated and others not");
    check_calibration(pair.calibration);
}

/// 1 - p(-h), where p is a calibration.
struct TurnRound {
    Calibration operator()(std::monostate) const { return {}; }
    Calibration operator()(const Sigmoid &sigmoid) const {
        return Sigmoid{.slope = sigmoid.slope, .offset = -sigmoid.offset};
    }
    Calibration operator()(const Isotonic &isotonic) const {
        return Isotonic{.at = -isotonic.at.reverse(),
                        .value = (1 - isotonic.value.reverse().array()).matrix()};
    }
};

/// Which pair has these classes, the lower one first.
Index pair_number(Scheme scheme, Index classes, Index low, Index high) {
    if (classes == 2) return 0;
    return scheme == Scheme::ovr ? high : low * (2 * classes - low - 1) / 2 + high - low - 1;
}

/// For the class that it was against.
Pair turned_round(Pair pair) {
    pair.bias = -pair.bias;
    pair.coefficients = -pair.coefficients;
    pair.calibration = std::visit(TurnRound{}, pair.calibration);
    return pair;
}

} // namespace

std::string_view name(Scheme scheme) { return scheme == Scheme::ovo ? "ovo" : "ovr"; }

std::string_view name(const Calibration &calibration) {
    static constexpr std::string_view names[] = {"none", "sigmoid", "isotonic"};
    return names[calibration.index()];
}

Index pair_count(Scheme scheme, Index classes) {
    if (classes == 2) return 1;
    return scheme == Scheme::ovo ? classes * (classes - 1) / 2 : classes;
}

std::array<Index, 2> pair_classes(Scheme scheme, Index classes, Index k) {
    if (classes == 2) return {0, 1};
    if (scheme == Scheme::ovr) return {Pair::rest, k};
    Index first = 0;
    for (Index left = classes - 1; k >= left; --left, ++first) k -= left;
    return {first, first + 1 + k};
}

void validate(const Classifier &classifier) {
    const auto classes = static_cast<Index>(classifier.classes.size());
    if (classes < 2)
        throw InvalidInput(fmt::format("a classifier needs two classes, got {}", classes));
    if (std::set(classifier.classes.begin(), classifier.classes.end()).size() !=
        classifier.classes.size())
        throw InvalidInput("two classes have the same label");
    if (std::ssize(classifier.class_weight) != classes)
        throw InvalidInput(fmt::format("{} class weights for {} classes",
                                       classifier.class_weight.size(), classes));
    if (std::ssize(classifier.pairs) != pair_count(classifier.scheme, classes))
        throw InvalidInput(
            fmt::format("{} pairs for {} classes", classifier.pairs.size(), classes));
    for (Index k = 0; k < std::ssize(classifier.pairs); ++k) check_pair(classifier, k);
    // What is common to all pairs, as of a model.
    Model whole;
    whole.kernel = classifier.kernel;
    whole.features = classifier.features;
    whole.scaling = classifier.scaling;
    whole.coefficients.setOnes(static_cast<Index>(classifier.rows.size()));
    whole.support = classifier.support;
    whole.rows = classifier.rows;
    whole.loss = classifier.loss;
    whole.C = classifier.C;
    whole.training_rows = classifier.training_rows;
    for (const double weight : classifier.class_weight) {
        whole.class_weight = {weight, weight};
        validate(Objective{.loss = whole.loss, .C = whole.C, .class_weight = whole.class_weight},
                 0);
    }
    validate(whole);
}

Classifier classifier_of(Model model) {
    Classifier result;
    result.kernel = model.kernel;
    result.classes = {model.classes.begin(), model.classes.end()};
    result.features = model.features;
    result.scaling = std::move(model.scaling);
    result.support = std::move(model.support);
    result.rows = std::move(model.rows);
    result.loss = model.loss;
    result.C = model.C;
    result.class_weight = {model.class_weight.begin(), model.class_weight.end()};
    result.training_rows = model.training_rows;
    result.pairs.push_back({.bias = model.bias,
                            .coefficients = std::move(model.coefficients),
                            .support = all_rows(static_cast<Index>(result.rows.size())),
                            .status = model.status,
                            .objective = model.objective});
    return result;
}

void widen(Classifier &classifier, Index features) {
    if (features == classifier.features) return;
    if (features < classifier.features || !classifier.scaling.empty() ||
        std::holds_alternative<PrecomputedKernel>(classifier.kernel))
        throw InvalidInput(
            fmt::format("a model of {} features cannot have {}", classifier.features, features));
    if (const auto *const dense = std::get_if<DenseRows>(&classifier.support))
        classifier.support = SparseRows(dense->sparseView()); // no memory for what is 0 in all
    auto &support = std::get<SparseRows>(classifier.support);
    support.conservativeResize(support.rows(), features);
    classifier.features = features;
}

Classifier with_classes_in_order(const Classifier &classifier, const std::vector<Index> &order) {
    const auto count = static_cast<Index>(classifier.classes.size());
    std::vector<Index> sorted = order;
    std::ranges::sort(sorted);
    if (sorted != all_rows(count))
        throw InvalidInput(fmt::format("the order must name each of {} classes once", count));
    const auto in_order = [&](auto &values) {
        const auto old = values;
        for (std::size_t k = 0; k < order.size(); ++k)
            values[k] = old[static_cast<std::size_t>(order[k])];
    };
    Classifier result = classifier;
    in_order(result.classes);
    in_order(result.class_weight);
    const auto old_place = [&](Index label) {
        return label == Pair::rest ? label : order[static_cast<std::size_t>(label)];
    };
    for (Index k = 0; k < std::ssize(result.pairs); ++k) {
        const std::array<Index, 2> wanted = pair_classes(classifier.scheme, count, k);
        const auto [low, high] = std::minmax({old_place(wanted[0]), old_place(wanted[1])});
        const Pair &same =
            classifier
                .pairs[static_cast<std::size_t>(pair_number(classifier.scheme, count, low, high))];
        Pair &pair = result.pairs[static_cast<std::size_t>(k)];
        pair = old_place(wanted[0]) == low ? same : turned_round(same);
        pair.classes = wanted;
    }
    return result;
}

Model model_of(const Classifier &classifier, Index k) {
    const Pair &pair = classifier.pairs[static_cast<std::size_t>(k)];
    const auto of = [&](const auto &values, Index label) {
        return values[static_cast<std::size_t>(label)];
    };
    const auto [low, high] = pair.classes;
    Model model;
    model.kernel = classifier.kernel;
    model.classes = {low == Pair::rest ? "rest" : of(classifier.classes, low),
                     of(classifier.classes, high)};
    model.features = classifier.features;
    model.scaling = classifier.scaling;
    model.bias = pair.bias;
    model.coefficients = pair.coefficients;
    model.support = chosen_rows(classifier.support, pair.support);
    model.loss = classifier.loss;
    model.C = classifier.C;
    model.training_rows = classifier.training_rows;
    model.status = pair.status;
    model.objective = pair.objective;
    // Against the rest, whose rows have the weights of several classes, they are not two numbers.
    if (low != Pair::rest)
        model.class_weight = {of(classifier.class_weight, low), of(classifier.class_weight, high)};
    for (const Index place : pair.support) model.rows.push_back(of(classifier.rows, place));
    return model;
}

} // namespace hinge0
