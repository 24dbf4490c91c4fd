/// Starts of all pairs, one verdict on every row, hard margins, and thinning in rounds.
#include "classes/pair_solver.hpp"

#include <algorithm>

#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "solver/thinning.hpp"

namespace hinge0 {
namespace {

/// Held at a time, with a quarter of the pairs' kernel values; more, and every pair is solved and
/// forgotten.
constexpr double most_held_bytes = 1024.0 * 1024 * 1024;

/// On twelve sets of 200 to 1,500 rows half of SVC's support vectors, a quarter with 20 % wrong
/// labels; 0.5 saves another fifth to quarter of them, and costs 0.25 points (docs/classes.md).
constexpr double usual_thin = 0.3;

/// From here on a pair is solved by samples (docs/exact.md), and by itself.
constexpr Index many_rows = 16384;

double held_bytes(const LabelledData &data, Index pairs) {
    std::vector<double> counts(data.classes().size(), 0);
    for (const auto label : data.labels()) ++counts[static_cast<std::size_t>(label)];
    const auto rows = static_cast<double>(data.size());
    const auto features = static_cast<double>(feature_count(data.samples()));
    double bytes = 16.0 * rows * static_cast<double>(pairs);
    for (std::size_t a = 0; a < counts.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const double both = counts[a] + counts[b];
            bytes += 8.0 * both * (features + both / 4);
        }
    return bytes;
}

/// Asked once for all pairs: each would sort its rows to find out.
bool has_equal_rows(const LabelledData &data) {
    Vector classes(data.size());
    for (Index i = 0; i < data.size(); ++i)
        classes(i) = 1.0 + static_cast<double>(data.labels()[static_cast<std::size_t>(i)]);
    return condense(data.samples(), classes, {}, true).changed;
}

bool can_hold(double bytes, double memory_limit) {
    return bytes <= most_held_bytes && (memory_limit == 0 || 2 * bytes <= memory_limit);
}

/// Below this margin of a start that did not see it, a row may have a wrong label.
constexpr double doubtful = -0.5;
/// Of all rows: fewer are not worth a second look.
constexpr double few_doubtful = 0.02;
/// Doubted rows are given up only if starts without them lose at most so many of all rows, left
/// out, as those of all rows do; where rows far below 0 clearly outnumber those just below, it is
/// enough that they lose hardly more (docs/classes.md).
constexpr double most_losses = 0.88, most_losses_if_clear = 1.02, clearly = 2.5;
/// Unless that is clear, wrong labels are looked for only where the starts learn them by heart: not
/// where they lose so many rows themselves as would be doubted.
constexpr double lost_anyway = 0.7;

/// Who supports a pair, and of these who leaves next: support vectors that no pair needs more than
/// `thin`, those that matter least to any, some at a time.
class Thinning {
public:
    Thinning(Index rows, double thin) : thin_(thin), worst_(static_cast<std::size_t>(rows)) {}

    void choose(const std::vector<std::vector<std::pair<Index, double>>> &losses) {
        std::ranges::fill(worst_, -1.0);
        for (const auto &of_pair : losses)
            for (const auto &[row, loss] : of_pair) {
                double &known = worst_[static_cast<std::size_t>(row)];
                known = std::max(known, loss);
            }
        staying_.assign(worst_.size(), 0);
        leaving_.assign(worst_.size(), 0);
        order_.clear();
        for (std::size_t row = 0; row < worst_.size(); ++row) {
            staying_[row] = worst_[row] >= 0 ? 1 : 0;
            if (worst_[row] >= 0 && worst_[row] <= thin_) order_.emplace_back(worst_[row], row);
        }
        std::sort(order_.begin(), order_.end());
        losses_.clear();
        for (const auto &entry : order_) losses_.push_back(entry.first);
        const auto support = static_cast<std::size_t>(std::ranges::count(staying_, 1));
        order_.resize(given_up_together(losses_, support, thin_));
        for (const auto &entry : order_) {
            leaving_[entry.second] = 1;
            staying_[entry.second] = 0;
        }
    }
    [[nodiscard]] bool is_done() const noexcept { return order_.empty(); }
    [[nodiscard]] const Flags &leaving() const noexcept { return leaving_; }
    [[nodiscard]] const Flags &staying() const noexcept { return staying_; }

private:
    double thin_;
    std::vector<double> worst_; ///< loss of each row in any pair; below 0: it supports none
    std::vector<std::pair<double, std::size_t>> order_{};
    std::vector<double> losses_{}; ///< in that order
    Flags leaving_{}, staying_{};
};

} // namespace

void LowestMargins::add(const std::vector<Index> &rows, const Vector &margins) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double &known = lowest_[static_cast<std::size_t>(rows[i])];
        known = std::min(known, margins(static_cast<Index>(i)));
    }
}

