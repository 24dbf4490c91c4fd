/// The table of a cross-validation: rounds of splits, and which cells are given up between them.
#include "hinge0/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge0/error.hpp"
#include "model/calibration.hpp"
#include "tune/fold_fits.hpp"
#include "tune/scores.hpp"

namespace hinge0 {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// After so many splits the hopeless cells are given up for the first time, then after every five.
constexpr std::size_t first_round = 2, later_round = 5;
/// A cell is hopeless where its disadvantage is so many standard deviations from chance.
constexpr double hopeless = 3.0;

void refuse_what_is_for_two(const TuneSettings &settings) {
    if (settings.metric != Metric::accuracy && settings.metric != Metric::balanced_accuracy)
        throw InvalidInput(fmt::format("the metric {} is for two classes; use accuracy or "
                                       "balanced-accuracy",
                                       name(settings.metric)));
    if (settings.rule == Rule::consensus)
        throw InvalidInput("the rule consensus is for two classes");
}

} // namespace

Rounds::Rounds(TuneSettings settings, std::vector<std::int32_t> labels, Index classes)
    : settings_(std::move(settings)), labels_(std::move(labels)), classes_(classes),
      gammas_(std::max<std::size_t>(1, settings_.grid.gamma.size())) {
    validate_grid(settings_);
    validate_splits(settings_.splits, labels_, classes_);
    if (classes_ > 2) refuse_what_is_for_two(settings_);
    table_.grid = settings_.grid;
    table_.metric = settings_.metric;
    table_.classes = classes_;
    for (const double C : settings_.grid.C)
        for (std::size_t g = 0; g < gammas_; ++g) table_.cells.push_back(new_cell(C, g));
    alive_.assign(table_.cells.size(), 1);
    raised_.assign(table_.cells.size() * settings_.splits.size(), 0);
}

Cell Rounds::new_cell(double C, std::size_t gamma) const {
    const std::vector<double> none(settings_.splits.size(), unknown);
    const std::vector<double> &values = settings_.grid.gamma;
    return {.C = C,
            .gamma = values.empty() ? unknown : values[gamma],
            .scores = none,
            .support_vectors = none,
            .seconds = none,
            .agreements = none,
            .decisions = std::vector<Vector>(none.size())};
}

std::vector<Walk> Rounds::next() {
    const std::size_t splits = settings_.splits.size();
    if (tried_ > 0 && tried_ < splits) give_up_hopeless();
    const std::size_t begin = tried_;
    tried_ = begin == 0 ? std::min(first_round, splits)
                        : std::min(splits, (begin / later_round + 1) * later_round);
    std::vector<Walk> walks;
    for (std::size_t split = begin; split < tried_; ++split)
        for (std::size_t g = 0; g < gammas_; ++g) {
            Walk walk{.split = split, .gamma = table_.cells[g].gamma};
            for (std::size_t c = 0; c < settings_.grid.C.size(); ++c)
                if (alive_[c * gammas_ + g] != 0) {
                    walk.C.push_back(settings_.grid.C[c]);
                    walk.cells.push_back(c * gammas_ + g);
                }
            if (!walk.C.empty()) walks.push_back(std::move(walk));
        }
    return walks;
}

void Rounds::take(const Walk &walk, std::size_t k, FoldFit fit) {
    const std::vector<Index> &test = settings_.splits[walk.split].test;
    if (fit.decisions.size() != std::ssize(test))
        throw InvalidInput("a fit that does not tell of the rows of its split");
    Cell &cell = table_.cells[walk.cells[k]];
    if (fit.is_raised) raised_[walk.cells[k] * settings_.splits.size() + walk.split] = 1;
    cell.scores[walk.split] = score(test, fit.decisions);
    cell.support_vectors[walk.split] = fit.support_vectors;
    cell.seconds[walk.split] = fit.seconds;
    cell.decisions[walk.split] = std::move(fit.decisions);
}

bool Rounds::any_score() const {
    for (const Cell &cell : table_.cells)
        for (const double score : cell.scores)
            if (!std::isnan(score)) return true;
    return false;
}

CrossValidation Rounds::result(Status status, double seconds) && {
    for (std::size_t k = 0; k < raised_.size(); ++k)
        if (raised_[k] != 0) table_.cells[k / settings_.splits.size()].is_raised = true;
    table_.status = status;
    if (settings_.metric == Metric::brier)
        for (Cell &cell : table_.cells) score_by_one_sigmoid(cell);
    if (classes_ == 2) ask_for_agreement();
    table_.seconds = seconds;
    return std::move(table_);
}

