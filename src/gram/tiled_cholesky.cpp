/// Left-looking tiled Cholesky and the two triangular solves.
#include "gram/tiled_cholesky.hpp"

namespace hinge0 {

TiledCholesky::TiledCholesky(Index size, int threads)
    : size_(size), tiles_((size + tile - 1) / tile), threads_(threads),
      data_(static_cast<std::size_t>(tiles_ * (tiles_ + 1) / 2 * tile * tile)) {
    blas::use_one_thread();
}

double TiledCholesky::bytes(Index size) {
    const double tiles = std::ceil(static_cast<double>(size) / static_cast<double>(tile));
    return tiles * (tiles + 1) / 2 * static_cast<double>(tile * tile) * sizeof(double);
}

blas::Block TiledCholesky::block(Index i, Index j) {
    const Index before = i * (i + 1) / 2 + j; // tiles row by row
    return {data_.data() + before * tile * tile, tile_rows(i), tile_rows(j), tile};
}

blas::ConstBlock TiledCholesky::factor_block(Index i, Index j) const {
    return const_cast<TiledCholesky *>(this)->block(i, j);
}

bool TiledCholesky::factor(Poll &poll) {
    for (Index k = 0; k < tiles_; ++k)
        if (!factor_column(k, poll)) return false;
    // The solves multiply by the inverses of the diagonal tiles: a product streams from memory
    // where substitution waits for each entry.
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index k = 0; k < tiles_; ++k) blas::invert_lower(block(k, k));
    return true;
}

bool TiledCholesky::factor_column(Index k, Poll &poll) {
    const double done = static_cast<double>(k) / static_cast<double>(tiles_);
    const blas::Block diagonal = block(k, k);
    // A_ik -= sum_{j<k} L_ij L_kj'
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index i = k; i < tiles_; ++i) {
        for (Index j = 0; j < k; ++j) {
            if (poll.stopped(done)) break;
            if (i == k)
                blas::subtract_own_product(block(k, j), diagonal);
            else
                blas::multiply_transposed(-1.0, block(i, j), block(k, j), 1.0, block(i, k));
        }
    }
    if (poll.was_stopped() || !blas::factor_cholesky(diagonal)) return false;
    // L_ik = A_ik L_kk'^-1
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index i = k + 1; i < tiles_; ++i) blas::solve_right_transposed(diagonal, block(i, k));
    return true;
}

void TiledCholesky::solve(double *x) const {
#pragma omp parallel num_threads(threads_)
    {
        for (Index k = 0; k < tiles_; ++k) { // L z = x, column by column
            double *const xk = x + k * tile;
#pragma omp single
            blas::multiply_lower(factor_block(k, k), xk);
#pragma omp for schedule(static)
            for (Index i = k + 1; i < tiles_; ++i)
                blas::multiply(-1.0, factor_block(i, k), xk, 1.0, x + i * tile);
        }
        for (Index k = tiles_ - 1; k >= 0; --k) { // L' x = z, row by row
            double *const xk = x + k * tile;
#pragma omp single
            blas::multiply_lower_transpose(factor_block(k, k), xk);
#pragma omp for schedule(static)
            for (Index i = 0; i < k; ++i)
                blas::multiply_transpose(-1.0, factor_block(k, i), xk, 1.0, x + i * tile);
        }
    }
}

} // namespace hinge0
