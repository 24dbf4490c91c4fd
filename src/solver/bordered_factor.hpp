#pragma once
/// The factor behind the active set: solves with M = [[Q, y], [y', 0]] for a growing and shrinking
/// set Gamma. Adding rho to the kernel changes Q by rho y y', which the balance y'alpha = 0 undoes,
/// so M's solutions stay and Q + rho y y' is positive definite whenever M is regular (the points of
/// Gamma are affinely independent): a Cholesky factor serves also kernels such as the linear one.
#include "core/blas.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class BorderedFactor {
public:
    BorderedFactor() = default;
    BorderedFactor(const BorderedFactor &other) { *this = other; }
    BorderedFactor &operator=(const BorderedFactor &other); ///< copies only what is in use
    BorderedFactor(BorderedFactor &&) = default;
    BorderedFactor &operator=(BorderedFactor &&) = default;
    ~BorderedFactor() = default;

    [[nodiscard]] Index size() const noexcept { return size_; }
    void clear() noexcept { size_ = 0; }

    /// The solution of M [x; beta] = [q; sign], q holding Q + rho y y' against Gamma.
    struct Solution {
        Vector x;    ///< one per member of Gamma
        Vector half; ///< L^-1 q, which append() needs
        double beta = 0;
    };
    void solve(const double *q, double sign, Solution &out) const;
    /// Adds a member whose column against Gamma is behind `column`, with diagonal entry `own`.
    /// False, and nothing done, if it depends on Gamma to within rounding.
    [[nodiscard]] bool append(const Solution &column, double own, double sign);
    /// Room for several members at once, in which the caller writes their rows: against Gamma, and
    /// among each other up to the diagonal.
    [[nodiscard]] blas::Block rows_to_append(Index more);
    /// Adds these members. False, and nothing done, if some s_j is not above the share `least` of
    /// its diagonal entry.
    [[nodiscard]] bool append_rows(const Vector &signs, double least);
    /// The last column of M^-1, over Gamma; returns its last entry.
    [[nodiscard]] double border(Vector &out) const;
    /// Columns of M^-1 over Gamma, from the `first` one on.
    void inverse(blas::Block out, Index first) const;
    /// The diagonal of M^-1 over Gamma.
    void inverse_diagonal(Vector &out) const;
    /// s_j for columns q_j (in place: q becomes L^-1 q).
    void schur(Matrix &q, const Vector &signs, const Vector &own, Vector &out) const;
    /// Takes out the k-th member; the later ones move up.
    void remove(Index k);

private:
    void reserve(Index size);
    [[nodiscard]] blas::ConstBlock lower() const {
        return {factor_.data(), size_, size_, factor_.rows()};
    }

    Matrix factor_;    ///< L L' = Q + rho y y', lower triangle, larger than needed
    Vector reduced_y_; ///< L^-1 y
    Index size_ = 0;
};

} // namespace hinge0
