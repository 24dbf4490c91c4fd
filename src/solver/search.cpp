/// Moves of one sample, pairs and random kicks; predictions as derived in docs/exact.md.
#include "solver/search.hpp"

#include <algorithm>
#include <cmath>

#include "hinge0/report.hpp"
#include "solver/first_step.hpp"

namespace hinge0 {
namespace {

/// A move must lower F by more than rounding.
constexpr double least_gain = 1e-9;
/// Counter-moves that are tried for each first move of a pair, and first moves that are tried.
constexpr std::size_t counter_moves = 2, paired_moves = 8;

bool is_kept(double margin) { return margin >= 1.0 - deficit_tolerance; }

} // namespace

double objective_of(const ActiveSet &state, const Vector &prices) {
    double sum = state.half_norm_squared();
    for (Index i = 0; i < prices.size(); ++i)
        if (!is_kept(state.margins()(i))) sum += prices(i);
    return sum;
}

Search::Search(ActiveSet state, const Vector &prices, Poll &poll, double &budget, OnMove on_move)
    : state_(state), prices_(&prices), poll_(&poll), budget_(&budget),
      on_move_(std::move(on_move)) {
    adopt(std::move(state));
}

void Search::adopt(ActiveSet state) {
    state_ = std::move(state);
    objective_ = objective_of(state_, *prices_);
    kept_ = kept_of(state_);
}

bool Search::accept(ActiveSet trial) {
    if (trial.is_constant() ||
        objective_of(trial, *prices_) >= objective_ - least_gain * (1.0 + objective_))
        return false;
    // The numbers that decided were updated step by step; those that stay are computed afresh.
    std::vector<char> kept = kept_of(trial);
    if (!trial.polish(kept, *poll_)) return false;
    if (trial.is_constant() ||
        objective_of(trial, *prices_) >= objective_ - least_gain * (1.0 + objective_))
        return false;
    adopt(std::move(trial));
    ++moves_;
    if (on_move_) on_move_(state_, objective_);
    return true;
}

std::vector<char> Search::kept_of(const ActiveSet &state) {
    std::vector<char> kept(static_cast<std::size_t>(state.margins().size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = is_kept(state.margins()(static_cast<Index>(i))) ? 1 : 0;
    return kept;
}

/// Dropping support vector i lowers |w|^2/2 by about alpha_i^2 / (2 (M^-1)_ii) and costs C_i;
/// taking back violator j raises it by about u_j^2 / (2 s_j) and saves C_j.
std::vector<Search::Move> Search::candidates() const {
    std::vector<Move> moves;
    const std::vector<Index> &gamma = state_.gamma();
    const auto n = static_cast<double>(gamma.size());
    *budget_ -= n * n * (n + static_cast<double>(kept_.size())) / 8; // matrix products are quick
    Vector diagonal, schur;
    state_.factor().inverse_diagonal(diagonal);
    for (std::size_t p = 0; p < gamma.size(); ++p) {
        const double alpha = state_.alpha()(static_cast<Index>(p));
        const double fall = alpha * alpha / (2.0 * diagonal(static_cast<Index>(p)));
        moves.push_back({(*prices_)(gamma[p]) - fall, gamma[p], true});
    }
    std::vector<Index> violators;
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (kept_[i] == 0) violators.push_back(static_cast<Index>(i));
    state_.schur(violators, schur);
    for (std::size_t k = 0; k < violators.size(); ++k) {
        const Index j = violators[k];
        const double u = 1.0 - state_.margins()(j), s = schur(static_cast<Index>(k));
        const double rise = s > 0 ? u * u / (2.0 * s) : HUGE_VAL;
        moves.push_back({rise - (*prices_)(j), j, false});
    }
    std::sort(moves.begin(), moves.end(), [](const Move &a, const Move &b) {
        return a.predicted != b.predicted ? a.predicted < b.predicted : a.sample < b.sample;
    });
    return moves;
}

/// What a trial on its way amounts to already: |w|^2/2, which only rises from here, and the prices
/// of those not kept that do not meet their margin by now.
double Search::so_far(const ActiveSet &trial, const std::vector<char> &kept) const {
    double cost = trial.half_norm_squared();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const auto at = static_cast<Index>(i);
        if (kept[i] == 0 && !is_kept(trial.margins()(at))) cost += (*prices_)(at);
    }
    return cost;
}

bool Search::solve(ActiveSet &trial, std::vector<char> &kept, double bound) {
    const double before = trial.work();
    const bool solved = trial.solve(kept, [&](const ActiveSet &now) {
        return so_far(now, kept) < bound && !poll_->stopped(0);
    });
    *budget_ -= trial.work() - before;
    return solved;
}

bool Search::attempt(const Move &move) {
    ActiveSet trial = state_;
    std::vector<char> kept = kept_;
    kept[static_cast<std::size_t>(move.sample)] = move.drop ? 0 : 1;
    return solve(trial, kept, objective_) && accept(std::move(trial));
}

/// The move, then the most promising counter-moves from where it leads.
bool Search::attempt_pair(const Move &move) {
    Search after(*this);
    after.on_move_ = nullptr;
    std::vector<char> kept = kept_;
    kept[static_cast<std::size_t>(move.sample)] = move.drop ? 0 : 1;
    if (!solve(after.state_, kept, 2.0 * objective_) || after.state_.is_constant()) return false;
    after.adopt(after.state_);
    const double found = after.objective_;
    std::size_t tried = 0;
    for (const Move &counter : after.candidates()) {
        if (counter.drop == move.drop || counter.sample == move.sample) continue;
        if (tried++ == counter_moves || found + counter.predicted >= objective_) break;
        after.objective_ = objective_; // what the pair as a whole must beat
        if (after.attempt(counter)) return accept(after.state_);
    }
    return false;
}

/// Is the move still one, after others were accepted?
bool Search::is_open(const Move &move) const {
    return move.drop ? state_.is_member(move.sample)
                     : kept_[static_cast<std::size_t>(move.sample)] == 0;
}

/// Goes on down a list of predictions after a success: they age, but every move is tried exactly.
void Search::descend() {
    for (bool improved = true; improved && !over();) {
        improved = false;
        for (const Move &move : candidates()) {
            if (move.predicted >= 0 || over()) break;
            if (is_open(move) && attempt(move)) improved = true;
        }
    }
}

bool Search::settle() {
    for (;;) {
        descend();
        bool improved = false;
        const std::vector<Move> moves = candidates();
        const Vector costs = first_costs();
        for (const Move &move : moves) {
            if (over()) return false;
            if (costs(move.sample) >= objective_) continue; // its first step shows that already
            if ((improved = attempt(move))) break;
        }
        for (std::size_t k = 0; !improved && k < std::min(paired_moves, moves.size()); ++k) {
            if (over()) return false;
            improved = attempt_pair(moves[k]);
        }
        if (!improved) return true;
    }
}

Vector Search::first_costs() const {
    const auto n = static_cast<double>(state_.gamma().size());
    const auto moves = static_cast<double>(movable().size());
    *budget_ -= n * moves * static_cast<double>(kept_.size()) / 8; // matrix products are quick
    return costs_after_first_step(state_, *prices_, kept_);
}

std::vector<Index> Search::movable() const {
    std::vector<Index> samples = state_.gamma();
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (kept_[i] == 0) samples.push_back(static_cast<Index>(i));
    return samples;
}

void Search::kick(std::mt19937_64 &random, Index count) {
    const std::vector<Index> samples = movable();
    std::vector<char> kept = kept_;
    for (Index k = 0; k < count; ++k) {
        char &flag = kept[static_cast<std::size_t>(samples[random() % samples.size()])];
        flag = flag == 0 ? 1 : 0;
    }
    Search other(*this);
    other.on_move_ = nullptr;
    if (!solve(other.state_, kept, HUGE_VAL) || other.state_.is_constant()) return;
    other.adopt(other.state_);
    other.descend();
    if (!poll_->was_stopped()) (void)accept(other.state_);
}

} // namespace hinge0
