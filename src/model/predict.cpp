/// Decision values: tiles of samples against the support vectors, one thread per tile.
#include <fmt/format.h>

#include "core/all_rows.hpp"
#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "gram/row_set.hpp"
#include "hinge0/error.hpp"
#include "hinge0/model.hpp"

namespace hinge0 {
namespace {

constexpr Index tile = 256;

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

/// Rows [first, first + out.size()) of h; `values` has room for one tile.
void decide(const Model &model, const FeatureSpace &space, const RightRows &support,
            const Samples &samples, Index first, Matrix &values, VectorRef out) {
    RowSet rows;
    if (model.scaling.empty())
        rows = space.prepare(samples, first, out.size());
    else
        rows = space.prepare(scaled(model.scaling, middle_rows(samples, first, out.size())), 0,
                             out.size());
    out.setConstant(model.bias);
    for (Index j = 0; j < support.count(); j += tile) {
        const blas::Block block{values.data(), out.size(), std::min(tile, support.count() - j),
                                out.size()};
        kernel_block(space, rows, 0, support, j, block, first);
        blas::multiply(1.0, block, model.coefficients.data() + j, 1.0, out.data());
    }
}

} // namespace

Vector decision_function(const Model &model, const Samples &samples, int threads) {
    check_features(model, samples);
    const int used = thread_count(threads);
    blas::use_one_thread();
    const FeatureSpace space(model.kernel, model.support, model.rows);
    const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
    RowSet set;
    if (!precomputed) set = space.prepare(model.support, 0, model.coefficients.size());
    RightRows support = space.right(set, all_rows(model.coefficients.size()));
    support.kind = "support vector";
    const Index rows = row_count(samples), tiles = (rows + tile - 1) / tile;
    Vector out(rows);
    for_each_tile(tiles, used, [&] {
        return [&, values = Matrix(tile, tile)](Index t) mutable {
            const Index first = t * tile;
            decide(model, space, support, samples, first, values,
                   out.segment(first, std::min(tile, rows - first)));
        };
    });
    for (Index i = 0; i < rows; ++i)
        if (!std::isfinite(out(i)))
            throw InvalidInput(fmt::format("the decision value of row {} is not finite", i + 1));
    return out;
}

std::vector<std::string> predict(const Model &model, const Samples &samples, int threads) {
    const Vector h = decision_function(model, samples, threads);
    std::vector<std::string> labels(static_cast<std::size_t>(h.size()));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = model.classes[h(static_cast<Index>(i)) > 0.0 ? 1 : 0];
    return labels;
}

} // namespace hinge0
