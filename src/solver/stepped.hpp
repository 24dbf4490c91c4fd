#pragma once
/// An exact solve without search, in steps: whoever makes several of them that belong together
/// decides between the steps which rows each gives up. A local minimum results whatever that is.
#include <memory>
#include <utility>

#include "solver/active_set.hpp"
#include "solver/ending.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {

class SteppedSolve {
public:
    /// Signs and objective are as in Solver::solve; the other three must outlive it. Every step may
    /// run on another thread. `go_on` false ends a step: the start by Interrupted, the others where
    /// they are.
    SteppedSolve(const Samples &samples, const Kernel &kernel, Workspaces &workspaces, Vector signs,
                 Objective objective, const Settings &settings, std::function<bool()> go_on);

    /// The rows that take part, of equal ones the first.
    [[nodiscard]] const std::vector<Index> &rows() const noexcept { return problem_.rows(); }

    /// The margins y h of the hinge SVM that says what is kept, on the rows that take part, and
    /// the least that they can be of each row had it not seen that row.
    struct Start {
        Vector margins{}, least_left_out{};
    };
    [[nodiscard]] Start start();
    /// What they are had it not seen that row, nor any of the doubted training rows.
    [[nodiscard]] Vector left_out(const Flags &doubted) const;
    /// Keeps the rows whose margins are at least `least`, and solves.
    void keep(const Vector &margins, double least);
    /// Constant, because the kept rows are: the start did not do.
    [[nodiscard]] bool is_constant() const { return state_->is_constant(); }
    /// The support vectors, as training rows, and what the margin of each would lose without it.
    [[nodiscard]] std::vector<std::pair<Index, double>> losses() const;
    /// Gives up the support vectors among the rows that leave, and solves again. Rows that fall
    /// below their margin then, but not below `least`, would come in for them only to leave in
    /// their turn: they are given up at once, unless they are support vectors anyway, of others.
    /// Flags are of training rows. False: there was none.
    bool give_up(const Flags &leaving, const Flags &staying, double least);
    /// The minimum as a solution of all rows, certified.
    [[nodiscard]] Solution finish();

private:
    [[nodiscard]] Watch new_watch() const {
        return Watch([this](const Progress &) { return go_on_(); });
    }
    [[nodiscard]] HingePoint hinge(const Vector &prices, Watch &watch) const;
    void solve();

    const Samples &samples_;
    const Kernel &kernel_;
    const Vector signs_;
    const Objective objective_;
    const Settings &settings_;
    std::function<bool()> go_on_;
    Watch clock_; ///< of all steps, and of what lies between them
    Problem problem_;
    std::shared_ptr<Workspace> workspace_;
    ColumnCount before_;
    std::vector<Index> likely_; ///< support vectors: those of the hinge SVM between their bounds
    Flags kept_;
    std::unique_ptr<ActiveSet> state_;
    bool stopped_ = false;
};

} // namespace hinge0
