#pragma once
/// Columns of K, fetched on first use: all that the exact solver ever reads of K.
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "gram/gram.hpp"

namespace hinge0 {

class ColumnStore {
public:
    ColumnStore(Gram &gram, double memory_limit);

    [[nodiscard]] Index rows() const noexcept { return diagonal_.size(); }
    /// K(j, j) for every sample.
    [[nodiscard]] const Vector &diagonal() const noexcept { return diagonal_; }
    /// K(:, j). Any thread may ask. Throws OutOfMemory when no more columns fit.
    [[nodiscard]] const double *column(Index j);
    /// Forgets all columns when more than `bytes` are held; pointers to them are then void, so this
    /// is for a store with one user.
    void trim(double bytes);

private:
    const double *fetch(Index j);
    void make_room();

    Gram &gram_;
    double memory_limit_;
    Vector diagonal_;
    std::vector<std::unique_ptr<double[]>> columns_; ///< per sample, null until fetched
    std::vector<std::atomic<const double *>> ready_; ///< the same, set once they are filled
    std::mutex fetching_;                            ///< held by whoever changes the above
    Index held_ = 0, room_ = 0;
};

} // namespace hinge0
