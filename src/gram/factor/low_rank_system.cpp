/// Pivots are taken several at a time, so that most of the work is matrix products.
#include "gram/factor/low_rank_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/all_rows.hpp"
#include "core/parallel.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// Pivots that are looked at together, and the share of the largest that one must have left.
constexpr Index together = 64;
constexpr double near_the_largest = 0.25;
constexpr Index most_columns = 4096;
/// Rows that a thread takes at a time.
constexpr Index piece = 2048;

Index pieces(Index rows) { return (rows + piece - 1) / piece; }

/// Columns of G that there may be where so many bytes are free: the other half is for products.
Index columns_that_fit(Index rows, double free_bytes) {
    const double fit = 0.4 * free_bytes / (8.0 * static_cast<double>(rows));
    return std::clamp<Index>(static_cast<Index>(std::min(fit, 1e9)), std::min(rows, together),
                             std::min(rows, most_columns));
}

double bytes_of_columns(Index rows, Index columns) {
    return 8.0 * static_cast<double>(rows) * static_cast<double>(columns + 2 * together);
}

} // namespace

double LowRankSystem::bytes(Index rows, double free_bytes) {
    return bytes_of_columns(rows, columns_that_fit(rows, free_bytes));
}

LowRankSystem::LowRankSystem(const Gram &gram, double shift, double error, int threads,
                             MemoryBudget &memory, Watch &watch)
    : rows_(gram.size()), shift_(shift), threads_(threads),
      most_(columns_that_fit(rows_, memory.left())),
      held_(memory, bytes_of_columns(rows_, most_),
            fmt::format("columns of the kernel matrix of {} rows", rows_)),
      left_(gram.diagonal()) {
    const auto begin = std::chrono::steady_clock::now();
    const double enough = error * left_.maxCoeff();
    while (rank_ < most_ && left_.maxCoeff() > enough) {
        if (watch.stopped(Progress::Stage::gram,
                          static_cast<double>(rank_) / static_cast<double>(most_)))
            throw Interrupted("interrupted while computing the kernel matrix");
        Matrix factor;
        const std::vector<Index> pivots = next_pivots(gram, factor);
        add(gram, pivots, factor);
    }
    error_ = left_.maxCoeff();
    kernel_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    prepare_solve();
}

/// Of the rows with most left, those that are not said by the others; `factor`: the Cholesky factor
/// of what is left of K between them.
std::vector<Index> LowRankSystem::next_pivots(const Gram &gram, Matrix &factor) const {
    std::vector<Index> rows = all_rows(rows_);
    const auto count = std::min({together, rows_, most_ - rank_});
    std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [&](Index a, Index b) {
        return left_(a) != left_(b) ? left_(a) > left_(b) : a < b;
    });
    rows.resize(static_cast<std::size_t>(count));
    Matrix left(count, count);
    gram.block(rows, rows, 1, left.data());
    for (const Block &block : blocks_) {
        const Matrix here = block.values(rows, Eigen::all);
        left.noalias() -= here * here.transpose();
    }
    const double least = near_the_largest * left_.maxCoeff();
    std::vector<Index> taken, places;
    factor = Matrix::Zero(count, count);
    for (Index k = 0; k < count; ++k) { // in the order of what was left at first
        const auto width = static_cast<Index>(taken.size());
        // row k of the factor, up to its diagonal
        for (Index j = 0; j < width; ++j) {
            const Index at = places[static_cast<std::size_t>(j)];
            const double sum = factor.row(width).head(j).dot(factor.row(j).head(j));
            factor(width, j) = (left(k, at) - sum) / factor(j, j);
        }
        const double pivot = left(k, k) - factor.row(width).head(width).squaredNorm();
        if (k > 0 && pivot < least) continue; // its row of the factor is written over
        factor(width, width) = std::sqrt(std::max(pivot, 1e-300));
        taken.push_back(rows[static_cast<std::size_t>(k)]);
        places.push_back(k);
    }
    const auto width = static_cast<Index>(taken.size());
    factor = factor.topLeftCorner(width, width).eval();
    return taken;
}

