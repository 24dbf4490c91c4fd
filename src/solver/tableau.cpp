/// Columns of M^-1 and of the margins' rates, one by one or by matrix products.
#include "solver/tableau.hpp"

#include "core/blas.hpp"
#include "gram/tile_map.hpp"

namespace hinge0 {

Tableau::Tableau(const ActiveSet &state, const Matrix &member_columns)
    : state_(state), outputs_(state.margins()), member_columns_(member_columns),
      columns_(static_cast<std::size_t>(state.margins().size())) {
    for (std::size_t p = 0; p < state.gamma().size(); ++p)
        outputs_(state.gamma()[p]) = state.alpha()(static_cast<Index>(p));
}

const double *Tableau::column(Index i) {
    auto &column = columns_[static_cast<std::size_t>(i)];
    if (!column) prepare({i});
    return column.get();
}

/// Input at the member p of Gamma moves alpha and b by M^-1 [e_p; 0]; at another sample j by
/// -M^-1 [q_j; y_j], and its own multiplier moves the margins by Q(:, j). The margins follow alpha
/// and b, by Q(:, Gamma) and y.
void Tableau::prepare(const std::vector<Index> &samples) {
    const std::vector<Index> &gamma = state_.gamma();
    const Vector &y = state_.signs();
    const auto n = static_cast<Index>(gamma.size()), count = static_cast<Index>(samples.size());
    Matrix change = Matrix::Zero(n, count), rates(y.size(), count);
    Vector signs(count), bias;
    for (Index k = 0; k < count; ++k) {
        const Index i = samples[static_cast<std::size_t>(k)];
        signs(k) = state_.is_member(i) ? 0.0 : -y(i);
        if (!state_.is_member(i)) {
            state_.column_over_gamma(i, change.col(k).data());
            change.col(k) *= -1.0;
        }
    }
    for (Index p = 0; p < n; ++p)
        for (Index k = 0; k < count; ++k)
            if (samples[static_cast<std::size_t>(k)] == gamma[static_cast<std::size_t>(p)])
                change(p, k) = 1.0;
    state_.factor().solve_all(change, signs, bias);
    for (Index p = 0; p < n; ++p) change.row(p) *= y(gamma[static_cast<std::size_t>(p)]);
    follow(change, rates);
    for (Index k = 0; k < count; ++k) {
        const Index i = samples[static_cast<std::size_t>(k)];
        auto &column = columns_[static_cast<std::size_t>(i)];
        column.reset(new double[static_cast<std::size_t>(y.size())]); // filled by the next lines
        Eigen::Map<Vector> out(column.get(), y.size());
        out = y.array() * (rates.col(k).array() + bias(k));
        if (!state_.is_member(i))
            out.array() += y(i) * y.array() *
                           Eigen::Map<const Vector>(state_.column(i), y.size()).array();
        for (Index p = 0; p < n; ++p) {
            const Index member = gamma[static_cast<std::size_t>(p)];
            out(member) = y(member) * change(p, k);
        }
    }
}

/// rates = K(:, Gamma) change
void Tableau::follow(const Matrix &change, Matrix &rates) const {
    const Index m = rates.rows(), n = change.rows(), count = change.cols();
    if (count == 1) {
        combine_columns(state_.member_columns().data(), change.data(), n, m, rates.data());
        return;
    }
    blas::multiply_blocks({member_columns_.data(), m, n, m}, {change.data(), n, count, n},
                          {rates.data(), m, count, m});
}

} // namespace hinge0
