/// One-sample moves; the two predictions are those of DESIGN fact 5.
#include "solver/search.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "hinge0/report.hpp"

namespace hinge0 {

Search::Search(ActiveSet state, const Vector &prices) : state_(std::move(state)), prices_(prices) {
    adopt(state_);
}
void Search::set(ActiveSet s) { adopt(std::move(s)); }

double Search::value(const ActiveSet &state) const {
    double sum = state.half_norm_squared();
    for (Index i = 0; i < prices_.size(); ++i)
        if (state.margins()(i) < 1.0 - deficit_tolerance) sum += prices_(i);
    return sum;
}

void Search::adopt(ActiveSet state) {
    state_ = std::move(state);
    objective_ = value(state_);
    kept_.assign(static_cast<std::size_t>(prices_.size()), 0);
    for (Index i = 0; i < prices_.size(); ++i)
        if (state_.margins()(i) >= 1.0 - deficit_tolerance) kept_[static_cast<std::size_t>(i)] = 1;
}

std::vector<Search::Move> Search::candidates() const {
    std::vector<Move> moves;
    const auto &gamma = state_.gamma();
    const auto n = static_cast<Index>(gamma.size());
    Vector diagonal;
    state_.factor().inverse_diagonal(diagonal);
    for (Index p = 0; p < n; ++p) {
        const Index i = gamma[static_cast<std::size_t>(p)];
        const double a = state_.alpha()(p);
        moves.push_back({prices_(i) - a * a / (2 * diagonal(p)), i, true});
    }
    std::vector<Index> violators;
    for (Index i = 0; i < prices_.size(); ++i)
        if (kept_[static_cast<std::size_t>(i)] == 0) violators.push_back(i);
    Vector schur;
    state_.schur(violators, schur);
    for (std::size_t k = 0; k < violators.size(); ++k) {
        const Index j = violators[k];
        const double u = 1.0 - state_.margins()(j), s = schur(static_cast<Index>(k));
        moves.push_back({s > 0 ? u * u / (2 * s) - prices_(j) : HUGE_VAL, j, false});
    }
    std::sort(moves.begin(), moves.end(), [](const Move &a, const Move &b) {
        return a.predicted != b.predicted ? a.predicted < b.predicted : a.sample < b.sample;
    });
    return moves;
}

bool Search::attempt(const Move &move) {
    ActiveSet trial = state_;
    std::vector<char> kept = kept_;
    kept[static_cast<std::size_t>(move.sample)] = move.drop ? 0 : 1;
    const double bound = objective_;
    if (!trial.solve(kept, bound)) return false;
    if (trial.gamma().empty() || value(trial) >= objective_ - 1e-9 * (1 + objective_)) return false;
    adopt(std::move(trial));
    return true;
}

SearchResult Search::run(const SearchLimits &limits) {
    SearchResult result;
    bool improved = true;
    while (improved && result.moves < limits.moves) {
        improved = false;
        for (const Move &move : candidates()) {
            if (!limits.prove && move.predicted > limits.slack * prices_(move.sample)) break;
            ++result.trials;
            if (!attempt(move)) continue;
            ++result.moves;
            improved = true;
            break;
        }
    }
    result.one_opt = !improved && limits.prove;
    result.objective = objective_;
    return result;
}

} // namespace hinge0
