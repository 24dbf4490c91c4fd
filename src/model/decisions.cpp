/// Tiles of samples against the support vectors.
#include "model/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/all_rows.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

Samples middle_rows(const Samples &samples, Index first, Index count) {
    return std::visit(
        [&](const auto &rows) -> Samples {
            return std::decay_t<decltype(rows)>(rows.middleRows(first, count));
        },
        samples);
}

void check_features(const Model &model, const Samples &samples) {
    const Index found = feature_count(samples);
    // Sparse text does not say how many features there are; missing ones are zero.
    const bool fits = std::holds_alternative<SparseRows>(samples) ? found <= model.features
                                                                  : found == model.features;
    if (!fits)
        throw InvalidInput(fmt::format("the data has {} features, but the model expects {}", found,
                                       model.features));
}

} // namespace

Decisions::Decisions(const Model &model, const Samples &samples)
    : model_(model), samples_(samples), space_(model.kernel, model.support, model.rows) {
    check_features(model, samples);
    if (!std::holds_alternative<PrecomputedKernel>(model.kernel))
        set_ = space_.prepare(model.support, 0, model.coefficients.size());
    support_ = space_.right(set_, all_rows(model.coefficients.size()));
    support_.kind = "support vector";
}

Index Decisions::tiles() const noexcept { return (row_count(samples_) + tile - 1) / tile; }

Index Decisions::count(Index t) const noexcept {
    return std::min(tile, row_count(samples_) - first(t));
}

RowSet Decisions::prepare(Index t) const {
    if (model_.scaling.empty()) return space_.prepare(samples_, first(t), count(t));
    return space_.prepare(scaled(model_.scaling, middle_rows(samples_, first(t), count(t))), 0,
                          count(t));
}

void Decisions::decide(const RowSet &rows, Index first, Matrix &values, VectorRef out) const {
    out.setConstant(model_.bias);
    for (Index j = 0; j < support_.count(); j += tile) {
        const Tile block{values.data(), out.size(), std::min(tile, support_.count() - j),
                         out.size()};
        kernel_block(space_, rows, 0, support_, j, {block.data, block.rows, block.cols, block.rows},
                     first);
        add_combination(block, model_.coefficients.data() + j, out.data());
    }
}

} // namespace hinge0
