#pragma once
/// K by the few columns that say nearly all of it, G G' with G from a pivoted Cholesky
/// factorisation: for Algorithm 1 on many rows, in O(m r) memory and time an iteration.
#include <Eigen/Cholesky>
#include <vector>

#include "gram/factor/shifted_system.hpp"
#include "gram/gram.hpp"

namespace hinge0 {

class LowRankSystem final : public ShiftedSystem {
public:
    /// Columns are added until no diagonal entry of K - G G' is above `error` times the largest of
    /// K, or there are as many as fit. Throws OutOfMemory if not even a few do, Interrupted. `gram`
    /// is needed only here.
    LowRankSystem(const Gram &gram, double shift, double error, int threads, MemoryBudget &memory,
                  Watch &watch);

    /// What it takes at most where so many bytes are free.
    [[nodiscard]] static double bytes(Index rows, double free_bytes);

    [[nodiscard]] double shift() const noexcept override { return shift_; }
    [[nodiscard]] Index size() const noexcept override { return rows_; }
    [[nodiscard]] double kernel_seconds() const noexcept override { return kernel_seconds_; }
    void use_threads(int threads) noexcept override { threads_ = threads; }
    [[nodiscard]] bool solve(const ConstVectorRef &rhs, VectorRef out, Watch &watch) override;
    [[nodiscard]] std::string note() const override;

    [[nodiscard]] Index rank() const noexcept { return rank_; }
    /// The largest entry of K - G G', which is on its diagonal.
    [[nodiscard]] double largest_error() const noexcept { return error_; }

private:
    /// Some columns of G.
    struct Block {
        Index first; ///< the number of its first column
        Matrix values;
    };
    [[nodiscard]] std::vector<Index> next_pivots(const Gram &gram, Matrix &factor) const;
    void add(const Gram &gram, const std::vector<Index> &pivots, const Matrix &factor);
    void prepare_solve();

    Index rows_, rank_ = 0;
    double shift_, error_ = 0, kernel_seconds_ = 0;
    int threads_;
    Index most_; ///< columns
    MemoryShare held_;
    std::vector<Block> blocks_;
    Vector left_;              ///< the diagonal of K - G G'
    Eigen::LLT<Matrix> small_; ///< of shift I + G'G
    Matrix partial_;           ///< G' rhs, a column for every piece of the rows
    Vector weights_;
};

} // namespace hinge0
