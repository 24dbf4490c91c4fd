/// Cholesky factor with rows appended and taken out, and the border eliminated.
#include "solver/bordered_factor.hpp"

#include <cmath>

namespace hinge0 {

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
    const Index larger = std::max<Index>(2 * size, 32);
    factor_.conservativeResize(larger, larger);
    reduced_y_.conservativeResize(larger);
}

void BorderedFactor::solve(const double *q, double sign, Solution &out) const {
    out.half = Eigen::Map<const Vector>(q, size_);
    blas::solve_lower(lower(), out.half.data());
    const auto v = reduced_y_.head(size_);
    out.beta = size_ > 0 ? (v.dot(out.half) - sign) / v.squaredNorm() : 0.0;
    out.x = out.half - out.beta * v;
    blas::solve_lower_transpose(lower(), out.x.data());
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

void BorderedFactor::inverse_diagonal(Vector &out) const {
    Matrix inverse = factor_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>();
    blas::invert_lower({inverse.data(), size_, size_, size_});
    const auto v = reduced_y_.head(size_);
    const Vector z = inverse.transpose() * v; // Q^-1 y
    out = inverse.colwise().squaredNorm().transpose();
    out -= z.cwiseAbs2() / v.squaredNorm();
}

void BorderedFactor::solve_all(Matrix &q, const Vector &signs, Vector &out) const {
    const blas::Block block{q.data(), q.rows(), q.cols(), q.rows()};
    blas::solve_left(lower(), block);
    const auto v = reduced_y_.head(size_);
    out = (q.transpose() * v - signs) / v.squaredNorm();
    q.noalias() -= v * out.transpose();
    blas::solve_left_transposed(lower(), block);
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
        const Index below = size_ - i;
        auto left = factor_.col(i).segment(i, below), right = factor_.col(i + 1).segment(i, below);
        const Vector old = left;
        left = c * old + s * right;
        right = c * right - s * old;
        const double v = reduced_y_(i), w = reduced_y_(i + 1);
        reduced_y_(i) = c * v + s * w;
        reduced_y_(i + 1) = c * w - s * v;
    }
}

} // namespace hinge0
