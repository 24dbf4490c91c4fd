#pragma once
/// The oracle for tiny problems: F over all kept sets, each hard-margin problem solved by trying
/// all active sets. Exponential, for m <= 14; shares nothing with the solvers.
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0::test {

/// min over c, b of c'Kc/2 + C #{i : y_i h_i < 1}, constant classifiers included. A hard-margin
/// solution is fixed by its support: alpha = solution of the bordered system, alpha > 0. So every
/// support set gives at most one candidate classifier, and F counts who violates it.
inline double brute_force(const Matrix &K, const Vector &y, double C) {
    const auto m = static_cast<unsigned>(y.size());
    const auto positives = static_cast<double>((y.array() > 0).count());
    double best = C * std::min(positives, static_cast<double>(m) - positives);
    for (unsigned mask = 1; mask < (1U << m); ++mask) {
        std::vector<Index> set;
        for (unsigned i = 0; i < m; ++i)
            if ((mask >> i & 1U) != 0) set.push_back(static_cast<Index>(i));
        const auto n = static_cast<Index>(set.size());
        if (n < 2) continue;
        Matrix M = Matrix::Zero(n + 1, n + 1);
        const Vector sign = y(set);
        if (sign.maxCoeff() == sign.minCoeff()) continue;
        M.topLeftCorner(n, n) = (K(set, set).array() * (sign * sign.transpose()).array()).matrix();
        M.block(0, n, n, 1) = sign;
        M.block(n, 0, 1, n) = sign.transpose();
        Vector rhs = Vector::Ones(n + 1);
        rhs(n) = 0;
        const Vector x = M.partialPivLu().solve(rhs);
        if (!x.allFinite() || x.head(n).minCoeff() <= 0) continue;
        const double half_norm = 0.5 * x.head(n).sum();
        if (half_norm >= best) continue;
        const Vector h = (K(Eigen::all, set) * sign.cwiseProduct(x.head(n))).array() + x(n);
        const auto violated = (y.array() * h.array() < 1 - 1e-7).count();
        best = std::min(best, half_norm + C * static_cast<double>(violated));
    }
    return best;
}

} // namespace hinge0::test
