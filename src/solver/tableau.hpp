#pragma once
/// How a hard-margin solution responds to a change at one sample; exact while Gamma stays. Input i:
/// for a member of Gamma the margin that is asked of it, for any other sample a multiplier that is
/// given to it. Outputs: the multipliers of the members and the margins of all others. Columns are
/// computed when asked for and kept.
#include <memory>
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

class Tableau {
public:
    /// The state must outlive the tableau and not change, as must K(:, Gamma) as one matrix.
    Tableau(const ActiveSet &state, const Matrix &member_columns);

    /// B(:, i): the outputs of all samples per unit of input i.
    [[nodiscard]] const double *column(Index i);
    /// Computes the columns of these samples at once, by matrix products.
    void prepare(const std::vector<Index> &samples);
    [[nodiscard]] const ActiveSet &state() const noexcept { return state_; }
    /// The outputs of the state itself: alpha of the members, margins of the others.
    [[nodiscard]] const Vector &outputs() const noexcept { return outputs_; }

private:
    void follow(const Matrix &change, Matrix &rates) const;

    const ActiveSet &state_;
    Vector outputs_;
    const Matrix &member_columns_;
    std::vector<std::unique_ptr<double[]>> columns_; ///< per sample, null until computed
};

} // namespace hinge0
