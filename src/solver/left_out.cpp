/// One Cholesky factor of the free support vectors gives all distances.
#include "solver/left_out.hpp"

#include <algorithm>

#include "core/blas.hpp"

namespace hinge0 {
namespace {

/// Free support vectors that are spanned by; of more, some of them do. So many are only there where
/// wrong labels are learned by heart: all of them took three times as long, and left more of these.
constexpr Index most_spanning = 768;
/// Rows whose distances are found at a time.
constexpr std::size_t rows_at_a_time = 256;
/// Of the largest k(x, x), added to the diagonal, so that dependent rows can be factored.
constexpr double ridge_share = 1e-6;

/// Support vectors between their bounds, at most so many, and all others.
struct Support {
    std::vector<Index> spanning, others;
};

Support support_of(const Vector &alpha, const Vector &prices) {
    std::vector<Index> free;
    Support support;
    for (Index i = 0; i < alpha.size(); ++i) {
        if (alpha(i) > 0 && alpha(i) < prices(i)) free.push_back(i);
        if (alpha(i) > 0 && alpha(i) >= prices(i)) support.others.push_back(i);
    }
    const Index step = std::ssize(free) / most_spanning + 1;
    for (std::size_t k = 0; k < free.size(); ++k)
        (static_cast<Index>(k) % step == 0 ? support.spanning : support.others).push_back(free[k]);
    return support;
}

/// Of the largest k(x, x): what stands for the bias, large enough to cost next to nothing.
constexpr double bias_share = 1e3;

/// Kernel values with a constant, which stands for the bias.
class Values {
public:
    Values(ColumnCache &columns, const std::vector<Index> &spanning)
        : columns_(columns), spanning_(spanning), largest_(columns.gram().diagonal().maxCoeff()) {}

    [[nodiscard]] double largest() const noexcept { return largest_; }
    [[nodiscard]] double constant() const noexcept { return bias_share * largest_; }
    /// Of the spanning rows, in their order, with these.
    void gather(std::span<const Index> rows, Matrix &out) const {
        out.resize(std::ssize(spanning_), std::ssize(rows));
        for (std::size_t p = 0; p < spanning_.size(); ++p) {
            const Column column = columns_.column(spanning_[p]);
            for (std::size_t k = 0; k < rows.size(); ++k)
                out(static_cast<Index>(p), static_cast<Index>(k)) = column[rows[k]] + constant();
        }
    }

private:
    ColumnCache &columns_;
    const std::vector<Index> &spanning_;
    double largest_; ///< k(x, x)
};

} // namespace

Vector left_out_margins(ColumnCache &columns, const HingePoint &point, const Vector &prices) {
    const auto [spanning, others] = support_of(point.alpha, prices);
    const Vector &own = columns.gram().diagonal();
    Vector distances = own;
    const Values values(columns, spanning);
    Matrix factor, block;
    values.gather(spanning, factor);
    const double ridge = ridge_share * values.largest();
    factor.diagonal().array() += ridge;
    if (!spanning.empty() && blas::factor_cholesky(blas::block_of(factor))) {
        for (std::size_t first = 0; first < others.size(); first += rows_at_a_time) {
            const std::span<const Index> rows =
                std::span(others).subspan(first, std::min(rows_at_a_time, others.size() - first));
            values.gather(rows, block);
            blas::solve_left(blas::block_of(factor), blas::block_of(block));
            for (std::size_t k = 0; k < rows.size(); ++k)
                distances(rows[k]) = own(rows[k]) + values.constant() -
                                     block.col(static_cast<Index>(k)).squaredNorm();
        }
        blas::invert_lower(blas::block_of(factor)); // A^-1 = L^-T L^-1
        for (Index p = 0; p < factor.cols(); ++p)
            distances(spanning[static_cast<std::size_t>(p)]) =
                1.0 / factor.col(p).tail(factor.rows() - p).squaredNorm() - ridge;
    }
    return point.margins - point.alpha.cwiseProduct(distances.cwiseMax(0.0).cwiseMin(own));
}

} // namespace hinge0
