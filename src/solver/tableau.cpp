/// Columns of M^-1 and of the margins' rates, one by one or by matrix products.
#include "solver/tableau.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "gram/tile_map.hpp"

namespace hinge0 {

Tableau::Tableau(const ActiveSet &state)
    : state_(state), samples_(state.gamma()),
      positions_(static_cast<std::size_t>(state.margins().size())),
      outputs_(state.margins().size()), member_columns_(state.joined_columns()),
      columns_(positions_.size()), ready_(positions_.size()), side_(members()), rates_(size()) {
    for (Index i = 0; i < size(); ++i)
        if (!state.is_member(i)) samples_.push_back(i);
    for (Index at = 0; at < size(); ++at) {
        positions_[static_cast<std::size_t>(sample(at))] = at;
        outputs_(at) = at < members() ? state.alpha()(at) : state.margins()(sample(at));
    }
}

const double *Tableau::column(Index position) {
    auto &ready = ready_[static_cast<std::size_t>(position)];
    if (const double *const column = ready.load(std::memory_order_acquire)) return column;
    const std::lock_guard lock(computing_);
    if (ready.load(std::memory_order_acquire) == nullptr) compute(position);
    return ready.load(std::memory_order_acquire);
}

/// Input at the member p of Gamma moves alpha and b by M^-1 [e_p; 0]; at another sample j by
/// -M^-1 [q_j; y_j], and its own multiplier moves the margins by Q(:, j). The margins follow alpha
/// and b, by Q(:, Gamma) and y. Returns the sign for the last row; `side` is the rest.
double Tableau::right_side(Index position, double *side) const {
    std::fill(side, side + members(), 0.0);
    if (position < members()) {
        side[position] = 1.0;
        return 0.0;
    }
    state_.column_over_gamma(sample(position), side);
    for (Index p = 0; p < members(); ++p) side[p] = -side[p];
    return -state_.signs()(sample(position));
}

/// Puts a column together from the change of c and b and from K(:, Gamma) times that of c.
void Tableau::store(Index position, const double *change, double bias, const double *rates) {
    const Vector &y = state_.signs();
    const Index n = members(), i = sample(position);
    auto &column = columns_[static_cast<std::size_t>(position)];
    column.reset(new double[static_cast<std::size_t>(size())]); // filled by the next lines
    double *const out = column.get();
    for (Index p = 0; p < n; ++p) out[p] = y(sample(p)) * change[p];
    const double *const own = position < n ? nullptr : state_.column(i);
    for (Index r = n; r < size(); ++r) {
        const Index j = sample(r);
        out[r] = y(j) * (rates[j] + bias + (own != nullptr ? y(i) * own[j] : 0.0));
    }
    ready_[static_cast<std::size_t>(position)].store(out, std::memory_order_release);
}

void Tableau::compute(Index position) {
    const double sign = right_side(position, side_.data());
    state_.factor().solve(side_.data(), sign, solution_);
    for (Index p = 0; p < members(); ++p) solution_.x(p) *= state_.signs()(sample(p));
    combine_columns(state_.member_columns().data(), solution_.x.data(), members(), size(),
                    rates_.data());
    store(position, solution_.x.data(), solution_.beta, rates_.data());
}

void Tableau::prepare(std::span<const Index> positions) {
    const Index n = members(), count = static_cast<Index>(positions.size());
    Matrix change(n, count), rates(size(), count);
    Vector signs(count), bias;
    for (Index k = 0; k < count; ++k)
        signs(k) = right_side(positions[static_cast<std::size_t>(k)], change.col(k).data());
    state_.factor().solve_all(change, signs, bias);
    for (Index p = 0; p < n; ++p) change.row(p) *= state_.signs()(sample(p));
    blas::multiply_blocks({member_columns_.data(), size(), n, size()}, {change.data(), n, count, n},
                          {rates.data(), size(), count, size()});
    for (Index k = 0; k < count; ++k)
        store(positions[static_cast<std::size_t>(k)], change.col(k).data(), bias(k),
              rates.col(k).data());
}

} // namespace hinge0
