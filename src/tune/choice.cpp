/// From the scores of a grid to one of its cells.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hinge0/tune.hpp"

namespace hinge0 {
namespace {

/// A kernel's score must be so much higher than that of the first one: two standard errors of a
/// difference on some thousand rows. The square of what probabilities are off by has less noise.
constexpr double clear_gain = 0.005, clear_gain_of_brier = 0.001;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double mean_of_known(const std::vector<double> &values) {
    double sum = 0, count = 0;
    for (const double value : values)
        if (!std::isnan(value)) {
            sum += value;
            ++count;
        }
    return count > 0 ? sum / count : unknown;
}

/// Scores or agreements.
using Numbers = std::vector<double> Cell::*;

bool is_complete(const Cell &cell, Numbers numbers) {
    return std::none_of((cell.*numbers).begin(), (cell.*numbers).end(),
                        [](double number) { return std::isnan(number); });
}

/// How high they are on each split: means over the cells that have all of them, if there are any.
std::vector<double> levels(const std::vector<Cell> &cells, Numbers numbers) {
    const bool some = std::any_of(cells.begin(), cells.end(),
                                  [&](const Cell &cell) { return is_complete(cell, numbers); });
    std::vector<double> result((cells.front().*numbers).size());
    for (std::size_t s = 0; s < result.size(); ++s) {
        std::vector<double> values;
        for (const Cell &cell : cells)
            if (!some || is_complete(cell, numbers)) values.push_back((cell.*numbers)[s]);
        result[s] = mean_of_known(values);
    }
    return result;
}

Vector means(const std::vector<Cell> &cells, Numbers numbers) {
    const std::vector<double> level = levels(cells, numbers);
    const double mean_level = mean_of_known(level);
    Vector result(static_cast<Index>(cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const std::vector<double> &own = cells[k].*numbers;
        std::vector<double> above(own.size());
        for (std::size_t s = 0; s < above.size(); ++s) above[s] = own[s] - level[s];
        result(static_cast<Index>(k)) =
            is_complete(cells[k], numbers) ? mean_of_known(own) : mean_of_known(above) + mean_level;
    }
    return result;
}

/// Their fits are those of other cells, and jump from split to split.
void leave_out_raised(const std::vector<Cell> &cells, Vector &scores) {
    const auto is_known = [&](std::size_t k) { return !std::isnan(scores(static_cast<Index>(k))); };
    bool others = false;
    for (std::size_t k = 0; k < cells.size(); ++k) others |= !cells[k].is_raised && is_known(k);
    for (std::size_t k = 0; others && k < cells.size(); ++k)
        if (cells[k].is_raised) scores(static_cast<Index>(k)) = unknown;
}

/// A doubling of the support vectors must bring a tenth of a point; squares fall off half as fast.
Vector price_of_size(const CrossValidation &tried) {
    const double price_of_doubling = tried.metric == Metric::brier ? 0.0005 : 0.001;
    return price_of_doubling * (1 + tried.mean_support_vectors().array()).log() / std::log(2.0);
}

/// Half for the labels, half for the consensus.
Vector consensus_merits(const CrossValidation &tried, const Vector &scores) {
    const Vector agreements = tried.mean_agreements();
    Vector result = -price_of_size(tried);
    for (Index k = 0; k < scores.size(); ++k) {
        const double agreement = std::isnan(agreements(k)) ? scores(k) : agreements(k);
        result(k) += 0.5 * (scores(k) + agreement);
    }
    return result;
}

/// Weights of neighbours: scores of few rows of two classes are noisy, Brier scores less so, and
/// those of many classes fall off steeply with C and gamma (docs/choosing.md).
double weight_of_neighbours(const CrossValidation &tried) {
    if (tried.classes > 2) return 0.1;
    return tried.metric == Metric::brier ? 0.2 : 0.5;
}

/// Of each cell the mean over itself and its neighbours, which have this weight a step away and its
/// square a step away in both directions.
Vector smoothed(const Grid &grid, const Vector &scores, double beside) {
    const auto rows = static_cast<Index>(grid.C.size());
    const Index cols = std::max<Index>(1, static_cast<Index>(grid.gamma.size()));
    Vector result(scores.size());
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) {
            double sum = 0, weights = 0;
            for (Index k = std::max<Index>(0, i - 1); k < std::min(rows, i + 2); ++k)
                for (Index l = std::max<Index>(0, j - 1); l < std::min(cols, j + 2); ++l) {
                    const double value = scores(k * cols + l);
                    if (std::isnan(value)) continue;
                    const double weight = (k == i ? 1.0 : beside) * (l == j ? 1.0 : beside);
                    sum += weight * value;
                    weights += weight;
                }
            result(i * cols + j) = std::isnan(scores(i * cols + j)) ? unknown : sum / weights;
        }
    return result;
}

/// Standard error of a cell's mean score.
double standard_error(const Cell &cell) {
    const double mean = mean_of_known(cell.scores);
    double squares = 0, count = 0;
    for (const double score : cell.scores)
        if (!std::isnan(score)) {
            squares += (score - mean) * (score - mean);
            ++count;
        }
    return count > 1 ? std::sqrt(squares / (count - 1) / count) : 0.0;
}

Index index_of_highest(const Vector &values) {
    Index best = -1;
    for (Index i = 0; i < values.size(); ++i)
        if (!std::isnan(values(i)) && (best < 0 || values(i) > values(best))) best = i;
    return best;
}

/// What a cell may score less than the best, and still be chosen for its few support vectors.
constexpr double small_loss = 0.002;

/// Cells that score at most so much less than the best count by their few support vectors, the
/// others are behind them all.
Vector sparse_merits(const CrossValidation &tried, const Vector &scores, double loss) {
    const Index best = index_of_highest(scores);
    if (best < 0) return scores;
    const Vector support = tried.mean_support_vectors();
    Vector result = scores;
    for (Index i = 0; i < scores.size(); ++i)
        if (scores(i) >= scores(best) - loss)
            result(i) = scores(best) + 1.0 + 1.0 / (1.0 + support(i));
    return result;
}

/// Within one standard error of the best.
Vector one_se_merits(const CrossValidation &tried, const Vector &scores) {
    const Index best = index_of_highest(scores);
    if (best < 0) return scores;
    return sparse_merits(tried, scores,
                         standard_error(tried.cells[static_cast<std::size_t>(best)]));
}

} // namespace

std::string_view name(Rule rule) {
    switch (rule) {
    case Rule::smooth:
        return "smooth";
    case Rule::consensus:
        return "consensus";
    case Rule::best:
        return "best";
    case Rule::small:
        return "small";
    case Rule::one_se:
        break;
    }
    return "1se";
}

Vector CrossValidation::mean_scores() const { return means(cells, &Cell::scores); }

Vector CrossValidation::mean_agreements() const { return means(cells, &Cell::agreements); }

Vector CrossValidation::mean_support_vectors() const {
    Vector result(static_cast<Index>(cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k)
        result(static_cast<Index>(k)) = mean_of_known(cells[k].support_vectors);
    return result;
}

Vector consensus(const CrossValidation &tried, const std::vector<Split> &splits,
                 const Vector &signs) {
    constexpr std::size_t one_in = 6;
    std::vector<std::size_t> best = ranking(tried, Rule::best);
    const auto is_raised = [&](std::size_t k) { return tried.cells[k].is_raised; };
    if (!std::all_of(best.begin(), best.end(), is_raised)) std::erase_if(best, is_raised);
    best.resize(std::min(best.size(), (tried.cells.size() + one_in - 1) / one_in));
    Vector votes = Vector::Zero(signs.size());
    for (const std::size_t k : best)
        for (std::size_t s = 0; s < splits.size(); ++s) {
            const Vector &decisions = tried.cells[k].decisions[s];
            for (Index i = 0; i < decisions.size(); ++i)
                votes(splits[s].test[static_cast<std::size_t>(i)]) += decisions(i) > 0 ? 1 : -1;
        }
    return (votes.array() > 0).select(1.0, (votes.array() < 0).select(-1.0, signs));
}

Vector merits(const CrossValidation &tried, Rule rule) {
    Vector scores = tried.mean_scores();
    if (rule == Rule::best) return scores;
    leave_out_raised(tried.cells, scores);
    if (rule == Rule::consensus) return consensus_merits(tried, scores);
    if (rule == Rule::one_se) return one_se_merits(tried, scores);
    scores = smoothed(tried.grid, scores, weight_of_neighbours(tried));
    return rule == Rule::small ? sparse_merits(tried, scores, small_loss)
                               : Vector(scores - price_of_size(tried));
}

std::vector<std::size_t> kernel_ranking(const std::vector<std::vector<double>> &scores,
                                        Metric metric, Rule rule) {
    double gain = metric == Metric::brier ? clear_gain_of_brier : clear_gain;
    if (rule == Rule::best) gain = 0;
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (!std::isnan(mean_of_known(scores[k]))) order.push_back(k);
    if (order.empty()) return order;
    const std::vector<double> &first = scores[order.front()];
    // On the splits that the first one has; NaN if one of them is missing.
    const auto mean = [&](std::size_t k) {
        std::vector<double> shared;
        for (std::size_t s = 0; s < first.size(); ++s)
            if (!std::isnan(first[s])) shared.push_back(scores[k][s]);
        return std::accumulate(shared.begin(), shared.end(), 0.0) /
               static_cast<double>(shared.size());
    };
    const auto merit = [&](std::size_t k) {
        const double found = mean(k) + (k == order.front() ? gain : 0.0);
        return std::isnan(found) ? -std::numeric_limits<double>::infinity() : found;
    };
    std::vector<double> merits(scores.size());
    for (const std::size_t k : order) merits[k] = merit(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return merits[a] > merits[b]; });
    return order;
}

std::vector<std::size_t> ranking(const CrossValidation &tried, Rule rule) {
    const Vector merit = merits(tried, rule);
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < tried.cells.size(); ++k)
        if (!std::isnan(merit(static_cast<Index>(k)))) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return merit(static_cast<Index>(a)) > merit(static_cast<Index>(b));
    });
    return order;
}

} // namespace hinge0
