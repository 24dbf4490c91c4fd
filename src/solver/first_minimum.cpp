/// From margins to the hard-margin SVM of those that are large enough.
#include "solver/first_minimum.hpp"

#include "solver/active_set.hpp"

namespace hinge0 {
namespace {

Minimum minimum_of(const ActiveSet &state, const Vector &y, Flags kept) {
    Minimum found{.y = y,
                  .kept = std::move(kept),
                  .coefficients = Vector::Zero(y.size()),
                  .margins = state.margins(),
                  .bias = state.bias(),
                  .half_norm_squared = state.half_norm_squared(),
                  .support_vectors = 0,
                  .steps = static_cast<int>(state.steps())};
    if (state.is_constant()) return found;
    found.support_vectors = static_cast<Index>(state.gamma().size());
    for (std::size_t p = 0; p < state.gamma().size(); ++p) {
        const Index i = state.gamma()[p];
        found.coefficients(i) = y(i) * state.alpha()(static_cast<Index>(p));
    }
    return found;
}

} // namespace

std::shared_ptr<const Minimum> FirstMinima::of(const Vector &margins, double least, const Vector &y,
                                               ColumnCache &columns, int threads, Watch &watch) {
    Flags kept(static_cast<std::size_t>(margins.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = margins(static_cast<Index>(i)) >= least ? 1 : 0;
    if (auto known = recall(y, kept)) return known;
    ActiveSet state(columns, y, threads);
    Flags possible = kept; // all but those that cannot be kept beside the others
    const auto go_on = [&](const ActiveSet &, double) { return !watch.stopped(); };
    // Stopped on the way it is a minimum as well, that of the samples which it keeps by then.
    const bool solved = state.solve(possible, go_on) && state.polish(possible, watch);
    auto found = std::make_shared<const Minimum>(minimum_of(state, y, std::move(kept)));
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
