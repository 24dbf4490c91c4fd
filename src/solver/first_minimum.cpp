/// From margins to the hard-margin SVM of those that are large enough.
#include "solver/first_minimum.hpp"

#include "solver/active_set.hpp"
#include "solver/near_rows.hpp"

namespace hinge0 {
namespace {

/// The hard-margin SVM of the kept, but for those that cannot be kept beside the others. Stopped on
/// the way it is one as well, that of the samples which it keeps by then.
HardMargin hard_margin(ColumnCache &columns, const Vector &y, Flags kept, int threads,
                       Watch &watch) {
    ActiveSet state(columns, y, threads);
    const auto go_on = [&](const ActiveSet &, double) { return !watch.stopped(); };
    HardMargin found;
    found.solved = state.solve(kept, go_on) && state.polish(kept, watch);
    found.margins = state.margins();
    found.bias = state.bias();
    found.half_norm_squared = state.half_norm_squared();
    found.steps = state.steps();
    if (state.is_constant()) return found;
    found.gamma = state.gamma();
    found.alpha = state.alpha();
    return found;
}

std::shared_ptr<const Minimum> minimum_of(const Vector &y, Flags kept, HardMargin found) {
    Vector coefficients = Vector::Zero(y.size());
    for (std::size_t p = 0; p < found.gamma.size(); ++p)
        coefficients(found.gamma[p]) = y(found.gamma[p]) * found.alpha(static_cast<Index>(p));
    return std::make_shared<const Minimum>(
        Minimum{.y = y,
                .kept = std::move(kept),
                .coefficients = std::move(coefficients),
                .margins = std::move(found.margins),
                .bias = found.bias,
                .half_norm_squared = found.half_norm_squared,
                .support_vectors = static_cast<Index>(found.gamma.size()),
                .steps = static_cast<int>(found.steps)});
}

} // namespace

std::shared_ptr<const Minimum> FirstMinima::of(const Vector &margins, double least, const Vector &y,
                                               ColumnCache &columns, Index working_set, int threads,
                                               Watch &watch) {
    Flags kept(static_cast<std::size_t>(margins.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = margins(static_cast<Index>(i)) >= least ? 1 : 0;
    if (auto known = recall(y, kept)) return known;
    HardMargin solution = working_set == 0 ? hard_margin(columns, y, kept, threads, watch)
                                           : hard_margin_of_many(columns, y, kept, margins,
                                                                 working_set, threads, watch);
    const bool solved = solution.solved;
    auto found = minimum_of(y, std::move(kept), std::move(solution));
    if (solved) {
        const std::lock_guard lock(mutex_);
        last_ = found;
    }
    return found;
}

std::shared_ptr<const Minimum> FirstMinima::recall(const Vector &y, const Flags &kept) {
    const std::lock_guard lock(mutex_);
    return last_ && last_->kept == kept && last_->y == y ? last_ : nullptr;
}

} // namespace hinge0
