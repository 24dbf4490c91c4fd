/// The values of the base; where a row meets its own column, the ridge is added.
#include "gram/ridge_gram.hpp"

#include <algorithm>

namespace hinge0 {
namespace {

/// Calls meet(i, j) for every place where rows[i] is columns[j].
template <class Meet>
void where_they_meet(std::span<const Index> rows, std::span<const Index> columns,
                     const Meet &meet) {
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (auto at = rows.begin(); (at = std::find(at, rows.end(), columns[j])) != rows.end();
             ++at)
            meet(static_cast<Index>(at - rows.begin()), static_cast<Index>(j));
}

} // namespace

RidgeGram::RidgeGram(const Gram &base, Vector ridge)
    : base_(base), ridge_(std::move(ridge)), diagonal_(base.diagonal() + ridge_) {}

RidgeGram::RidgeGram(std::unique_ptr<Gram> base, Vector ridge)
    : owned_(std::move(base)), base_(*owned_), ridge_(std::move(ridge)),
      diagonal_(base_.diagonal() + ridge_) {}

void RidgeGram::block(std::span<const Index> rows, std::span<const Index> columns, int threads,
                      double *out) const {
    base_.block(rows, columns, threads, out);
    const auto height = static_cast<Index>(rows.size());
    where_they_meet(rows, columns, [&](Index i, Index j) {
        out[j * height + i] += ridge_(columns[static_cast<std::size_t>(j)]);
    });
}

void RidgeGram::apply(std::span<const Index> rows, std::span<const Index> columns,
                      ConstVectorRef weights, int threads, VectorRef out) const {
    base_.apply(rows, columns, weights, threads, out);
    where_they_meet(rows, columns, [&](Index i, Index j) {
        out(i) += ridge_(columns[static_cast<std::size_t>(j)]) * weights(j);
    });
}

std::unique_ptr<Gram> RidgeGram::part(std::span<const Index> rows, MemoryBudget &memory) const {
    return std::unique_ptr<Gram>(new RidgeGram(base_.part(rows, memory), ridge_(rows)));
}

} // namespace hinge0
