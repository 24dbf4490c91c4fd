/// From margins to the hard-margin SVM of those that are large enough.
#include "solver/first_minimum.hpp"

#include "solver/thinning.hpp"

namespace hinge0 {
namespace {

/// The minimum of the kept, but for those that cannot be kept beside the others.
std::shared_ptr<const Minimum> minimum_of(const Vector &y, Flags kept, const ActiveSet &state) {
    auto found = std::make_shared<Minimum>(Minimum{.y = y,
                                                   .kept = std::move(kept),
                                                   .coefficients = Vector::Zero(y.size()),
                                                   .margins = state.margins(),
                                                   .bias = state.bias(),
                                                   .half_norm_squared = state.half_norm_squared(),
                                                   .steps = static_cast<int>(state.steps())});
    if (state.is_constant()) return found;
    const std::vector<Index> &gamma = state.gamma();
    found->coefficients(gamma) = y(gamma).cwiseProduct(state.alpha());
    found->support_vectors = static_cast<Index>(gamma.size());
    return found;
}

} // namespace

std::shared_ptr<const Minimum> FirstMinima::of(const Vector &margins, double least, double thin,
                                               const Vector &y, ColumnCache &columns, int threads,
                                               Watch &watch) {
    Flags kept(static_cast<std::size_t>(margins.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = margins(static_cast<Index>(i)) >= least ? 1 : 0;
    if (auto known = recall(y, kept)) return known;
    ActiveSet state(columns, y, threads);
    // Stopped on the way it is a minimum as well, that of the samples which it keeps by then.
    watch.allow_a_moment();
    const auto go_on = [&](const ActiveSet &, double) { return !watch.stopped_for_good(); };
    Flags now = kept;
    const bool solved =
        state.solve(now, go_on) && thin_out(state, now, thin, go_on) && state.polish(now, watch);
    auto found = minimum_of(y, std::move(kept), state);
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
