/// Moves of one sample, swaps and random kicks.
#include "solver/search.hpp"

#include <algorithm>
#include <cmath>

#include "hinge0/report.hpp"

namespace hinge0 {
namespace {

/// A move must lower F by more than rounding.
constexpr double least_gain = 1e-9;
/// Swaps that are tried where no single move pays.
constexpr std::size_t tried_swaps = 16;
/// Moves that are examined together.
constexpr std::size_t chunk_size = 64;

bool is_kept(double margin) { return margin >= 1.0 - deficit_tolerance; }

void find_kept(const ActiveSet &state, std::vector<char> &kept) {
    kept.resize(static_cast<std::size_t>(state.margins().size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = is_kept(state.margins()(static_cast<Index>(i))) ? 1 : 0;
}

} // namespace

double objective_of(const ActiveSet &state, const Vector &prices) {
    double sum = state.half_norm_squared();
    for (Index i = 0; i < prices.size(); ++i)
        if (!is_kept(state.margins()(i))) sum += prices(i);
    return sum;
}

Search::Search(ActiveSet state, const Vector &prices, Poll &poll)
    : state_(state), trial_(std::move(state)), prices_(&prices), poll_(&poll) {
    adopt();
}

/// The trial becomes the state.
void Search::adopt() {
    std::swap(state_, trial_);
    objective_ = objective_of(state_, *prices_);
    find_kept(state_, kept_);
}

/// What a trial on its way amounts to already: |w|^2/2, which only rises from here, and the prices
/// of those not kept that do not meet their margin by now.
double Search::so_far(const ActiveSet &trial) const {
    double cost = trial.half_norm_squared();
    for (std::size_t i = 0; i < trial_kept_.size(); ++i) {
        const auto at = static_cast<Index>(i);
        if (trial_kept_[i] == 0 && !is_kept(trial.margins()(at))) cost += (*prices_)(at);
    }
    return cost;
}

bool Search::solve_trial(double bound) {
    const double before = trial_.work();
    const bool solved = trial_.solve(trial_kept_, [&](const ActiveSet &now) {
        return so_far(now) < bound && !poll_->stopped(0);
    });
    budget_ -= trial_.work() - before;
    // The numbers were updated step by step: where that shows, they are computed afresh.
    return solved && (trial_.is_sound() || trial_.polish(trial_kept_, *poll_)) &&
           !trial_.is_constant();
}

/// What a move must get below.
double Search::bound() const { return objective_ - least_gain * (1.0 + objective_); }

bool Search::attempt(const Move &move) {
    trial_ = state_;
    trial_kept_ = kept_;
    if (move.drop >= 0) trial_kept_[static_cast<std::size_t>(move.drop)] = 0;
    if (move.take >= 0) trial_kept_[static_cast<std::size_t>(move.take)] = 1;
    if (!solve_trial(bound()) || objective_of(trial_, *prices_) >= bound()) return false;
    adopt();
    ++moves_;
    if (on_move_) on_move_(state_, objective_);
    return true;
}

/// Is the move still one, after others were accepted?
bool Search::is_open(const Move &move) const {
    return (move.drop < 0 || state_.is_member(move.drop)) &&
           (move.take < 0 || kept_[static_cast<std::size_t>(move.take)] == 0);
}

/// Goes on down the list after a success: predictions age, but every move is tried exactly.
bool Search::attempt_all(const std::vector<Move> &moves) {
    bool improved = false;
    for (const Move &move : moves) {
        if (move.change >= 0 || over()) break;
        if (is_open(move) && attempt(move)) improved = true;
    }
    return improved;
}

void Search::descend() {
    while (!over() && attempt_all(predict().moves)) {}
    polish();
}

/// Computes afresh what many steps have updated.
void Search::polish() {
    trial_ = state_;
    trial_kept_ = kept_;
    if (trial_.polish(trial_kept_, *poll_) && !trial_.is_constant()) adopt();
}

bool Search::settle() {
    while (!over() && attempt_all(find_better())) descend();
    return !over();
}

/// All single moves that lower F, or if there is none swaps that do, best first. The moves are cut
/// into the same chunks whatever the number of threads.
std::vector<Move> Search::find_better() {
    const Predictions singles = predict();
    const Matrix member_columns = state_.joined_columns();
    const std::span<const Move> moves = singles.moves;
    const auto chunks = static_cast<Index>((moves.size() + chunk_size - 1) / chunk_size);
    std::vector<Findings> findings(static_cast<std::size_t>(chunks));
#pragma omp parallel for schedule(dynamic) num_threads(threads_) if (threads_ > 1 && chunks > 1)
    for (Index k = 0; k < chunks; ++k) {
        const std::size_t first = static_cast<std::size_t>(k) * chunk_size;
        const auto chunk = moves.subspan(first, std::min(chunk_size, moves.size() - first));
        findings[static_cast<std::size_t>(k)] = examine(chunk, singles, member_columns);
    }
    std::vector<Move> better, swaps;
    for (const Findings &found : findings) {
        if (found.error) std::rethrow_exception(found.error);
        budget_ -= found.work;
        better.insert(better.end(), found.better.begin(), found.better.end());
        swaps.insert(swaps.end(), found.swaps.begin(), found.swaps.end());
    }
    if (better.empty()) {
        std::sort(swaps.begin(), swaps.end(), is_better);
        swaps.resize(std::min(tried_swaps, swaps.size()));
        Findings found = examine(swaps, singles, member_columns);
        if (found.error) std::rethrow_exception(found.error);
        budget_ -= found.work;
        better = std::move(found.better);
    }
    std::sort(better.begin(), better.end(), is_better);
    return better;
}

/// Tries moves in the tableau, and looks among all swaps with them for the best.
Search::Findings Search::examine(std::span<const Move> moves, const Predictions &singles,
                                 const Matrix &member_columns) const {
    Findings found;
    if (moves.empty() || poll_->stopped(0)) return found;
    try {
        Tableau tableau(state_, member_columns);
        Trial trial(tableau, *prices_, kept_);
        BestSwaps swaps(tried_swaps, singles);
        std::vector<Index> samples;
        for (const Move &move : moves) samples.push_back(std::max(move.drop, move.take));
        tableau.prepare(samples);
        for (const Move &move : moves) {
            if (poll_->stopped(0)) break;
            const double after = trial.objective_after(move, bound());
            if (after < bound()) found.better.push_back({after - objective_, move.drop, move.take});
            if (move.take < 0) swaps.consider(tableau, *prices_, move.drop);
        }
        found.swaps = swaps.sorted();
        found.work = trial.work();
    } catch (...) {
        found.error = std::current_exception();
    }
    return found;
}

Predictions Search::predict() {
    const auto n = static_cast<double>(state_.gamma().size());
    const auto moves = static_cast<double>(movable().size());
    budget_ -= n * n * moves / 8; // matrix products are quick
    return predict_moves(state_, *prices_, kept_);
}

std::vector<Index> Search::movable() const {
    std::vector<Index> samples = state_.gamma();
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (kept_[i] == 0) samples.push_back(static_cast<Index>(i));
    return samples;
}

Search Search::kicked(std::mt19937_64 &random, double share) const {
    const std::vector<Index> samples = movable();
    const double part = share * static_cast<double>(random() % 1024) / 1024.0;
    const auto some = static_cast<std::size_t>(part * static_cast<double>(samples.size()));
    Search other(*this);
    other.on_move_ = nullptr;
    other.trial_ = state_;
    other.trial_kept_ = kept_;
    for (std::size_t k = 0; k < std::max<std::size_t>(2, some); ++k) {
        char &flag = other.trial_kept_[static_cast<std::size_t>(samples[random() % samples.size()])];
        flag = flag == 0 ? 1 : 0;
    }
    if (!other.solve_trial(HUGE_VAL)) return other; // it led nowhere
    other.adopt();
    ++other.moves_;
    other.descend();
    return other;
}

} // namespace hinge0
