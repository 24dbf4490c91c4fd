/// Sigmoid and isotonic regression.
#include "model/calibration.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "core/all_rows.hpp"
#include "model/votes.hpp"

namespace hinge0 {
namespace {

double weight_of(const Vector &weight, Index i) { return weight.size() > 0 ? weight(i) : 1.0; }

/// The negative log-likelihood of sigmoids, with its derivatives in slope and offset.
class Likelihood {
public:
    Likelihood(const Vector &h, const Vector &signs, const Vector &weight)
        : h_(h), weight_(weight), target_(h.size()) {
        double positive = 0, negative = 0;
        for (Index i = 0; i < h.size(); ++i)
            (signs(i) > 0 ? positive : negative) += weight_of(weight, i);
        for (Index i = 0; i < h.size(); ++i)
            target_(i) = signs(i) > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2);
        constant_ = std::log((negative + 1) / (positive + 1));
    }

    /// The offset of the best constant.
    [[nodiscard]] double constant() const noexcept { return constant_; }
    [[nodiscard]] double value(double slope, double offset) const {
        double sum = 0;
        for (Index i = 0; i < h_.size(); ++i) {
            const double t = slope * h_(i) + offset;
            // log(1 + exp(t)) without overflow
            sum += weight_of(weight_, i) *
                   (target_(i) * t + std::max(-t, 0.0) + std::log1p(std::exp(-std::fabs(t))));
        }
        return sum;
    }
    void derivatives(double slope, double offset, Eigen::Vector2d &gradient,
                     Eigen::Matrix2d &hessian) const {
        gradient.setZero();
        hessian = 1e-12 * Eigen::Matrix2d::Identity(); // never singular
        for (Index i = 0; i < h_.size(); ++i) {
            const double t = slope * h_(i) + offset;
            const double e = std::exp(-std::fabs(t));
            const double p = t >= 0 ? e / (1 + e) : 1 / (1 + e), w = weight_of(weight_, i);
            const Eigen::Vector2d x(h_(i), 1.0);
            gradient += w * (target_(i) - p) * x;
            hessian += w * p * (1 - p) * x * x.transpose();
        }
    }

private:
    const Vector &h_, &weight_;
    Vector target_;
    double constant_;
};

/// A run of equal values in isotonic regression.
struct Block {
    double sum, expected, weight, first, last; ///< of targets, beforehand; of decision values
    [[nodiscard]] double value(double doubt) const {
        return (sum + doubt * expected / weight) / (weight + doubt);
    }
    /// With the block that follows it.
    [[nodiscard]] Block with(const Block &next) const {
        return {sum + next.sum, expected + next.expected, weight + next.weight, first, next.last};
    }
};

} // namespace

Sigmoid fit_sigmoid(const Vector &h, const Vector &signs, const Vector &weight) {
    constexpr int most_steps = 100;
    constexpr double least_step = 1e-10, enough = 1e-5;
    const Likelihood likelihood(h, signs, weight);
    Sigmoid found{.slope = 0, .offset = likelihood.constant()};
    double value = likelihood.value(found.slope, found.offset);
    for (int k = 0; k < most_steps; ++k) {
        Eigen::Vector2d gradient;
        Eigen::Matrix2d hessian;
        likelihood.derivatives(found.slope, found.offset, gradient, hessian);
        if (gradient.cwiseAbs().maxCoeff() < enough) break;
        const Eigen::Vector2d direction = -hessian.inverse() * gradient;
        const double descent = gradient.dot(direction);
        double step = 1;
        for (; step >= least_step; step /= 2) {
            const double slope = found.slope + step * direction(0);
            const double offset = found.offset + step * direction(1);
            const double next = likelihood.value(slope, offset);
            if (next < value + 1e-4 * step * descent) {
                found = {slope, offset};
                value = next;
                break;
            }
        }
        if (step < least_step) break;
    }
    if (found.slope > 0) found = {.slope = 0, .offset = likelihood.constant()};
    return found;
}

Isotonic fit_isotonic(const Vector &h, const Vector &signs, const Vector &weight,
                      const Vector &expected, double doubt) {
    std::vector<Index> order = all_rows(h.size());
    std::ranges::stable_sort(order, [&](Index a, Index b) { return h(a) < h(b); });
    std::vector<Block> blocks;
    for (const Index i : order) {
        const double w = weight_of(weight, i);
        if (w == 0) continue;
        const Block one{signs(i) > 0 ? w : 0.0, w * expected(i), w, h(i), h(i)};
        const bool same = !blocks.empty() && blocks.back().last == h(i);
        if (same)
            blocks.back() = blocks.back().with(one);
        else
            blocks.push_back(one);
        while (blocks.size() > 1 &&
               blocks[blocks.size() - 2].value(doubt) >= blocks.back().value(doubt)) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back() = blocks.back().with(last);
        }
    }
    std::vector<double> at, value;
    for (const Block &step : blocks) {
        at.push_back(step.first);
        value.push_back(step.value(doubt));
        if (step.last > step.first) {
            at.push_back(step.last);
            value.push_back(step.value(doubt));
        }
    }
    const auto count = std::ssize(at);
    return {.at = Eigen::Map<const Vector>(at.data(), count),
            .value = Eigen::Map<const Vector>(value.data(), count)};
}

Isotonic mean_of(const std::vector<Isotonic> &functions) {
    std::vector<double> points;
    for (const Isotonic &function : functions)
        points.insert(points.end(), function.at.begin(), function.at.end());
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    const auto count = std::ssize(points);
    Isotonic mean{.at = Eigen::Map<const Vector>(points.data(), count),
                  .value = Vector::Zero(count)};
    for (Index k = 0; k < count; ++k) {
        for (const Isotonic &function : functions) mean.value(k) += value_at(function, mean.at(k));
        mean.value(k) = std::min(1.0, mean.value(k) / static_cast<double>(functions.size()));
        if (k > 0) mean.value(k) = std::max(mean.value(k), mean.value(k - 1)); // but for rounding
    }
    return mean;
}

} // namespace hinge0
