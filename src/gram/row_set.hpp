#pragma once
/// Samples prepared for kernel evaluation, in the features that matter. Blocks of kernel values
/// between two such sets come from `kernel_block`.
#include <span>
#include <string_view>
#include <vector>

#include "core/blas.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// Rows of one kind of storage. The other kinds are empty.
struct RowSet {
    Index count = 0;
    std::vector<double, Eigen::aligned_allocator<double>> panels{}; ///< dense (loops.hpp)
    SparseRows sparse{};                                            ///< or with sparse products
    Matrix given{};   ///< PrecomputedKernel: the kernel values themselves
    Vector outside{}; ///< the part of |x|^2 (Laplacian: of |x|_1) in features that were dropped
    Vector squares{}; ///< of sparse: |x|^2 (Laplacian: |x|_1) of the features that are held

    [[nodiscard]] double bytes() const;
};

/// The rows that stand on the right of a block, picked from a set and held row by row.
struct RightRows {
    std::vector<Index> rows;     ///< which they are
    std::vector<double> dense{}; ///< value f of the k-th is at [k * features + f]
    /// For sparse products: value f of the k-th is at [f * stride + k].
    std::vector<double> by_feature{};
    Index stride = 0;
    const RowSet *set = nullptr;   ///< where they are from; must live as long
    std::string_view kind = "row"; ///< what a message calls them

    [[nodiscard]] Index count() const noexcept { return static_cast<Index>(rows.size()); }
};

/// The features of the right-hand samples (training rows, support vectors). A feature that none of
/// them has only adds to the distance of the left-hand samples. Rows are held densely unless there
/// are many features and few values.
class FeatureSpace {
public:
    /// `columns`: for PrecomputedKernel, which training rows stand on the right.
    FeatureSpace(const Kernel &kernel, const Samples &right, std::vector<Index> columns = {});

    [[nodiscard]] const Kernel &kernel() const noexcept { return kernel_; }
    [[nodiscard]] bool is_dense() const noexcept { return dense_; }
    /// Dense panels, but most values are 0: squared distances are |a|^2 + |z|^2 - 2 a.z, and of
    /// a.z only the values of a that are not 0 are added up.
    [[nodiscard]] bool has_sparse_products() const noexcept { return sparse_products_; }
    [[nodiscard]] Index width() const noexcept { return width_; }
    /// Bytes that preparing this many rows takes.
    [[nodiscard]] double bytes(const Samples &samples, Index count) const;
    /// Rows [first, first + count) of `samples`.
    [[nodiscard]] RowSet prepare(const Samples &samples, Index first, Index count) const;
    /// Some rows of a prepared set: to stand on the right, or as a set of their own.
    [[nodiscard]] RightRows right(const RowSet &set, std::span<const Index> rows) const;
    [[nodiscard]] RowSet subset(const RowSet &set, std::span<const Index> rows) const;

private:
    void drop_unused_features(const SparseRows &right);
    /// Whether every feature of these samples has its own index for a place.
    [[nodiscard]] bool keeps_places(const Samples &samples) const;
    void fill_panels(const Samples &samples, Index first, RowSet &out) const;
    [[nodiscard]] Matrix given_values(const Samples &samples, Index first, Index count) const;
    [[nodiscard]] SparseRows compact(const Samples &samples, Index first, Index count) const;
    void measure(const Samples &samples, Index first, RowSet &out) const;

    Kernel kernel_;
    std::vector<Index> columns_; ///< precomputed: right-hand rows
    bool every_feature_ = true;  ///< none dropped: a feature's place is its own index
    std::vector<int> used_;      ///< of sparse rows: the features that are kept, rising
    bool dense_ = true, sparse_products_ = false;
    Index width_ = 0; ///< number of places
};

/// Kernel values beyond this are refused: their squares would not be finite.
inline constexpr double largest_kernel_value = 1e150;

/// out = k(a_i, z_j) for rows [a0, a0 + out.rows) of a and the right-hand rows from z0 on. Throws
/// InvalidInput naming two rows (those of a counted on from `offset`) whose value is not finite, or
/// too large.
void kernel_block(const FeatureSpace &space, const RowSet &a, Index a0, const RightRows &z,
                  Index z0, blas::Block out, Index offset = 0);

/// k(x, x) for every row of a set.
[[nodiscard]] Vector kernel_diagonal(const FeatureSpace &space, const RowSet &rows);

} // namespace hinge0
