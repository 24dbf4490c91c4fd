#pragma once
/// Columns of K, fetched on first use: all that the exact solver ever reads of K.
#include <memory>
#include <vector>

#include "gram/gram.hpp"

namespace hinge0 {

class ColumnStore {
public:
    ColumnStore(Gram &gram, double memory_limit);

    [[nodiscard]] Index rows() const noexcept { return diagonal_.size(); }
    /// K(j, j) for every sample.
    [[nodiscard]] const Vector &diagonal() const noexcept { return diagonal_; }
    /// K(:, j). Throws OutOfMemory when no more columns fit.
    [[nodiscard]] const double *column(Index j);
    /// Forgets all columns when more than `bytes` are held; pointers to them are then void.
    void trim(double bytes);

private:
    void make_room();

    Gram &gram_;
    double memory_limit_;
    Vector diagonal_;
    std::vector<std::unique_ptr<double[]>> columns_; ///< per sample, null until fetched
    Index held_ = 0, room_ = 0;
};

} // namespace hinge0
