/// Tiles of K into a tiled Cholesky factor.
#include "gram/factor/shifted_factor.hpp"

#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "core/all_rows.hpp"
#include "core/parallel.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr Index tile = TiledCholesky::tile;

} // namespace

ShiftedFactor::ShiftedFactor(const Gram &gram, double shift, int threads, MemoryBudget &memory,
                             Watch &watch)
    : shift_(shift), held_(memory, TiledCholesky::bytes(gram.size()),
                           fmt::format("the kernel matrix of {} rows", gram.size())),
      factor_(gram.size(), threads) {
    const auto begin = std::chrono::steady_clock::now();
    fill(gram, threads, watch);
    kernel_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (watch.was_stopped()) throw Interrupted("interrupted while computing the kernel matrix");
    if (factor_.factor(watch)) return;
    if (watch.was_stopped()) throw Interrupted("interrupted while factoring");
    throw NumericalError("the kernel matrix is too ill-conditioned to be factored; scale the data "
                         "(--standardize), or use a smaller sigma");
}

void ShiftedFactor::fill(const Gram &gram, int threads, Watch &watch) {
    const Index tiles = factor_.tile_count(), pairs = tiles * (tiles + 1) / 2;
    const std::vector<Index> rows = all_rows(gram.size());
    const auto rows_of = [&](Index t) {
        return std::span<const Index>(rows).subspan(static_cast<std::size_t>(t * tile),
                                                    static_cast<std::size_t>(factor_.tile_rows(t)));
    };
    for_each_tile(pairs, threads, [&] {
        return [&, values = std::vector<double>(tile * tile)](Index pair) mutable {
            if (watch.stopped(Progress::Stage::gram,
                              static_cast<double>(pair) / static_cast<double>(pairs)))
                return;
            const auto i =
                static_cast<Index>((std::sqrt(8.0 * static_cast<double>(pair) + 1) - 1) / 2);
            const Index j = pair - i * (i + 1) / 2;
            const blas::Block block = factor_.block(i, j);
            gram.block(rows_of(i), rows_of(j), 1, values.data());
            for (Index k = 0; k < block.cols; ++k)
                std::copy_n(values.data() + k * block.rows, block.rows,
                            block.data + k * block.stride);
            for (Index k = 0; i == j && k < block.rows; ++k)
                block.data[k * (block.stride + 1)] += shift_;
        };
    });
}

/// A factor of K with a hair added to its diagonal exists only if there is none.
void check_semidefinite(const Gram &gram, int threads, MemoryBudget &memory, Watch &watch) {
    const Vector &diagonal = gram.diagonal();
    const double hair =
        1e-10 * static_cast<double>(diagonal.size()) * diagonal.cwiseAbs().maxCoeff();
    try {
        const ShiftedFactor factor(gram, std::max(hair, 1e-300), threads, memory, watch);
    } catch (const NumericalError &) {
        throw NumericalError(
            "the kernel matrix is not positive semidefinite: it has a negative eigenvalue; add its "
            "size to the diagonal, or use another kernel");
    }
}

} // namespace hinge0
