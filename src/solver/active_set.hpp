#pragma once
/// The hard-margin SVM of a kept set T, by the dual active-set method of Goldfarb and Idnani:
///   min |w|^2 / 2   s.t.   y_i h(x_i) >= 1 for i in T.
/// Its solutions are the local minimisers of F (docs/exact.md). The state is always the solution
/// for the constraints of Gamma alone, with alpha >= 0. The most violated kept sample enters, or
/// several at once, and members whose alpha reaches 0 leave. A step costs O(|Gamma|^2 + m |Gamma|).
#include <functional>
#include <vector>

#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"
#include "solver/bordered_factor.hpp"
#include "solver/margins.hpp"

namespace hinge0 {

class ActiveSet {
public:
    ActiveSet(ColumnCache &columns, const Vector &y, int threads = 1);

    /// Asked after every step once the samples that are not kept are out, with the dual objective,
    /// which only rises and never exceeds the |w|^2 / 2 of the solution; false ends the solve. The
    /// margins may be those from before the present sample began to enter.
    using GoOn = std::function<bool(const ActiveSet &, double dual)>;
    /// Moves to the solution for `kept` (one flag per sample), from wherever it stands. A sample
    /// that cannot be kept beside the others loses its flag. False if `go_on` said so: then the
    /// state is a valid start, but not a solution.
    [[nodiscard]] bool solve(Flags &kept, const GoOn &go_on);
    /// Starts from these samples, of both classes, some of which are likely to be members; an empty
    /// state alone. Nothing changes where that is not possible.
    void start_from(const std::vector<Index> &samples);
    /// Takes these members out, and those whose alpha then is negative; `samples` must be rising.
    /// Quicker than one by one; nothing changes where that is not possible.
    void give_up_all(const std::vector<Index> &samples);
    /// Makes the solution for `kept` exact: alpha and b by iterative refinement (from a fresh
    /// factor where that does not reach 1e-9), all margins added up anew, and further steps where
    /// these show a need. False if stopped, or if it comes to no end.
    [[nodiscard]] bool polish(Flags &kept, Watch &watch);
    /// Every support vector is on its margin and y'alpha = 0, as the updated numbers have it.
    /// Margins may be off by `rounding` more than usual.
    [[nodiscard]] bool is_sound(double rounding = 0.0) const;

    [[nodiscard]] const std::vector<Index> &gamma() const noexcept { return gamma_; }
    [[nodiscard]] const Vector &alpha() const noexcept { return alpha_; }
    [[nodiscard]] bool is_member(Index i) const {
        return member_[static_cast<std::size_t>(i)] != 0;
    }
    [[nodiscard]] double bias() const noexcept { return b_; }
    [[nodiscard]] const Margins &margins() const noexcept { return margins_; }
    /// w = 0, up to rounding. Members of both classes, on their margins, are 2 / |w| apart and at
    /// most 2 sqrt(max K_ii): otherwise |w|^2 is at least 1 / max K_ii.
    [[nodiscard]] bool is_constant() const { return alpha_.sum() * largest_ < 0.5; }
    [[nodiscard]] double half_norm_squared() const { return 0.5 * alpha_.sum(); }
    /// Multiplications done so far, about: |Gamma|^2 + m |Gamma| a step.
    [[nodiscard]] double work() const noexcept { return work_; }
    /// Steps done on the way here.
    [[nodiscard]] long steps() const noexcept { return steps_; }
    [[nodiscard]] const BorderedFactor &factor() const noexcept { return factor_; }
    /// s_j of the given samples.
    void schur(const std::vector<Index> &samples, Vector &out) const;
    [[nodiscard]] const Vector &signs() const noexcept { return *y_; }
    /// K(:, i)
    [[nodiscard]] Column column(Index i) const { return columns_->column(i); }
    [[nodiscard]] ColumnCache &columns() const { return *columns_; }
    /// The constant that the factor adds to the kernel; K_jj with it.
    [[nodiscard]] double constant() const noexcept { return rho_; }
    [[nodiscard]] double own(Index j) const { return columns_->gram().diagonal()(j) + rho_; }

private:
    [[nodiscard]] bool start(const Flags &kept);
    enum class Entry : char { done, impossible, stopped };
    [[nodiscard]] Entry enter(Index j, const GoOn &go_on);
    [[nodiscard]] std::vector<Index> entrants(const Flags &kept) const;
    [[nodiscard]] bool enter_all(const std::vector<Index> &samples);
    [[nodiscard]] bool append(const std::vector<Index> &samples);
    void join(Index sample, double multiplier);
    [[nodiscard]] bool drop_negative();
    void add_up_margins();
    void give_up(Index position);
    void leave(Index position);
    [[nodiscard]] bool leave_all(const std::function<bool(Index position)> &leaves);
    void clear();
    void refine();
    void refactor();
    void count_step() {
        const auto n = static_cast<double>(gamma_.size());
        work_ += n * (n + static_cast<double>(margins_.size()));
        ++steps_;
    }
    void column_over_gamma(Index j, double *out) const;
    struct Multipliers {
        std::vector<Index> gamma;
        std::vector<Column> columns;
        Vector alpha;
        double b;
    };
    [[nodiscard]] Multipliers multipliers() const;
    void move_margins(Multipliers &from, Index j, double multiplier);
    [[nodiscard]] Index blocking_member(double &step, Index except) const;
    [[nodiscard]] double least_margin() const;

    void combine(const std::vector<Column> &columns);

    /// s_j below this share of K_jj: sample j depends on Gamma to within rounding.
    static constexpr double dependent = 1e-11;
    /// Blocks have at least so many samples.
    static constexpr std::size_t least_block = 3;

    ColumnCache *columns_;
    const Vector *y_;
    double rho_, largest_; ///< mean and largest K_ii
    std::vector<Index> gamma_;
    std::vector<Column> held_; ///< their columns of K
    Flags member_;
    Vector alpha_;
    Margins margins_;
    int threads_;
    double b_ = 0;
    BorderedFactor factor_;
    double work_ = 0;
    long steps_ = 0;
    BorderedFactor::Solution direction_;
    Vector q_, slope_, weights_;
    std::vector<const double *> pointers_; ///< scratch for combine()
};

} // namespace hinge0
