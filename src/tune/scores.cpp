/// Scores of decision values: what scikit-learn's scorers of the same names give.
#include <algorithm>
#include <limits>
#include <numeric>

#include "hinge0/tune.hpp"
#include "model/calibration.hpp"
#include "model/votes.hpp"
#include "tune/scores.hpp"

namespace hinge0 {
namespace {

/// Rows by sign and prediction.
struct Counts {
    double true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;

    Counts(const Vector &signs, const Vector &decisions) {
        for (Index i = 0; i < signs.size(); ++i) {
            const bool predicted = decisions(i) > 0;
            if (signs(i) > 0)
                ++(predicted ? true_positive : false_negative);
            else
                ++(predicted ? false_positive : true_negative);
        }
    }
};

/// Mean recall of the classes that occur.
double balanced_accuracy(const Counts &c) {
    const double positives = c.true_positive + c.false_negative;
    const double negatives = c.true_negative + c.false_positive;
    const double sum = (positives > 0 ? c.true_positive / positives : 0.0) +
                       (negatives > 0 ? c.true_negative / negatives : 0.0);
    return sum / ((positives > 0 ? 1.0 : 0.0) + (negatives > 0 ? 1.0 : 0.0));
}

double f1(const Counts &c) {
    const double denominator = 2 * c.true_positive + c.false_positive + c.false_negative;
    return denominator > 0 ? 2 * c.true_positive / denominator : 0.0;
}

/// The share of pairs of a positive and a negative row that the decision values order rightly;
/// equal ones count half.
double auc(const Vector &signs, const Vector &decisions) {
    std::vector<Index> order(static_cast<std::size_t>(signs.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return decisions(a) < decisions(b); });
    double below = 0, pairs = 0; // negatives so far, pairs in the right order
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        double positives = 0, negatives = 0;
        for (; last < order.size() && decisions(order[last]) == decisions(order[first]); ++last)
            ++(signs(order[last]) > 0 ? positives : negatives);
        pairs += positives * (below + 0.5 * negatives);
        below += negatives;
    }
    const double possible = below * (static_cast<double>(order.size()) - below);
    return possible > 0 ? pairs / possible : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

std::string_view name(Metric metric) {
    switch (metric) {
    case Metric::accuracy:
        return "accuracy";
    case Metric::balanced_accuracy:
        return "balanced-accuracy";
    case Metric::f1:
        return "f1";
    case Metric::auc:
        return "auc";
    case Metric::brier:
        break;
    }
    return "brier";
}

double brier_score(const Sigmoid &sigmoid, const Vector &signs, const Vector &decisions) {
    double sum = 0;
    for (Index i = 0; i < signs.size(); ++i) {
        const double off = probability(sigmoid, decisions(i)) - (signs(i) > 0 ? 1.0 : 0.0);
        sum += off * off;
    }
    return sum / static_cast<double>(signs.size());
}

double score(Metric metric, const Vector &signs, const Vector &decisions) {
    if (metric == Metric::auc) return auc(signs, decisions);
    if (metric == Metric::brier)
        return -brier_score(fit_sigmoid(decisions, signs, {}), signs, decisions);
    const Counts counts(signs, decisions);
    if (metric == Metric::f1) return f1(counts);
    if (metric == Metric::balanced_accuracy) return balanced_accuracy(counts);
    return (counts.true_positive + counts.true_negative) / static_cast<double>(signs.size());
}

} // namespace hinge0
