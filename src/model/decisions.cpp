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

void check_features(Index expected, const Samples &samples) {
    const Index found = feature_count(samples);
    // Sparse text does not say how many features there are; missing ones are zero.
    const bool fits =
        std::holds_alternative<SparseRows>(samples) ? found <= expected : found == expected;
    if (!fits)
        throw InvalidInput(
            fmt::format("the data has {} features, but the model expects {}", found, expected));
}

} // namespace

Expansions::Expansions(const Model &model)
    : kernel(model.kernel), features(model.features), scaling(model.scaling),
      support(model.support),
      rows(model.rows), functions{{model.bias, model.coefficients, nullptr}} {}

Expansions::Expansions(const Classifier &classifier)
    : kernel(classifier.kernel), features(classifier.features), scaling(classifier.scaling),
      support(classifier.support), rows(classifier.rows) {
    for (const Pair &pair : classifier.pairs)
        functions.push_back({pair.bias, pair.coefficients, &pair.support});
}

Decisions::Decisions(Expansions of, const Samples &samples)
    : of_(std::move(of)), samples_(samples), space_(of_.kernel, of_.support, of_.rows) {
    check_features(of_.features, samples);
    const auto count = static_cast<Index>(of_.rows.size());
    if (!std::holds_alternative<PrecomputedKernel>(of_.kernel))
        set_ = space_.prepare(of_.support, 0, count);
    support_ = space_.right(set_, all_rows(count));
    support_.kind = "support vector";
}

Index Decisions::tiles() const noexcept { return (row_count(samples_) + tile - 1) / tile; }

Index Decisions::count(Index t) const noexcept {
    return std::min(tile, row_count(samples_) - first(t));
}

RowSet Decisions::prepare(Index t) const {
    if (of_.scaling.empty()) return space_.prepare(samples_, first(t), count(t));
    return space_.prepare(scaled(of_.scaling, middle_rows(samples_, first(t), count(t))), 0,
                          count(t));
}

void Decisions::decide(const RowSet &rows, Index first, Matrix &values,
                       Eigen::Ref<Matrix> out) const {
    std::vector<std::size_t> next(of_.functions.size(), 0); // of their places
    for (Index k = 0; k < functions(); ++k)
        out.col(k).setConstant(of_.functions[static_cast<std::size_t>(k)].bias);
    for (Index j = 0; j < support_.count(); j += tile) {
        const Tile block{values.data(), out.rows(), std::min(tile, support_.count() - j),
                         out.rows()};
        kernel_block(space_, rows, 0, support_, j, {block.data, block.rows, block.cols, block.rows},
                     first);
        for (std::size_t k = 0; k < next.size(); ++k) {
            const auto &[bias, coefficients, places] = of_.functions[k];
            double *const sums = out.col(static_cast<Index>(k)).data();
            if (places == nullptr) {
                add_combination(block, coefficients.data() + j, sums);
                continue;
            }
            for (std::size_t &p = next[k]; p < places->size() && (*places)[p] < j + block.cols; ++p)
                add_combination(
                    {block.data + ((*places)[p] - j) * block.stride, block.rows, 1, block.stride},
                    coefficients.data() + p, sums);
        }
    }
}

} // namespace hinge0
