#pragma once
/// Columns of K side by side, fetched on first use: all that the active set ever reads of K.
#include <vector>

#include "gram/gram.hpp"

namespace hinge0 {

class ColumnStore {
public:
    ColumnStore(Gram &gram, double memory_limit);

    [[nodiscard]] Index rows() const noexcept { return diagonal_.size(); }
    [[nodiscard]] const Vector &diagonal() const noexcept { return diagonal_; }
    /// How many columns are held; slots are 0 .. held() - 1.
    [[nodiscard]] Index held() const noexcept { return held_; }
    /// The slot of column j, fetching it if need be.
    [[nodiscard]] Index slot(Index j);
    [[nodiscard]] const double *column(Index slot) const { return data_.data() + slot * rows(); }
    /// out = sum over the held columns of weights(slot) K(:, slot's sample)
    void combine(const Vector &weights, double *out) const;
    /// Forgets all columns but these.
    void keep_only(const std::vector<Index> &samples);

private:
    Gram &gram_;
    double memory_limit_;
    Vector diagonal_;
    std::vector<Index> slot_of_;   ///< per sample, -1 if not held
    std::vector<Index> sample_of_; ///< per slot
    std::vector<double> data_;
    Index held_ = 0;
};

} // namespace hinge0
