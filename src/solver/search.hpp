#pragma once
/// From one local minimum of F to better ones: samples moved across the margin, predicted for all
/// candidates at once, tried exactly, accepted only if F falls.
#include <cstdint>
#include <functional>
#include <random>

#include "core/poll.hpp"
#include "solver/active_set.hpp"

namespace hinge0 {

/// F of the hard-margin solution that a state holds: |w|^2/2 + the prices of its violators.
[[nodiscard]] double objective_of(const ActiveSet &state, const Vector &prices);

class Search {
public:
    /// `on_move` is told of every accepted move, with the new state and its F.
    using OnMove = std::function<void(const ActiveSet &, double)>;

    /// `state` solves the hard-margin problem of some kept set and is not constant. The search ends
    /// early when `budget` multiplications are spent; it is shared by all searches of a fit.
    Search(ActiveSet state, const Vector &prices, Poll &poll, double &budget, OnMove on_move);

    /// Single moves that are predicted to lower F, until none of them does.
    void descend();
    /// Every single move, and pairs of a move and a counter-move that are predicted to pay, until
    /// none lowers F. False if stopped, or the budget spent, before that was shown.
    [[nodiscard]] bool settle();
    /// Flips `count` random samples at the margin, descends, and keeps the outcome if F is lower.
    void kick(std::mt19937_64 &random, Index count);

    [[nodiscard]] const ActiveSet &state() const noexcept { return state_; }
    [[nodiscard]] double objective() const noexcept { return objective_; }
    [[nodiscard]] long moves() const noexcept { return moves_; }
    /// Support vectors and violators: the samples that a move can flip.
    [[nodiscard]] std::vector<Index> movable() const;

private:
    struct Move {
        double predicted; ///< change of F
        Index sample;
        bool drop; ///< give up a support vector, else take back a violator
    };
    [[nodiscard]] std::vector<Move> candidates() const;
    [[nodiscard]] bool is_open(const Move &move) const;
    [[nodiscard]] bool attempt(const Move &move);
    [[nodiscard]] bool attempt_pair(const Move &move);
    [[nodiscard]] bool accept(ActiveSet trial);
    void adopt(ActiveSet state);
    [[nodiscard]] Vector first_costs() const;
    [[nodiscard]] bool over() { return *budget_ <= 0 || poll_->stopped(0); }
    [[nodiscard]] bool solve(ActiveSet &trial, std::vector<char> &kept, double bound);
    [[nodiscard]] double so_far(const ActiveSet &trial, const std::vector<char> &kept) const;
    [[nodiscard]] static std::vector<char> kept_of(const ActiveSet &state);

    ActiveSet state_;
    const Vector *prices_;
    Poll *poll_;
    double *budget_;
    OnMove on_move_;
    std::vector<char> kept_;
    double objective_ = 0;
    long moves_ = 0;
};

} // namespace hinge0
