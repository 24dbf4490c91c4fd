#pragma once
/// From one local minimum of F to better ones: samples moved across the margin, predicted for all
/// candidates at once, tried exactly, accepted only if F falls.
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "core/watch.hpp"
#include "solver/trial.hpp"

namespace hinge0 {

/// F of the hard-margin solution that a state holds: |w|^2/2 + the prices of its violators.
[[nodiscard]] double objective_of(const ActiveSet &state, const Vector &prices);

class Search {
public:
    /// Told of every accepted move, with the new state and its F.
    using OnMove = std::function<void(const ActiveSet &, double)>;

    /// `state` solves the hard-margin problem of some kept set and is not constant.
    Search(ActiveSet state, const Vector &prices, Watch &watch);
    void watch(OnMove on_move) { on_move_ = std::move(on_move); }
    /// Allows another `work` multiplications, about; the search ends early when they are spent.
    void allow(double work) noexcept { budget_ = work; }
    [[nodiscard]] double budget() const noexcept { return budget_; }
    /// How many threads settle() uses; the result does not depend on it.
    void use_threads(int threads) noexcept { threads_ = threads; }

    /// Single moves that are predicted to lower F, until none of them does or so many lists of
    /// predictions were used up.
    void descend(int lists = std::numeric_limits<int>::max());
    /// To be called after descend(): every single move, and swaps that are predicted to pay, until
    /// none lowers F. False if stopped, or the budget spent, before that was shown.
    [[nodiscard]] bool settle();
    /// What a kick flips: samples here and there at the margin, or neighbours of one of them, of
    /// its class and like it kept or not.
    enum class Kick : char { scattered, nearby };
    /// Another search, from here: flips random samples, up to `share` of those at the margin, and
    /// descends. F may be lower or higher there.
    [[nodiscard]] Search kicked(std::mt19937_64 &random, double share, Kick kick) const;

    [[nodiscard]] const ActiveSet &state() const noexcept { return state_; }
    [[nodiscard]] double objective() const noexcept { return objective_; }
    [[nodiscard]] long moves() const noexcept { return moves_; }
    /// Support vectors and violators: the samples that a move can flip.
    [[nodiscard]] std::vector<Index> movable() const;

private:
    [[nodiscard]] std::vector<Index> neighbours(Index sample, std::size_t count) const;
    [[nodiscard]] bool is_open(const Move &move) const;
    [[nodiscard]] bool attempt(const Move &move, double give_up_at);
    [[nodiscard]] std::unique_ptr<Tableau> make_tableau(std::unique_ptr<Tableau> before);
    [[nodiscard]] std::vector<Move> find_better(Tableau &tableau);
    [[nodiscard]] std::vector<Move> better_of(const std::vector<Move> &moves, Tableau &tableau,
                                              Trial::End end,
                                              std::vector<Move> *cut_short = nullptr);
    /// Cuts a range into chunks, the same whatever the number of threads, and does `work` on each.
    void in_chunks(Index first, Index end, const std::function<void(Index first, Index end)> &work);
    [[nodiscard]] bool attempt_all(const std::vector<Move> &moves, Trial::End end);
    void adopt();
    void polish();
    [[nodiscard]] bool solve_candidate(double give_up_at);
    [[nodiscard]] bool over() { return budget_ <= 0 || watch_->stopped(); }
    [[nodiscard]] Predictions predict();
    [[nodiscard]] double bound() const;

    ActiveSet state_;
    ActiveSet candidate_; ///< where a move leads, solved by the active set
    Flags kept_, candidate_kept_;
    const Vector *prices_;
    Watch *watch_;
    double budget_ = std::numeric_limits<double>::infinity();
    OnMove on_move_;
    double objective_ = 0;
    long moves_ = 0;
    int threads_ = 1;
};

} // namespace hinge0
