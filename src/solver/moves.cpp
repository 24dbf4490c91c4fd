/// The predictions of docs/exact.md, section "Search".
#include "solver/moves.hpp"

#include <algorithm>
#include <cmath>

namespace hinge0 {
namespace {

/// What giving up a member changes: its price is paid, |w|^2/2 falls; `inverse` is its (M^-1)_ii.
double drop_change(double price, double alpha, double inverse) {
    return price - alpha * alpha / (2.0 * inverse);
}

/// What taking back a violator changes: |w|^2/2 rises, its price is saved; s is the rate at which
/// its margin grows with its multiplier.
double take_change(double price, double deficit, double s) {
    if (deficit <= 0) return -price;
    return s > 0 ? deficit * deficit / (2.0 * s) - price : HUGE_VAL;
}

} // namespace

bool is_better(const Move &a, const Move &b) {
    if (a.change != b.change) return a.change < b.change;
    return a.drop != b.drop ? a.drop < b.drop : a.take < b.take;
}

Predictions predict_moves(const ActiveSet &state, const Vector &prices, const Flags &kept) {
    Predictions result;
    const std::vector<Index> &gamma = state.gamma();
    Vector inverse_diagonal;
    state.factor().inverse_diagonal(inverse_diagonal);
    for (std::size_t p = 0; p < gamma.size(); ++p) {
        const auto at = static_cast<Index>(p);
        result.moves.push_back(
            {.change = drop_change(prices(gamma[p]), state.alpha()(at), inverse_diagonal(at)),
             .drop = gamma[p]});
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] == 0) result.violators.push_back(static_cast<Index>(i));
    state.schur(result.violators, result.rates);
    for (std::size_t k = 0; k < result.violators.size(); ++k) {
        const Index j = result.violators[k];
        result.moves.push_back({.change = take_change(prices(j), 1.0 - state.margins()(j),
                                                      result.rates(static_cast<Index>(k))),
                                .take = j});
    }
    std::sort(result.moves.begin(), result.moves.end(), is_better);
    return result;
}

Predictions predict_moves(Tableau &tableau, const Vector &prices) {
    Predictions result;
    result.rates.resize(tableau.violators());
    for (Index at = 0; at < tableau.movable(); ++at) {
        const Index i = tableau.sample(at);
        const double own = tableau.column(at)[at], output = tableau.outputs()(at);
        if (at < tableau.members()) {
            result.moves.push_back({.change = drop_change(prices(i), output, own), .drop = i});
            continue;
        }
        result.violators.push_back(i);
        result.rates(at - tableau.members()) = own;
        result.moves.push_back({.change = take_change(prices(i), 1.0 - output, own), .take = i});
    }
    std::sort(result.moves.begin(), result.moves.end(), is_better);
    return result;
}

/// Once member i is out, the deficit of violator j is larger by B(j, i) alpha_i / (M^-1)_ii, and
/// s_j by B(j, i)^2 / (M^-1)_ii.
void BestSwaps::consider(Tableau &tableau, const Vector &prices, Index member) {
    const Index p = tableau.position(member);
    const double *const column = tableau.column(p);
    const double inverse = column[p], alpha = tableau.outputs()(p);
    const double first = drop_change(prices(member), alpha, inverse);
    for (std::size_t k = 0; k < singles_.violators.size(); ++k) {
        const Index j = singles_.violators[k], at = tableau.position(j);
        const double response = column[at];
        const double deficit = 1.0 - tableau.outputs()(at) + response * alpha / inverse;
        const double s = singles_.rates(static_cast<Index>(k)) + response * response / inverse;
        const double change = first + take_change(prices(j), deficit, s);
        if (change < 0) remember({.change = change, .drop = member, .take = j});
    }
}

void BestSwaps::remember(const Move &swap) {
    if (swaps_.size() == most_) {
        if (!is_better(swap, swaps_.front())) return;
        std::pop_heap(swaps_.begin(), swaps_.end(), is_better);
        swaps_.pop_back();
    }
    swaps_.push_back(swap);
    std::push_heap(swaps_.begin(), swaps_.end(), is_better);
}

std::vector<Move> BestSwaps::sorted() const {
    std::vector<Move> swaps = swaps_;
    std::sort_heap(swaps.begin(), swaps.end(), is_better);
    return swaps;
}

} // namespace hinge0