Vector Rounds::signs() const {
    Vector signs(std::ssize(labels_));
    for (Index i = 0; i < signs.size(); ++i)
        signs(i) = labels_[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
    return signs;
}

double Rounds::score(const std::vector<Index> &rows, const Vector &decisions) const {
    if (classes_ > 2) return score_of_many(rows, decisions);
    return hinge0::score(settings_.metric, signs()(rows), decisions);
}

/// A split has few rows for a sigmoid of its own.
void Rounds::score_by_one_sigmoid(Cell &cell) const {
    const Vector signs = this->signs();
    std::vector<double> truth, values;
    for (std::size_t s = 0; s < cell.decisions.size(); ++s)
        for (Index i = 0; i < cell.decisions[s].size(); ++i) {
            truth.push_back(signs(settings_.splits[s].test[static_cast<std::size_t>(i)]));
            values.push_back(cell.decisions[s](i));
        }
    const auto vector = [](const std::vector<double> &of) {
        return Vector(Eigen::Map<const Vector>(of.data(), std::ssize(of)));
    };
    const Sigmoid sigmoid = fit_sigmoid(vector(values), vector(truth), {});
    for (std::size_t s = 0; s < cell.decisions.size(); ++s)
        if (cell.decisions[s].size() > 0)
            cell.scores[s] =
                -brier_score(sigmoid, signs(settings_.splits[s].test), cell.decisions[s]);
}

double Rounds::score_of_many(const std::vector<Index> &rows, const Vector &decisions) const {
    const bool balanced = settings_.metric == Metric::balanced_accuracy;
    std::vector<double> right(static_cast<std::size_t>(classes_), 0), of(right);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::int32_t label = labels_[static_cast<std::size_t>(rows[k])];
        const std::size_t group = balanced ? static_cast<std::size_t>(label) : 0;
        right[group] += is_right(rows[k], decisions(static_cast<Index>(k))) ? 1 : 0;
        ++of[group];
    }
    double sum = 0, count = 0;
    for (std::size_t c = 0; c < of.size(); ++c)
        if (of[c] > 0) {
            sum += right[c] / of[c];
            ++count;
        }
    return sum / count;
}

bool Rounds::is_right(Index row, double decision) const {
    const std::int32_t label = labels_[static_cast<std::size_t>(row)];
    return classes_ == 2 ? (decision > 0) == (label == 1) : static_cast<double>(label) == decision;
}

bool Rounds::is_right(std::size_t cell, std::size_t split, std::size_t test) const {
    const Vector &decisions = table_.cells[cell].decisions[split];
    return decisions.size() > 0 &&
           is_right(settings_.splits[split].test[test], decisions(static_cast<Index>(test)));
}

/// Gives up the cells that are clearly worse than the best so far, by the rows that one of the two
/// gets right and the other does not (McNemar's test).
void Rounds::give_up_hopeless() {
    if (!settings_.race) return;
    if (settings_.metric != Metric::accuracy && settings_.metric != Metric::brier) return;
    const std::vector<std::size_t> order = ranking(table_, Rule::best);
    if (order.empty()) return;
    for (const std::size_t k : order) {
        if (alive_[k] == 0) continue;
        double for_best = 0, for_other = 0;
        for (std::size_t s = 0; s < settings_.splits.size(); ++s)
            for (std::size_t i = 0; i < settings_.splits[s].test.size(); ++i) {
                const bool best = is_right(order[0], s, i), other = is_right(k, s, i);
                for_best += best && !other ? 1 : 0;
                for_other += other && !best ? 1 : 0;
            }
        if (for_best - for_other > hopeless * std::sqrt(for_best + for_other)) alive_[k] = 0;
    }
}

/// The scores that the splits would have if the consensus were the labels.
void Rounds::ask_for_agreement() {
    const Vector labels = consensus(table_, settings_.splits, signs());
    for (Cell &cell : table_.cells)
        for (std::size_t s = 0; s < settings_.splits.size(); ++s)
            if (cell.decisions[s].size() > 0)
                cell.agreements[s] = hinge0::score(
                    settings_.metric, labels(settings_.splits[s].test), cell.decisions[s]);
}

} // namespace hinge0