/// G grows by (K(:, pivots) - G G(pivots, :)') L^-T.
void LowRankSystem::add(const Gram &gram, const std::vector<Index> &pivots, const Matrix &factor) {
    const auto width = static_cast<Index>(pivots.size());
    const std::vector<Index> all = all_rows(rows_);
    Block fresh{rank_, Matrix(rows_, width)};
    gram.block(all, pivots, threads_, fresh.values.data());
    std::vector<Matrix> at_pivots;
    for (const Block &block : blocks_)
        at_pivots.emplace_back(block.values(pivots, Eigen::all).transpose());
    for_each_tile(pieces(rows_), threads_, [&] {
        return [&](Index t) {
            const Index first = t * piece, count = std::min(piece, rows_ - first);
            auto here = fresh.values.middleRows(first, count);
            for (std::size_t b = 0; b < blocks_.size(); ++b)
                here.noalias() -= blocks_[b].values.middleRows(first, count) * at_pivots[b];
            factor.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(here);
            left_.segment(first, count) -= here.rowwise().squaredNorm();
        };
    });
    left_ = left_.cwiseMax(0.0);
    for (const Index pivot : pivots) left_(pivot) = 0;
    blocks_.push_back(std::move(fresh));
    rank_ += width;
}

void LowRankSystem::prepare_solve() {
    Matrix products = Matrix::Zero(rank_, rank_);
    const auto count = static_cast<Index>(blocks_.size());
    for_each_tile(count * count, threads_, [&] {
        return [&](Index pair) {
            const Block &a = blocks_[static_cast<std::size_t>(pair / count)];
            const Block &z = blocks_[static_cast<std::size_t>(pair % count)];
            if (a.first < z.first) return; // the lower half is enough
            products.block(a.first, z.first, a.values.cols(), z.values.cols()).noalias() =
                a.values.transpose() * z.values;
        };
    });
    products.diagonal().array() += shift_;
    small_.compute(products);
    if (small_.info() != Eigen::Success)
        throw NumericalError("the kernel matrix is too ill-conditioned to be factored; scale the "
                             "data (--standardize), or use a smaller sigma");
    partial_.resize(rank_, pieces(rows_));
    weights_.resize(rank_);
}

/// By Woodbury's identity: (rhs - G (shift I + G'G)^-1 G' rhs) / shift.
bool LowRankSystem::solve(const ConstVectorRef &rhs, VectorRef out, Watch &watch) {
    for_each_tile(pieces(rows_), threads_, [&] {
        return [&](Index t) {
            const Index first = t * piece, count = std::min(piece, rows_ - first);
            for (const Block &block : blocks_)
                partial_.col(t).segment(block.first, block.values.cols()).noalias() =
                    block.values.middleRows(first, count).transpose() * rhs.segment(first, count);
        };
    });
    weights_ = partial_.col(0);
    for (Index t = 1; t < partial_.cols(); ++t) weights_ += partial_.col(t);
    small_.solveInPlace(weights_);
    for_each_tile(pieces(rows_), threads_, [&] {
        return [&](Index t) {
            const Index first = t * piece, count = std::min(piece, rows_ - first);
            auto here = out.segment(first, count);
            here = rhs.segment(first, count);
            for (const Block &block : blocks_)
                here.noalias() -= block.values.middleRows(first, count) *
                                  weights_.segment(block.first, block.values.cols());
            here /= shift_;
        };
    });
    return !watch.stopped(Progress::Stage::iterate);
}

std::string LowRankSystem::note() const {
    return fmt::format("Algorithm 1 worked with a kernel matrix of rank {}; its largest error is "
                       "{:.1e}",
                       rank_, error_);
}

} // namespace hinge0
