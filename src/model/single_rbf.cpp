/// Single precision with its error bound.
///
/// With u = 2^-24, rows rounded to x(1 + e), |e| <= u, and t = gamma |x - z|^2 of d features:
///     |error of t| <= u ((d + 3) t + 2 sqrt(gamma t) (|x| + |z|)),
/// and as 2 sqrt(t) <= 1 + t, that of a term c exp(-t) is at most
///     u |c| exp(-t) (1 + t) (d + 3 + sqrt(gamma) (|x| + |z|)),
/// to first order. Sums of `terms_at_once` terms in single precision add that many u.
#include "model/single_rbf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gram/loops/loops.hpp"

namespace hinge0 {
namespace {

constexpr Index terms_at_once = 64;
constexpr double unit = 0x1p-24;
constexpr double second_order = 1.5; ///< makes up for what the first order leaves out
constexpr double largest = 1e15;     ///< of a row: its square must be a single
constexpr double largest_relative = 1e-3;
constexpr double smallest = 2e-38; ///< exp(-87), below which terms are not told apart

Index whole_panels(Index rows) {
    return (rows + single_panel_rows - 1) / single_panel_rows * single_panel_rows;
}

} // namespace

SingleRbf::SingleRbf(const Model &model, const FeatureSpace &space, const RightRows &support)
    : width_(space.width()), bias_(model.bias) {
    const auto *const rbf = std::get_if<RbfKernel>(&model.kernel);
    if (rbf == nullptr || !space.is_dense() || support.count() == 0) return;
    const Eigen::Map<const DenseRows> z(support.dense.data(), support.count(), width_);
    gamma_ = rbf->gamma;
    centre_ = z.colwise().mean();
    const DenseRows moved = z.rowwise() - centre_.transpose();
    // The second part: moving rows to the centre is rounded too, in double precision.
    farthest_ = moved.rowwise().norm().maxCoeff() + 0x1p-26 * centre_.norm();
    total_ = model.coefficients.cwiseAbs().sum();
    usable_ = farthest_ < largest && total_ < largest && gamma_ > 1 / largest && gamma_ < largest;
    if (!usable_) return;
    support_.assign(moved.data(), moved.data() + moved.size());
    weight_.assign(model.coefficients.begin(), model.coefficients.end());
}

void SingleRbf::fill(const RowSet &rows, std::vector<float> &panels, VectorRef squares) const {
    panels.assign(static_cast<std::size_t>(whole_panels(rows.count) * width_), 0.0F);
    squares.setZero();
    for (Index first = 0; first < rows.count; first += panel_rows) {
        const double *from = rows.panels.data() + first * width_;
        float *to = panels.data() + first / single_panel_rows * single_panel_rows * width_ +
                    first % single_panel_rows;
        const Index count = std::min(panel_rows, rows.count - first);
        for (Index f = 0; f < width_; ++f, from += panel_rows, to += single_panel_rows)
            for (Index r = 0; r < count; ++r) {
                const double value = from[r] - centre_(f);
                to[r] = static_cast<float>(value);
                squares(first + r) += value * value;
            }
    }
}

void SingleRbf::estimate(const RowSet &rows, Scratch &scratch, VectorRef h, VectorRef error) const {
    fill(rows, scratch.panels, error);
    const Index whole = whole_panels(rows.count);
    Vector scale = Vector::Zero(rows.count);
    h.setZero();
    for (std::size_t j = 0; j < weight_.size(); j += terms_at_once) {
        scratch.value.assign(static_cast<std::size_t>(whole), 0.0F);
        scratch.scale.assign(static_cast<std::size_t>(whole), 0.0F);
        const auto count = std::min<Index>(terms_at_once, static_cast<Index>(weight_.size() - j));
        const SingleTerms terms{support_.data() + static_cast<Index>(j) * width_,
                                weight_.data() + j, count, width_, static_cast<float>(gamma_)};
        add_rbf_terms(scratch.panels.data(), whole, terms, scratch.value.data(),
                      scratch.scale.data());
        using Singles = Eigen::Map<const Eigen::VectorXf>;
        h += Singles(scratch.value.data(), rows.count).cast<double>();
        scale += Singles(scratch.scale.data(), rows.count).cast<double>();
    }
    const auto fixed = static_cast<double>(std::max(width_ + 3, terms_at_once + 10));
    for (Index i = 0; i < rows.count; ++i) {
        const double size = std::sqrt(error(i)), outside = std::exp(-gamma_ * rows.outside(i));
        const double relative = unit * (fixed + std::sqrt(gamma_) * (size + farthest_));
        const bool is_bounded = size < largest && relative < largest_relative;
        h(i) = bias_ + outside * h(i);
        error(i) = is_bounded ? second_order * relative * outside * scale(i) + smallest * total_ +
                                    0x1p-40 * std::fabs(bias_)
                              : std::numeric_limits<double>::infinity();
    }
}

} // namespace hinge0
