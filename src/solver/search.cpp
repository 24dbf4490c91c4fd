/// Moves of one sample, swaps and random kicks.
#include "solver/search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {
namespace {

/// A move must lower F by more than rounding.
constexpr double least_gain = 1e-9;
/// Swaps that are tried where no single move pays.
constexpr std::size_t tried_swaps = 16;
/// Columns that one thread prepares at a time, moves that it tries, and bytes of all columns.
constexpr Index chunk_size = 64;
constexpr std::size_t part_size = 16;
constexpr double tableau_bytes = 1024.0 * 1024 * 1024;

/// Members are kept, though rounding may take them off their margins where multipliers are large.
void find_kept(const ActiveSet &state, Flags &kept) {
    kept.resize(static_cast<std::size_t>(state.margins().size()));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const auto at = static_cast<Index>(i);
        kept[i] = state.is_member(at) || state.margins().is_met_by(at) ? 1 : 0;
    }
}

} // namespace

double objective_of(const ActiveSet &state, const Vector &prices) {
    return state.half_norm_squared() + state.margins().missed_prices(prices);
}

Search::Search(ActiveSet state, const Vector &prices, Watch &watch)
    : state_(state), candidate_(std::move(state)), prices_(&prices), watch_(&watch) {
    adopt();
}

/// The candidate becomes the state.
void Search::adopt() {
    std::swap(state_, candidate_);
    objective_ = objective_of(state_, *prices_);
    find_kept(state_, kept_);
}

bool Search::solve_candidate(double give_up_at) {
    const double before = candidate_.work();
    const bool solved = candidate_.solve(candidate_kept_, [&](const ActiveSet &now, double dual) {
        return dual + now.margins().missed_prices(*prices_, candidate_kept_) < give_up_at &&
               !watch_->stopped();
    });
    budget_ -= candidate_.work() - before;
    // The numbers were updated step by step: where that shows, they are computed afresh.
    return solved && (candidate_.is_sound() || candidate_.polish(candidate_kept_, *watch_)) &&
           !candidate_.is_constant();
}

/// What a move must get below.
double Search::bound() const { return objective_ - least_gain * (1.0 + objective_); }

