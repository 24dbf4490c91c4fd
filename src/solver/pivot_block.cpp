/// Bordering formulas.
#include "solver/pivot_block.hpp"

#include <algorithm>
#include <cmath>

#include "solver/loops/loops.hpp"

namespace hinge0 {
namespace {

/// A Schur complement below this share of what it was taken from is rounding.
constexpr double singular = 1e-10;

} // namespace

Index PivotBlock::find(Index position) const {
    const auto at = std::find(positions_.begin(), positions_.end(), position);
    return at == positions_.end() ? -1 : at - positions_.begin();
}

void PivotBlock::solve(const double *right, double *out) const {
    loops.multiply(inverse_.data(), most, size(), size(), right, out);
}

/// [[B, c], [r', d]]^-1 = [[B^-1 + u v'/s, -u/s], [-v'/s, 1/s]], u = B^-1 c, v' = r' B^-1,
/// s = d - r'u.
bool PivotBlock::add(Index position, const double *column, const Row &row, double least) {
    const Index k = size();
    if (k == most) return false;
    Row c(k), u(k), v(k);
    for (Index i = 0; i < k; ++i) c(i) = column[this->position(i)];
    solve(c.data(), u.data());
    loops.multiply_transposed(inverse_.data(), most, k, k, row.data(), v.data());
    const double d = column[position], taken = row.dot(u), s = d - taken;
    if (!(std::abs(s) > std::max(singular * std::max(std::abs(d), std::abs(taken)), least)))
        return false;
    v /= s;
    loops.add_outer(inverse_.data(), most, k, k, u.data(), v.data());
    inverse_.col(k).head(k) = -u / s;
    inverse_.row(k).head(k) = -v.transpose();
    inverse_(k, k) = 1.0 / s;
    positions_.push_back(position);
    return true;
}

bool PivotBlock::remove(Index k) {
    const Index last = size() - 1;
    const double e = inverse_(k, k);
    const double largest = inverse_.col(k).head(last + 1).cwiseAbs().maxCoeff();
    if (!(std::abs(e) > singular * largest)) return false;
    inverse_.col(k).head(last + 1).swap(inverse_.col(last).head(last + 1));
    inverse_.row(k).head(last + 1).swap(inverse_.row(last).head(last + 1));
    std::swap(positions_[static_cast<std::size_t>(k)], positions_.back());
    const Row b = inverse_.row(last).head(last).transpose() / -e;
    loops.add_outer(inverse_.data(), most, last, last, inverse_.col(last).data(), b.data());
    positions_.pop_back();
    return true;
}

} // namespace hinge0
