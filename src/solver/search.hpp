#pragma once
/// From one local minimum of F to better ones: moves of single samples across the margin, predicted
/// for all candidates at once, tried exactly, accepted only if F falls.
#include "solver/active_set.hpp"

namespace hinge0 {

struct SearchLimits {
    long moves = 1000000;     ///< accepted moves at most
    double slack = 0;         ///< try moves predicted to cost up to this share of C
    bool prove = true;        ///< try every single move before stopping
    int perturbations = 0;
};

struct SearchResult {
    double objective = 0;
    long moves = 0, trials = 0;
    bool one_opt = false;
};

class Search {
public:
    Search(ActiveSet state, const Vector &prices);
    SearchResult run(const SearchLimits &limits);
    [[nodiscard]] const ActiveSet &state() const noexcept { return state_; }
    [[nodiscard]] double objective() const noexcept { return objective_; }
    void set(ActiveSet s);

private:
    struct Move {
        double predicted;
        Index sample;
        bool drop;
    };
    void adopt(ActiveSet state);
    [[nodiscard]] double value(const ActiveSet &state) const;
    [[nodiscard]] std::vector<Move> candidates() const;
    [[nodiscard]] bool attempt(const Move &move);

    ActiveSet state_;
    const Vector &prices_;
    std::vector<char> kept_;
    double objective_ = 0;
};

} // namespace hinge0
