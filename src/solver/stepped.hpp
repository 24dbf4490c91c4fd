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
    /// Signs and objective are as in Solver::solve. `merge`: whether equal rows are looked for and
    /// solved as one; false where it is known that there are none, and for a kernel matrix. What is
    /// given by reference must outlive it. Every step may run on another thread. `go_on` false ends
    /// a step: the start by Interrupted, the others where they are.
    SteppedSolve(const Samples &samples, const Kernel &kernel, Workspaces &workspaces, Vector signs,
                 Objective objective, bool merge, const Settings &settings,
                 std::function<bool()> go_on);

    /// The rows that take part, of equal ones the first.
    [[nodiscard]] const std::vector<Index> &rows() const noexcept { return problem_.rows(); }

    /// A hinge SVM that says what is kept, of the rows that take part.
    struct Start {
        Vector margins{};          ///< y h
        Vector left_out{};         ///< what they are had it not seen that row
        std::vector<Index> free{}; ///< support vectors between their bounds
    };
    /// Of all rows; `left_out` is the least that it can be.
    [[nodiscard]] Start start() const;
    /// Without the doubted training rows; `left_out` is by the rule of the span. Empty if these
    /// are all rows of a class.
    [[nodiscard]] Start start_without(const Flags &doubted) const;
    /// Keeps the rows whose margins are at least `least`, and solves.
    void keep(const Start &start, double least);
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
    [[nodiscard]] Vector start_prices() const { return settings_.hinge_share * problem_.prices(); }
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
    Flags kept_;
    std::unique_ptr<ActiveSet> state_;
    bool stopped_ = false;
};

} // namespace hinge0
