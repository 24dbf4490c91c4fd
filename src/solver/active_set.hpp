#pragma once
/// The hard-margin SVM of a kept set T, by the dual active-set method of Goldfarb and Idnani:
///   min |w|^2 / 2   s.t.   y_i h(x_i) >= 1 for i in T.
/// Its solutions are the local minimisers of F (docs/exact.md). The state is always the solution
/// for the constraints of Gamma alone, with alpha >= 0. The most violated kept sample enters,
/// members whose alpha reaches 0 leave; a step costs O(|Gamma|^2 + m |Gamma|).
#include <functional>
#include <vector>

#include "gram/columns/column_store.hpp"
#include "solver/bordered_factor.hpp"

namespace hinge0 {

class ActiveSet {
public:
    ActiveSet(ColumnStore &columns, const Vector &y);

    /// Asked after every step, between which |w|^2 / 2 only rises once the samples that are not
    /// kept are out; false ends the solve.
    using GoOn = std::function<bool(const ActiveSet &)>;
    /// Moves to the solution for `kept` (one flag per sample), from wherever it stands. A sample
    /// that cannot be kept beside the others loses its flag. False if `go_on` said so: then the
    /// state is a valid start, but not a solution.
    [[nodiscard]] bool solve(std::vector<char> &kept, const GoOn &go_on);
    /// Makes the solution for `kept` exact: alpha and b by iterative refinement (from a fresh
    /// factor where that does not reach 1e-9), all margins added up anew, and further steps where
    /// these show a need. False if stopped.
    [[nodiscard]] bool polish(std::vector<char> &kept, Poll &poll);
    /// Every support vector is on its margin, as the updated numbers have it.
    [[nodiscard]] bool is_sound() const;

    [[nodiscard]] const std::vector<Index> &gamma() const noexcept { return gamma_; }
    [[nodiscard]] const Vector &alpha() const noexcept { return alpha_; }
    [[nodiscard]] bool is_member(Index i) const {
        return member_[static_cast<std::size_t>(i)] != 0;
    }
    [[nodiscard]] double bias() const noexcept { return b_; }
    /// y_i h(x_i) for every sample.
    [[nodiscard]] const Vector &margins() const noexcept { return margins_; }
    /// w = 0: no sample has a multiplier.
    [[nodiscard]] bool is_constant() const { return alpha_.size() == 0 || alpha_.maxCoeff() <= 0; }
    [[nodiscard]] double half_norm_squared() const { return 0.5 * alpha_.sum(); }
    /// Multiplications done so far, about: |Gamma|^2 + m |Gamma| a step.
    [[nodiscard]] double work() const noexcept { return work_; }
    [[nodiscard]] const BorderedFactor &factor() const noexcept { return factor_; }
    /// s_j of the given samples.
    void schur(const std::vector<Index> &samples, Vector &out) const;
    [[nodiscard]] const Vector &signs() const noexcept { return *y_; }
    /// K(:, i)
    [[nodiscard]] const double *column(Index i) const { return columns_->column(i); }
    /// Columns K(:, i) of the members, and the same as one matrix.
    [[nodiscard]] const std::vector<const double *> &member_columns() const { return pointers_; }
    [[nodiscard]] Matrix joined_columns() const;
    /// K_jj, with the constant that the factor adds to the kernel.
    [[nodiscard]] double own(Index j) const { return columns_->diagonal()(j) + rho_; }
    /// y_i y_j (K_ij + rho) for the members i of Gamma.
    void column_over_gamma(Index j, double *out) const;

private:
    [[nodiscard]] bool start(const std::vector<char> &kept);
    [[nodiscard]] bool enter(Index j);
    void give_up(Index position);
    void leave(Index position);
    void refine();
    void refactor();
    void count_step() {
        const auto n = static_cast<double>(gamma_.size());
        work_ += n * (n + static_cast<double>(margins_.size()));
    }
    void slopes(double constant, Index j);
    [[nodiscard]] Index blocking_member(double &step, Index except) const;
    [[nodiscard]] Index most_violated(const std::vector<char> &kept) const;

    ColumnStore *columns_;
    const Vector *y_;
    double rho_;
    std::vector<Index> gamma_;
    std::vector<const double *> pointers_; ///< their columns of K
    std::vector<char> member_;
    Vector alpha_, margins_;
    double b_ = 0;
    BorderedFactor factor_;
    double work_ = 0;
    BorderedFactor::Solution direction_;
    Vector q_, slope_, weights_;
};

} // namespace hinge0
