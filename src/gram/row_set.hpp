#pragma once
/// Samples prepared for kernel evaluation: in the features that matter, centred where the kernel
/// allows, with their norms. Tiles of kernel values between two such sets come from `kernel_tile`.
#include <span>
#include <vector>

#include "core/blas.hpp"
#include "hinge0/kernel.hpp"

namespace hinge0 {

struct RowSet {
    Matrix dense{};      ///< one row per sample; without columns when stored sparse
    SparseRows sparse{}; ///< one row per sample; without columns when stored dense
    Vector norms{};      ///< |x|^2; for the Laplacian kernel, the part of |x|_1 in dropped features

    [[nodiscard]] bool is_dense() const noexcept { return sparse.rows() == 0; }
    [[nodiscard]] Index size() const noexcept { return norms.size(); }
};

/// The features of the right-hand samples (training rows, support vectors). A feature that none of
/// them has only adds to the norm of the left-hand samples. Rows are stored densely unless there
/// are many features and few values; distances are taken from the mean of the right-hand samples,
/// which keeps |a|^2 + |z|^2 - 2 a.z from cancelling when the data sits far from the origin.
class FeatureSpace {
public:
    /// `columns`: for PrecomputedKernel, which training rows stand on the right.
    FeatureSpace(const Kernel &kernel, const Samples &right, std::vector<Index> columns = {});

    [[nodiscard]] const Kernel &kernel() const noexcept { return kernel_; }
    /// Bytes that preparing this many rows takes.
    [[nodiscard]] double bytes(const Samples &samples, Index count) const;
    /// Rows [first, first + count) of `samples`. Throws InvalidInput if a kernel value between two
    /// such rows would overflow, naming the row (counted on from `offset`) and its largest feature.
    [[nodiscard]] RowSet prepare(const Samples &samples, Index first, Index count,
                                 Index offset = 0) const;

private:
    void drop_unused_features(const SparseRows &right);
    [[nodiscard]] Vector column_means(const Samples &right) const;
    [[nodiscard]] Matrix densify(const Samples &samples, Index first, Index count) const;
    [[nodiscard]] SparseRows compact(const Samples &samples, Index first, Index count) const;
    [[nodiscard]] Vector norms(const Samples &samples, const RowSet &rows, Index first,
                               Index offset) const;

    Kernel kernel_;
    std::vector<Index> columns_; ///< precomputed: right-hand rows
    bool every_feature_ = true;  ///< none dropped: a feature's place is its own index
    std::vector<int> used_;      ///< otherwise the features that are kept, rising
    bool dense_ = true;
    Index width_ = 0; ///< number of places
    Vector centre_;   ///< per place; empty where not centred
};

/// out = k(a_i, z_j) for rows [a0, a0 + out.rows) of a and [z0, z0 + out.cols) of z.
void kernel_tile(const FeatureSpace &space, const RowSet &a, Index a0, const RowSet &z, Index z0,
                 blas::Block out);

/// k(a, z) depends on a - z through |a - z| alone.
[[nodiscard]] bool translation_invariant(const Kernel &kernel);

/// The given rows of a prepared set.
[[nodiscard]] RowSet select_rows(const RowSet &rows, std::span<const Index> chosen);

/// k(x, x) for every prepared row.
[[nodiscard]] Vector kernel_diagonal(const Kernel &kernel, const RowSet &rows);

} // namespace hinge0
