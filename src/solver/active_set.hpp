#pragma once
/// The hard-margin SVM of a kept set T, by the dual active-set method of Goldfarb and Idnani:
///   min |w|^2 / 2   s.t.   y_i h(x_i) >= 1 for i in T.
/// By fact 1 (docs/exact.md) its solutions are the local minimisers of F. The state is always dual
/// feasible: the solution for the constraints of Gamma alone, with alpha >= 0. The most violated
/// kept sample enters, members whose alpha reaches 0 leave; each step costs O(|Gamma|^2 + m |Gamma|).
#include <vector>

#include "gram/columns/column_store.hpp"
#include "solver/bordered_factor.hpp"

namespace hinge0 {

class ActiveSet {
public:
    ActiveSet(ColumnStore &columns, const Vector &y);

    /// Moves to the solution for `kept` (one flag per sample), from wherever it stands. A sample
    /// that cannot be kept beside the others loses its flag. False if |w|^2 / 2 rose beyond
    /// `bound`: then the state is a valid start, but not a solution.
    [[nodiscard]] bool solve(std::vector<char> &kept, double bound);
    /// Solves afresh for Gamma and adds up the margins anew; drops members that turn out negative.
    void refine();

    [[nodiscard]] const std::vector<Index> &gamma() const noexcept { return gamma_; }
    [[nodiscard]] const Vector &alpha() const noexcept { return alpha_; }
    [[nodiscard]] double bias() const noexcept { return b_; }
    /// y_i h(x_i) for every sample.
    [[nodiscard]] const Vector &margins() const noexcept { return margins_; }
    [[nodiscard]] double half_norm_squared() const { return 0.5 * alpha_.sum(); }
    [[nodiscard]] long steps() const noexcept { return steps_; }

    /// s_j of every sample: how |w|^2 / 2 would grow, u_j^2 / (2 s_j), if j joined Gamma; and the
    /// diagonal of M^-1 over Gamma: it falls by alpha_i^2 / (2 M^-1_ii) if i left.
    void sensitivities(Vector &schur, Vector &inverse_diagonal) const;

private:
    [[nodiscard]] bool start(const std::vector<char> &kept);
    [[nodiscard]] bool enter(Index j);
    [[nodiscard]] bool give_up(Index position);
    void leave(Index position);
    void direction_of(Index j);
    [[nodiscard]] Index most_violated(const std::vector<char> &kept) const;
    void spread(const Vector &weights_over_gamma, double constant, Vector &out) const;
    [[nodiscard]] double shifted(Index i, Index j_slot, Index j) const;

    ColumnStore *columns_;
    const Vector *y_;
    double rho_;
    std::vector<Index> gamma_;
    Vector alpha_, margins_;
    double b_ = 0;
    BorderedFactor factor_;
    long steps_ = 0;
    // buffers
    BorderedFactor::Solution column_;
    Vector q_, slope_;
    mutable Vector weights_;
};

} // namespace hinge0
