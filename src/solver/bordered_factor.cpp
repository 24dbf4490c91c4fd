/// Cholesky factor with rows appended and taken out, and the border eliminated.
#include "solver/bordered_factor.hpp"

#include <algorithm>
#include <cmath>

#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr Index large = 512; ///< members, above which a blocked inverse is quicker

} // namespace

BorderedFactor &BorderedFactor::operator=(const BorderedFactor &other) {
    if (this == &other) return *this;
    size_ = other.size_;
    if (factor_.rows() < size_ + 8) {
        factor_.resize(size_ + 8, size_ + 8);
        reduced_y_.resize(size_ + 8);
    }
    for (Index j = 0; j < size_; ++j)
        factor_.col(j).segment(j, size_ - j) = other.factor_.col(j).segment(j, size_ - j);
    reduced_y_.head(size_) = other.reduced_y_.head(size_);
    return *this;
}

void BorderedFactor::reserve(Index size) {
    if (factor_.rows() >= size) return;
    // A first block is all that many fits need; what grows on doubles.
    const Index larger = std::max<Index>(size_ == 0 ? size + 8 : 2 * size, 32);
    factor_.conservativeResize(larger, larger);
    reduced_y_.conservativeResize(larger);
}

void BorderedFactor::solve(const double *q, double sign, Solution &out) const {
    out.half = Eigen::Map<const Vector>(q, size_);
    loops.solve_lower(factor_.data(), factor_.rows(), size_, out.half.data());
    const auto v = reduced_y_.head(size_);
    out.beta = size_ > 0 ? (v.dot(out.half) - sign) / v.squaredNorm() : 0.0;
    out.x = out.half - out.beta * v;
    loops.solve_lower_transposed(factor_.data(), factor_.rows(), size_, out.x.data());
}

bool BorderedFactor::append(const Solution &column, double own, double sign) {
    const double pivot = own - column.half.head(size_).squaredNorm();
    if (!(pivot > 1e-14 * own)) return false;
    reserve(size_ + 1);
    const double root = std::sqrt(pivot);
    factor_.row(size_).head(size_) = column.half.head(size_).transpose();
    factor_(size_, size_) = root;
    reduced_y_(size_) = (sign - reduced_y_.head(size_).dot(column.half.head(size_))) / root;
    ++size_;
    return true;
}

/// (M^-1)_kk = |L^-1 e_k|^2 - (v' L^-1 e_k)^2 / v'v
void BorderedFactor::inverse_diagonal(Vector &out) const {
    const auto v = reduced_y_.head(size_);
    const double scale = 1.0 / v.squaredNorm();
    out.resize(size_);
    Matrix inverse; // of L, where it is large: from the library
    Vector column(size_);
    if (size_ > large) {
        inverse = factor_.topLeftCorner(size_, size_);
        blas::invert_lower({inverse.data(), size_, size_, size_});
    }
    for (Index k = 0; k < size_; ++k) {
        const Index rest = size_ - k; // above the diagonal it is 0
        if (size_ > large) {
            column.head(rest) = inverse.col(k).tail(rest);
        } else {
            column.head(rest).setZero();
            column(0) = 1.0;
            loops.solve_lower(&factor_(k, k), factor_.rows(), rest, column.data());
        }
        const double z = column.head(rest).dot(v.tail(rest));
        out(k) = column.head(rest).squaredNorm() - scale * z * z;
    }
}

blas::Block BorderedFactor::rows_to_append(Index more) {
    reserve(size_ + more);
    return {factor_.data() + size_, more, size_ + more, factor_.rows()};
}

/// [[L, 0], [H', R]] with H = L^-1 q and R the factor of what they are among each other, less H'H.
bool BorderedFactor::append_rows(const Vector &signs, double least) {
    const Index more = signs.size(), stride = factor_.rows();
    const blas::Block half{factor_.data() + size_, more, size_, stride};
    const blas::Block corner{half.data + size_ * stride, more, more, stride};
    const Vector own = factor_.diagonal().segment(size_, more);
    if (size_ > 0) {
        blas::solve_right_transposed(lower(), half);
        blas::subtract_own_product({half.data, more, size_, stride}, corner);
    }
    if (!blas::factor_cholesky(corner)) return false;
    const auto roots = factor_.diagonal().segment(size_, more);
    if (!(roots.array().square() > least * own.array()).all()) return false;
    auto y = reduced_y_.segment(size_, more);
    y = signs;
    y.noalias() -= factor_.block(size_, 0, more, size_) * reduced_y_.head(size_);
    loops.solve_lower(corner.data, stride, more, y.data());
    size_ += more;
    return true;
}

double BorderedFactor::border(Vector &out) const {
    out = reduced_y_.head(size_);
    const double scale = 1.0 / out.squaredNorm();
    out *= scale;
    loops.solve_lower_transposed(factor_.data(), factor_.rows(), size_, out.data());
    return -scale;
}

/// M^-1 e_p = L^-T (L^-1 e_p - v (v' L^-1 e_p) / v'v)
void BorderedFactor::inverse(blas::Block out, Index first) const {
    const auto v = reduced_y_.head(size_);
    for (Index k = 0; k < out.cols; ++k) {
        Eigen::Map<Vector> column(out.data + k * out.stride, size_);
        column.setZero();
        column(first + k) = 1.0;
    }
    blas::solve_left(lower(), out);
    for (Index k = 0; k < out.cols; ++k) {
        Eigen::Map<Vector> column(out.data + k * out.stride, size_);
        column -= (v.dot(column) / v.squaredNorm()) * v;
    }
    blas::solve_left_transposed(lower(), out);
}

void BorderedFactor::schur(Matrix &q, const Vector &signs, const Vector &own, Vector &out) const {
    if (q.cols() > 0) blas::solve_left(lower(), {q.data(), q.rows(), q.cols(), q.rows()});
    const auto v = reduced_y_.head(size_);
    out = own - q.colwise().squaredNorm().transpose();
    out += (q.transpose() * v - signs).cwiseAbs2() / v.squaredNorm();
}

void BorderedFactor::remove(Index k) {
    for (Index j = 0; j < size_; ++j) { // rows below k move up; they now reach past the diagonal
        const Index first = std::max(k, j - 1), count = size_ - 1 - first;
        auto column = factor_.col(j);
        for (Index i = first; i < first + count; ++i) column(i) = column(i + 1);
    }
    --size_;
    for (Index i = k; i < size_; ++i) { // rotate columns i, i + 1 to clear entry (i, i + 1)
        const double a = factor_(i, i), b = factor_(i, i + 1), r = std::sqrt(a * a + b * b);
        const double c = a / r, s = b / r;
        loops.rotate(&factor_(i, i), &factor_(i, i + 1), size_ - i, c, s);
        loops.rotate(&reduced_y_(i), &reduced_y_(i + 1), 1, c, s);
    }
}

} // namespace hinge0