Flags LowestMargins::below(double bound, const Flags &others) const {
    Flags result = others;
    for (std::size_t i = 0; i < result.size(); ++i)
        if (lowest_[i] < bound) result[i] = 1;
    return result;
}

double LowestMargins::count_below(double bound) const {
    return static_cast<double>(
        std::ranges::count_if(lowest_, [&](double margin) { return margin < bound; }));
}

PairSolver::PairSolver(const Solver &solver, const LabelledData &data, const ClassOptions &options,
                       const Settings &settings)
    : solver_(solver), alone_(settings), settings_(settings),
      pairs_(pair_count(options.scheme, static_cast<Index>(data.classes().size()))),
      judges_(options.scheme == Scheme::ovo && pairs_ > 1 && !settings.searches() &&
              settings.method == Method::exact && settings.start == Start::hinge),
      holds_(can_hold(held_bytes(data, pairs_), settings.memory_limit)),
      has_equal_rows_(judges_ && has_equal_rows(data)),
      workspaces_(solver.samples(), solver.kernel(), static_cast<std::size_t>(pairs_),
                  holds_ ? Workspaces::Source::prepared : Workspaces::Source::samples) {
    if (settings.keep_margin == automatic_keep_margin) settings_.keep_margin = 0;
    if (settings.thin == automatic_thin) settings_.thin = holds_ ? usual_thin : 0;
}

bool PairSolver::is_stepped(const PairProblem &problem) const {
    return judges_ && std::holds_alternative<L0Loss>(problem.objective.loss) &&
           (problem.signs.array() != 0).count() < many_rows && settings_.working_set <= 0 &&
           class_that_outweighs(problem.signs, problem.objective) == 0;
}

Solution PairSolver::solve_at_once(const PairProblem &problem, const Settings &settings,
                                   Watch &watch, const std::optional<Vector> &start) const {
    Solution solution = solver_.solve(
        problem.signs, problem.objective, settings,
        [&](const Progress &) { return !watch.stopped(); }, start);
    if (!holds_) solver_.forget();
    return solution;
}

std::unique_ptr<SteppedSolve> PairSolver::steps_of(PairProblem problem, Watch &watch) {
    const bool merge = !std::holds_alternative<PrecomputedKernel>(solver_.kernel()) &&
                       (has_equal_rows_ || problem.objective.sample_weight.size() > 0);
    return std::make_unique<SteppedSolve>(solver_.samples(), solver_.kernel(), workspaces_,
                                          std::move(problem.signs), std::move(problem.objective),
                                          merge, settings_, [&watch] { return !watch.stopped(); });
}

PairSolver::Pending PairSolver::begin(PairProblem problem, Watch &watch) {
    if (!is_stepped(problem)) return {};
    Pending result;
    result.steps = steps_of(std::move(problem), watch);
    result.rows = result.steps->rows();
    result.start = result.steps->start();
    if (holds_) return result;
    result.steps.reset();
    workspaces_.forget();
    return result;
}

PairSolver::Starts PairSolver::starts_without(const std::vector<Pending> &pairs,
                                              const Flags &doubted, const MakeProblem &problem,
                                              Team &team, Watch &watch) {
    Starts starts(pairs.size());
    team.run(pairs_, watch, [&](Index k) {
        const Pending &pair = pairs[static_cast<std::size_t>(k)];
        if (pair.rows.empty() || watch.was_stopped()) return;
        SteppedSolve::Start &found = starts[static_cast<std::size_t>(k)];
        found = (pair.steps ? *pair.steps : *steps_of(problem(k), watch)).start_without(doubted);
        if (!holds_) workspaces_.forget();
    });
    return starts;
}

LowestMargins PairSolver::lowest_left_out(const std::vector<Pending> &pairs,
                                          const Starts &starts) const {
    LowestMargins lowest(row_count(solver_.samples()));
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (starts[k].left_out.size() > 0) lowest.add(pairs[k].rows, starts[k].left_out);
    return lowest;
}

/// False: some pair would be without a class, or was stopped.
bool PairSolver::are_of_all(const std::vector<Pending> &pairs, const Starts &starts) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (std::ssize(pairs[k].rows) != starts[k].margins.size()) return false;
    return true;
}

