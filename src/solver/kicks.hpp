#pragma once
/// Random kicks out of local minima, several side by side; the best of them counts.
#include <memory>
#include <vector>

#include "solver/minima.hpp"
#include "solver/search.hpp"

namespace hinge0 {

class Kicks {
public:
    Kicks(std::uint64_t seed, int threads, Watch &watch, Minima &minima)
        : seed_(seed), threads_(threads), watch_(watch), minima_(minima) {}

    /// Three quarters of `kicks` are shared out among the searches, which go on by themselves, the
    /// rest are for the best of them, which is returned. `budget` (Search::allow) is spent on all.
    [[nodiscard]] std::unique_ptr<Search> spread(std::vector<std::unique_ptr<Search>> searches,
                                                 Index kicks, double &budget);

private:
    void kick(std::unique_ptr<Search> &search, Index first, Index end, double &budget);
    void kick_together(std::unique_ptr<Search> &search, Index first, Index count, double &budget);

    std::uint64_t seed_;
    int threads_;
    Watch &watch_;
    Minima &minima_;
};

} // namespace hinge0
