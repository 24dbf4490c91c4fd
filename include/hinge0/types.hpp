#pragma once
/// Scalar, index and matrix names used everywhere else. double only, on purpose: a back end that
/// wants float converts behind its own door.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <variant>

namespace hinge0 {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;

/// One sample per row, row-major: a NumPy C-order array maps without a copy.
using DenseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Compressed sparse rows with 32-bit indices, always kept compressed and with rising indices.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Samples = std::variant<DenseRows, SparseRows>;

[[nodiscard]] inline Index row_count(const Samples &samples) {
    return std::visit([](const auto &rows) { return Index{rows.rows()}; }, samples);
}
[[nodiscard]] inline Index feature_count(const Samples &samples) {
    return std::visit([](const auto &rows) { return Index{rows.cols()}; }, samples);
}

} // namespace hinge0