Solution PairSolver::from_margins(const PairProblem &problem, const Pending &pending,
                                  Watch &watch) const {
    if (pending.rows.empty()) return solve_at_once(problem, alone_, watch);
    Vector start = Vector::Zero(problem.signs.size());
    start(pending.rows) = problem.signs(pending.rows).cwiseProduct(pending.start.margins);
    return solve_at_once(problem, settings_, watch, start);
}

void PairSolver::thin_out(std::vector<Pending> &pairs, Team &team, Watch &watch) const {
    std::vector<std::vector<std::pair<Index, double>>> losses(pairs.size());
    const auto in_all_pairs = [&](const auto &step) {
        team.run(pairs_, watch, [&](Index k) {
            const auto at = static_cast<std::size_t>(k);
            if (!pairs[at].steps || watch.was_stopped()) return; // some keep nothing yet
            if (step(*pairs[at].steps)) losses[at] = pairs[at].steps->losses();
        });
    };
    in_all_pairs([](const SteppedSolve &) { return true; });
    Thinning thinning(row_count(solver_.samples()), settings_.thin);
    for (thinning.choose(losses); !thinning.is_done() && !watch.stopped(); thinning.choose(losses))
        in_all_pairs([&](SteppedSolve &pair) {
            return pair.give_up(thinning.leaving(), thinning.staying(), 1.0 - settings_.thin);
        });
}

/// Rows that some pair's start puts on the side of another class. If starts without those that
/// look wrong tell the others the better, these are the pairs' starts, and the verdict is theirs.
Flags PairSolver::lost_rows(std::vector<Pending> &pairs, const MakeProblem &problem, Team &team,
                            Watch &watch) {
    LowestMargins seen(row_count(solver_.samples())), least = seen;
    for (const Pending &pair : pairs) {
        seen.add(pair.rows, pair.start.margins);
        least.add(pair.rows, pair.start.left_out);
    }
    const Flags none = seen.none();
    Flags lost = seen.below(0, none);
    const double few = few_doubtful * static_cast<double>(none.size());
    if (least.count_below(doubtful) <= few) return lost;
    LowestMargins left_out =
        lowest_left_out(pairs, starts_without(pairs, none, problem, team, watch));
    const double losses = left_out.count_below(0);
    const double deep = left_out.count_below(doubtful);
    if (2 * deep <= losses) return lost;
    const bool is_clear = deep >= clearly * (losses - deep);
    if (!is_clear && seen.count_below(0) >= lost_anyway * deep) return lost;
    // The first doubts are of starts that wrong labels have led astray.
    Flags doubted = left_out.below(doubtful, lost);
    Starts starts;
    for (int round = 0; round < 2; ++round) {
        starts = starts_without(pairs, doubted, problem, team, watch);
        if (!are_of_all(pairs, starts)) return lost;
        left_out = lowest_left_out(pairs, starts);
        doubted = left_out.below(doubtful, none);
    }
    const double most = is_clear ? most_losses_if_clear : most_losses;
    if (left_out.count_below(0) > most * losses) return lost;
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k].start = std::move(starts[k]);
    return doubted;
}

std::vector<Solution> PairSolver::solve(const MakeProblem &problem, int threads, Watch &watch,
                                        const std::function<void()> &solved) {
    std::vector<Solution> solutions(static_cast<std::size_t>(pairs_));
    std::vector<Pending> pairs(solutions.size());
    Team team(std::min<Index>(threads, pairs_));
    const auto for_all = [&](const auto &task) {
        team.run(pairs_, watch, [&](Index k) {
            if (!watch.was_stopped()) task(k, pairs[static_cast<std::size_t>(k)]);
        });
    };
    if (judges_) {
        for_all([&](Index k, Pending &pair) { pair = begin(problem(k), watch); });
        const Flags lost = lost_rows(pairs, problem, team, watch);
        for_all([&](Index, Pending &pair) {
            for (std::size_t i = 0; i < pair.rows.size(); ++i)
                if (lost[static_cast<std::size_t>(pair.rows[i])] != 0)
                    pair.start.margins(static_cast<Index>(i)) = -1;
            if (pair.steps) pair.steps->keep(pair.start, settings_.keep_margin);
        });
        if (settings_.thin > 0 && holds_) thin_out(pairs, team, watch);
    }
    for_all([&](Index k, Pending &pair) {
        const bool is_ready = pair.steps && !pair.steps->is_constant();
        solutions[static_cast<std::size_t>(k)] =
            is_ready ? pair.steps->finish() : from_margins(problem(k), pair, watch);
        pair.steps.reset();
        solved();
    });
    return solutions;
}

} // namespace hinge0
