/// Left-looking tiled Cholesky and the two triangular solves.
#include "gram/factor/tiled_cholesky.hpp"

#include <omp.h>

#include <thread>

#include "core/parallel.hpp"

namespace hinge0 {

TiledCholesky::TiledCholesky(Index size, int threads)
    : size_(size), tiles_((size + tile - 1) / tile), threads_(threads),
      data_(static_cast<std::size_t>(tiles_ * (tiles_ + 1) / 2 * tile * tile)),
      ready_(static_cast<std::size_t>(tiles_)) {
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

bool TiledCholesky::factor(Watch &watch) {
    for (Index k = 0; k < tiles_; ++k)
        if (!factor_column(k, watch)) return false;
    // The solves multiply by the inverses of the diagonal tiles: a product streams from memory
    // where substitution waits for each entry.
    for_each_tile(tiles_, threads_,
                  [&] { return [&](Index k) { blas::invert_lower(block(k, k)); }; });
    return true;
}

bool TiledCholesky::factor_column(Index k, Watch &watch) {
    const double done = static_cast<double>(k) / static_cast<double>(tiles_);
    const blas::Block diagonal = block(k, k);
    // A_ik -= sum_{j<k} L_ij L_kj'
    const auto update = [&](Index i) {
        for (Index j = 0; j < k; ++j) {
            if (watch.stopped(Progress::Stage::factor, done)) break;
            if (i == k)
                blas::subtract_own_product(block(k, j), diagonal);
            else
                blas::multiply_transposed(-1.0, block(i, j), block(k, j), 1.0, block(i, k));
        }
    };
    for_each_tile(tiles_ - k, threads_, [&] { return [&](Index t) { update(k + t); }; });
    if (watch.was_stopped() || !blas::factor_cholesky(diagonal)) return false;
    // L_ik = A_ik L_kk'^-1
    for_each_tile(tiles_ - k - 1, threads_, [&] {
        return [&](Index t) { blas::solve_right_transposed(diagonal, block(k + 1 + t, k)); };
    });
    return true;
}

/// One triangular solve over tiles. Tiles are dealt to the threads in turn; an owner finishes the
/// next tile as soon as it can and only then turns to its others. Waiting for a flag instead of at
/// a barrier lets a thread that lost its core delay only those that need its result. Each tile
/// takes its updates in the same order for any number of threads.
template <class Finish, class Update>
void TiledCholesky::pipeline(Watch &watch, const Finish &finish, const Update &update) {
    const int team_size = static_cast<int>(std::clamp<Index>(tiles_ / 3, 1, threads_));
    const int pass = ++pass_;
#pragma omp parallel num_threads(team_size) if (team_size > 1)
    {
        const Index mine = omp_get_thread_num(), team = omp_get_num_threads();
        const auto publish = [&](Index k) {
            finish(k);
            ready_[static_cast<std::size_t>(k)].store(pass, std::memory_order_release);
        };
        const auto is_ready = [&](Index k) {
            return ready_[static_cast<std::size_t>(k)].load(std::memory_order_acquire) == pass;
        };
        if (mine == 0) publish(0);
        for (Index k = 0; k + 1 < tiles_ && !watch.stopped(Progress::Stage::iterate); ++k) {
            while (!is_ready(k) && !watch.was_stopped()) std::this_thread::yield();
            for (Index i = k + 1; i < tiles_; ++i) {
                if (i % team != mine) continue;
                update(i, k);
                if (i == k + 1) publish(i);
            }
        }
    }
}

bool TiledCholesky::solve(double *x, Watch &watch) {
    const auto at = [x](Index k) { return x + k * tile; };
    // L z = x: tile k is final once all earlier ones have been taken off it.
    pipeline(
        watch, [&](Index k) { blas::multiply_lower(block(k, k), at(k)); },
        [&](Index i, Index k) { blas::multiply(-1.0, block(i, k), at(k), 1.0, at(i)); });
    // L' x = z: the same from the last tile upwards.
    const Index last = tiles_ - 1;
    pipeline(
        watch,
        [&](Index k) { blas::multiply_lower_transpose(block(last - k, last - k), at(last - k)); },
        [&](Index i, Index k) {
            blas::multiply_transpose(-1.0, block(last - k, last - i), at(last - k), 1.0,
                                     at(last - i));
        });
    return !watch.was_stopped();
}

} // namespace hinge0
