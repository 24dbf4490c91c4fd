#pragma once
/// The pairs of some classes, solved with an eye on each other (docs/classes.md): a row that its
/// class loses to another one is given up in all its pairs, and thinning looks at what a row is
/// worth to all of them. Every pair is a local minimum of its own problem all the same.
#include "classes/pairs.hpp"
#include "core/parallel.hpp"
#include "solver/stepped.hpp"

namespace hinge0 {

/// Of each row the lowest margin of all its pairs.
class LowestMargins {
public:
    explicit LowestMargins(Index rows) : lowest_(static_cast<std::size_t>(rows), 1.0) {}

    void add(const std::vector<Index> &rows, const Vector &margins);
    [[nodiscard]] Flags none() const {
        Flags result(lowest_.size(), 0);
        return result;
    }
    /// Those below the bound, and others.
    [[nodiscard]] Flags below(double bound, const Flags &others) const;
    [[nodiscard]] double count_below(double bound) const;

private:
    std::vector<double> lowest_;
};

class PairSolver {
public:
    /// `solver` must outlive it.
    PairSolver(const Solver &solver, const LabelledData &data, const ClassOptions &options,
               const Settings &settings);

    using MakeProblem = std::function<PairProblem(Index)>;
    /// All pairs, side by side on so many threads; `solved` hears of each one. Throws Interrupted
    /// if it is stopped before there is a minimum of each. What solves of the same rows share is
    /// kept from one call to the next, where there is memory for it.
    [[nodiscard]] std::vector<Solution> solve(const MakeProblem &problem, int threads, Watch &watch,
                                              const std::function<void()> &solved);

private:
    /// What a pair's start says of its rows.
    struct Pending {
        std::unique_ptr<SteppedSolve> steps; ///< null: it is solved alone
        std::vector<Index> rows{};
        SteppedSolve::Start start{};
    };
    [[nodiscard]] bool is_stepped(const PairProblem &problem) const;
    [[nodiscard]] Solution solve_at_once(const PairProblem &problem, const Settings &settings,
                                         Watch &watch,
                                         const std::optional<Vector> &start = {}) const;
    [[nodiscard]] std::unique_ptr<SteppedSolve> steps_of(PairProblem problem, Watch &watch);
    [[nodiscard]] Pending begin(PairProblem problem, Watch &watch);
    using Starts = std::vector<SteppedSolve::Start>; ///< of all pairs
    [[nodiscard]] Starts starts_without(const std::vector<Pending> &pairs, const Flags &doubted,
                                        const MakeProblem &problem, Team &team, Watch &watch);
    [[nodiscard]] static bool are_of_all(const std::vector<Pending> &pairs, const Starts &starts);
    [[nodiscard]] LowestMargins lowest_left_out(const std::vector<Pending> &pairs,
                                                const Starts &starts) const;
    [[nodiscard]] Flags lost_rows(std::vector<Pending> &pairs, const MakeProblem &problem,
                                  Team &team, Watch &watch);
    [[nodiscard]] Solution from_margins(const PairProblem &problem, const Pending &pending,
                                        Watch &watch) const;
    void thin_out(std::vector<Pending> &pairs, Team &team, Watch &watch) const;

    const Solver &solver_;
    Settings alone_;    ///< of a pair that is solved alone
    Settings settings_; ///< of the others
    Index pairs_;
    bool judges_; ///< whether pairs look at each other
    bool holds_;  ///< whether all are held at a time
    bool has_equal_rows_;
    Workspaces workspaces_;
};

} // namespace hinge0
