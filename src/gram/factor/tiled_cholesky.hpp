#pragma once
/// The lower triangle of a symmetric matrix in square tiles, and its Cholesky factor in place.
/// Tiles do not depend on the number of threads and each is computed by one thread in a fixed
/// order, so the bits do not depend on it either. Takes 4 m^2 bytes, half of a square matrix.
#include <algorithm>
#include <atomic>
#include <vector>

#include "core/blas.hpp"
#include "core/watch.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class TiledCholesky {
public:
    static constexpr Index tile = 256;

    TiledCholesky(Index size, int threads);
    /// Bytes that a matrix of this size takes.
    [[nodiscard]] static double bytes(Index size);

    void use_threads(int threads) noexcept { threads_ = threads; }
    [[nodiscard]] Index size() const noexcept { return size_; }
    [[nodiscard]] Index tile_count() const noexcept { return tiles_; }
    [[nodiscard]] Index tile_rows(Index i) const noexcept {
        return std::min(tile, size_ - i * tile);
    }
    /// Tile (i, j), i >= j, to be filled by the caller; of a diagonal tile the lower half counts.
    [[nodiscard]] blas::Block block(Index i, Index j);

    /// A = L L' in place. False if A is not positive definite or `watch` was stopped.
    [[nodiscard]] bool factor(Watch &watch);
    /// x := A^-1 x, after factor(). No allocation. False if `watch` was stopped; x is then spoiled.
    [[nodiscard]] bool solve(double *x, Watch &watch);

private:
    [[nodiscard]] bool factor_column(Index k, Watch &watch);
    template <class Finish, class Update>
    void pipeline(Watch &watch, const Finish &finish, const Update &update);

    Index size_, tiles_;
    int threads_;
    std::vector<double, Eigen::aligned_allocator<double>> data_;
    std::vector<std::atomic<int>> ready_; ///< the pass in which tile k was last finished
    int pass_ = 0;
};

} // namespace hinge0