/// Tries a move exactly; it is given up where it costs that much on its way.
bool Search::attempt(const Move &move, double give_up_at) {
    candidate_ = state_;
    candidate_kept_ = kept_;
    if (move.drop >= 0) candidate_kept_[static_cast<std::size_t>(move.drop)] = 0;
    if (move.take >= 0) candidate_kept_[static_cast<std::size_t>(move.take)] = 1;
    if (!solve_candidate(give_up_at) || objective_of(candidate_, *prices_) >= bound()) return false;
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
bool Search::attempt_all(const std::vector<Move> &moves, Trial::End end) {
    bool improved = false;
    for (const Move &move : moves) {
        if (move.change >= 0 || over()) break;
        const double give_up_at = end == Trial::End::early ? bound() : HUGE_VAL;
        if (is_open(move) && attempt(move, give_up_at)) improved = true;
    }
    return improved;
}

void Search::descend(int lists) {
    while (lists-- > 0 && !over() && attempt_all(predict().moves, Trial::End::early)) {
    }
    polish();
}

/// Computes afresh what many steps have updated.
void Search::polish() {
    candidate_ = state_;
    candidate_kept_ = kept_;
    if (!candidate_.polish(candidate_kept_, *watch_) || candidate_.is_constant()) return;
    // Where rounding decides who is kept, a state that is sound is not given up for a dearer one.
    if (objective_of(candidate_, *prices_) > objective_ * (1.0 + 1e-9) && state_.is_sound()) return;
    adopt();
}

bool Search::settle() {
    double before = HUGE_VAL;
    std::unique_ptr<Tableau> tableau;
    while (!over() && objective_ < before) { // should rounding undo a gain, it ends
        before = objective_;
        const double room = std::min(tableau_bytes, 0.5 * state_.columns().memory().left());
        const double bytes = Tableau::bytes(movable().size(), state_.gamma().size(), kept_.size());
        if (bytes > room) budget_ = 0;           // too large to be examined
        if (2 * bytes > room) tableau = nullptr; // no room for two
        if (over()) break;
        tableau = make_tableau(std::move(tableau));
        if (over()) break; // perhaps before all of it was made
        if (!attempt_all(find_better(*tableau), Trial::End::proven)) return !over();
        polish();
    }
    return false;
}

/// The tableau of the present state, from that of an earlier one where it can be.
std::unique_ptr<Tableau> Search::make_tableau(std::unique_ptr<Tableau> before) {
    auto tableau = std::make_unique<Tableau>(state_, kept_);
    const Index n = tableau->members();
    const auto entries = static_cast<double>(tableau->movable() * tableau->size());
    budget_ -= 4 * entries;
    if (before && tableau->follow(*before)) return tableau;
    in_chunks(0, n, [&](Index first, Index end) { tableau->prepare(first, end); });
    in_chunks(n, tableau->movable(), [&](Index first, Index end) { tableau->prepare(first, end); });
    budget_ -= entries * static_cast<double>(n) / 8; // matrix products are quick
    return tableau;
}

/// All single moves that lower F, or if there is none swaps that do, best first. At first trials
/// end early; where they find nothing, the single moves that were cut short are tried to the end.
std::vector<Move> Search::find_better(Tableau &tableau) {
    const Predictions singles = predict_moves(tableau, *prices_);
    std::vector<Move> cut_short;
    std::vector<Move> better = better_of(singles.moves, tableau, Trial::End::early, &cut_short);
    if (better.empty()) {
        BestSwaps swaps(tried_swaps, singles);
        for (const Move &move : singles.moves)
            if (move.drop >= 0) swaps.consider(tableau, *prices_, move.drop);
        better = better_of(swaps.sorted(), tableau, Trial::End::early);
    }
    if (better.empty()) better = better_of(cut_short, tableau, Trial::End::proven);
    return better;
}

/// Those of the moves that lower F, best first, with what they change. Lists those of which the
/// trial was cut short.
std::vector<Move> Search::better_of(const std::vector<Move> &moves, Tableau &tableau,
                                    Trial::End end, std::vector<Move> *cut_short) {
    std::vector<double> after(moves.size(), HUGE_VAL);
    std::atomic<double> work = 0;
    const std::size_t parts = threads_ > 1 ? (moves.size() + part_size - 1) / part_size : 1;
    in_parallel(static_cast<Index>(parts), threads_, *watch_, [&](Index part) {
        Trial trial(tableau, *prices_);
        // The long ones are at the end of the list: every part has its share of them.
        for (auto k = static_cast<std::size_t>(part); k < moves.size(); k += parts)
            if (!watch_->stopped()) after[k] = trial.objective_after(moves[k], bound(), end);
        work += trial.work();
    });
    budget_ -= std::floor(work); // whole numbers: their sum does not depend on the order
    std::vector<Move> better;
    for (std::size_t k = 0; k < moves.size(); ++k) {
        if (after[k] < bound())
            better.push_back({after[k] - objective_, moves[k].drop, moves[k].take});
        if (cut_short != nullptr && after[k] == HUGE_VAL) cut_short->push_back(moves[k]);
    }
    std::sort(better.begin(), better.end(), is_better);
    return better;
}

void Search::in_chunks(Index first, Index end,
                       const std::function<void(Index first, Index end)> &work) {
    in_parallel((end - first + chunk_size - 1) / chunk_size, threads_, *watch_, [&](Index k) {
        const Index from = first + k * chunk_size;
        if (!watch_->stopped()) work(from, std::min(from + chunk_size, end));
    });
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

/// The nearest samples of the same class that are kept, or not, as this one is; itself among them.
std::vector<Index> Search::neighbours(Index sample, std::size_t count) const {
    const Vector &y = state_.signs();
    const Column nearness = state_.column(sample);
    std::vector<Index> alike;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        const auto at = static_cast<Index>(i);
        if (kept_[i] == kept_[static_cast<std::size_t>(sample)] && y(at) == y(sample))
            alike.push_back(at);
    }
    count = std::min(count, alike.size());
    std::partial_sort(alike.begin(), alike.begin() + static_cast<std::ptrdiff_t>(count),
                      alike.end(), [&nearness](Index a, Index b) {
                          return nearness[a] != nearness[b] ? nearness[a] > nearness[b] : a < b;
                      });
    alike.resize(count);
    return alike;
}

Search Search::kicked(std::mt19937_64 &random, double share, Kick kick) const {
    const std::vector<Index> samples = movable();
    const auto any = [&] { return samples[random() % samples.size()]; };
    const double part = share * static_cast<double>(random() % 1024) / 1024.0;
    const auto some = static_cast<std::size_t>(part * static_cast<double>(samples.size()));
    const std::size_t count = std::max<std::size_t>(2, some);
    std::vector<Index> flipped;
    if (kick == Kick::nearby) flipped = neighbours(any(), count);
    while (kick == Kick::scattered && flipped.size() < count) flipped.push_back(any());
    Search other(*this);
    other.on_move_ = nullptr;
    other.candidate_ = state_;
    other.candidate_kept_ = kept_;
    for (const Index i : flipped) {
        char &flag = other.candidate_kept_[static_cast<std::size_t>(i)];
        flag = flag == 0 ? 1 : 0;
    }
    if (!other.solve_candidate(HUGE_VAL)) return other; // it led nowhere
    other.adopt();
    ++other.moves_;
    other.descend();
    return other;
}

} // namespace hinge0
