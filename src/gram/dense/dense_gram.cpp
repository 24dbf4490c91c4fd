/// K on this machine: tiles on demand for products, a tiled Cholesky factor for solves.
#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <optional>

#include "core/memory.hpp"
#include "gram/gram.hpp"
#include "gram/row_set.hpp"
#include "gram/tiled_cholesky.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr Index tile = TiledCholesky::tile;
constexpr const char *advice = "train on fewer rows, or on a machine with more memory";

std::vector<Index> all_rows(const Samples &samples) {
    std::vector<Index> rows(static_cast<std::size_t>(row_count(samples)));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

class DenseGram final : public Gram {
public:
    DenseGram(const Samples &samples, const Kernel &kernel, double memory_limit)
        : space_(kernel, samples, all_rows(samples)) {
        blas::use_one_thread();
        const Index rows = row_count(samples);
        require_memory(space_.bytes(samples, rows), memory_limit,
                       fmt::format("a dense copy of {} rows", rows), advice);
        rows_ = space_.prepare(samples, 0, rows);
        diagonal_ = kernel_diagonal(space_.kernel(), rows_);
    }

    [[nodiscard]] Index size() const noexcept override { return rows_.size(); }
    void use_threads(int threads) override {
        threads_ = threads;
        if (factor_) factor_->use_threads(threads);
    }
    [[nodiscard]] double kernel_seconds() const noexcept override { return kernel_seconds_; }

    void apply(std::span<const Index> columns, ConstVectorRef weights, VectorRef out) override;
    void diagonal(VectorRef out) const override { out = diagonal_; }
    void column(Index j, VectorRef out) override;
    void factor(double shift, double memory_limit, Poll &gram_poll, Poll &factor_poll) override;
    [[nodiscard]] bool solve(ConstVectorRef rhs, VectorRef out, Poll &poll) override {
        out = rhs;
        return factor_->solve(out.data(), poll);
    }

private:
    void fill(double shift, Poll &poll);

    FeatureSpace space_;
    RowSet rows_;
    Vector diagonal_;
    int threads_ = 1;
    std::optional<TiledCholesky> factor_;
    std::optional<double> shift_;
    double kernel_seconds_ = 0;
};

void DenseGram::apply(std::span<const Index> columns, ConstVectorRef weights, VectorRef out) {
    if (std::holds_alternative<PrecomputedKernel>(space_.kernel())) {
        out.setZero();
        for (std::size_t k = 0; k < columns.size(); ++k)
            out += weights(static_cast<Index>(k)) * rows_.dense.col(columns[k]);
        return;
    }
    const RowSet right = select_rows(rows_, columns);
    const Index count = right.size(), tiles = (size() + tile - 1) / tile;
    const int team = size() * count > 1000000 ? threads_ : 1; // small products are not worth it
#pragma omp parallel num_threads(team) if (team > 1)
    {
        Matrix values(tile, std::min(count, tile));
#pragma omp for schedule(dynamic)
        for (Index t = 0; t < tiles; ++t) {
            const Index i0 = t * tile, rows = std::min(tile, size() - i0);
            out.segment(i0, rows).setZero();
            for (Index j0 = 0; j0 < count; j0 += tile) {
                const Index cols = std::min(tile, count - j0);
                const blas::Block block{values.data(), rows, cols, tile};
                kernel_tile(space_, rows_, i0, right, j0, block);
                blas::multiply(1.0, block, weights.data() + j0, 1.0, out.data() + i0);
            }
        }
    }
}

void DenseGram::column(Index j, VectorRef out) {
    kernel_tile(space_, rows_, 0, rows_, j, {out.data(), size(), 1, size()});
    out(j) = diagonal_(j);
}

void DenseGram::factor(double shift, double memory_limit, Poll &gram_poll, Poll &factor_poll) {
    if (shift_ == shift) return;
    shift_.reset();
    if (!factor_) {
        require_memory(TiledCholesky::bytes(size()), memory_limit,
                       fmt::format("the kernel matrix of {} rows", size()), advice);
        factor_.emplace(size(), threads_);
    }
    const auto begin = std::chrono::steady_clock::now();
    fill(shift, gram_poll);
    kernel_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (gram_poll.was_stopped()) throw Interrupted("interrupted while computing the kernel matrix");
    if (!factor_->factor(factor_poll)) {
        if (factor_poll.was_stopped()) throw Interrupted("interrupted while factoring");
        const bool given = std::holds_alternative<PrecomputedKernel>(space_.kernel());
        throw NumericalError(
            given ? "the kernel matrix is not positive semidefinite: it has a negative eigenvalue; "
                    "add its size to the diagonal, or use another kernel"
                  : "the kernel matrix is too ill-conditioned to be factored; scale the data "
                    "(--standardize), or use a smaller sigma");
    }
    shift_ = shift;
}

void DenseGram::fill(double shift, Poll &poll) {
    const Index tiles = factor_->tile_count(), pairs = tiles * (tiles + 1) / 2;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index pair = 0; pair < pairs; ++pair) {
        if (poll.stopped(static_cast<double>(pair) / static_cast<double>(pairs))) continue;
        const auto i = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(pair) + 1) - 1) / 2);
        const Index j = pair - i * (i + 1) / 2;
        const blas::Block block = factor_->block(i, j);
        kernel_tile(space_, rows_, i * tile, rows_, j * tile, block);
        if (i != j) continue;
        for (Index k = 0; k < block.rows; ++k)
            block.data[k * (block.stride + 1)] = diagonal_(i * tile + k) + shift;
    }
}

} // namespace

std::unique_ptr<Gram> make_dense_gram(const Samples &samples, const Kernel &kernel,
                                      double memory_limit) {
    return std::make_unique<DenseGram>(samples, kernel, memory_limit);
}

} // namespace hinge0
