/// Which kicks, in which order; what a kick is, Search knows.
#include "solver/kicks.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace hinge0 {
namespace {

/// Kicks that are tried side by side before the best of them counts.
constexpr Index kicks_together = 4;
/// Kicks of different kinds, in turn, that flip up to these shares of the samples at the margin.
struct KickKind {
    double share;
    Search::Kick kind;
};
constexpr KickKind kick_kinds[] = {{0.05, Search::Kick::nearby},
                                   {0.15, Search::Kick::nearby},
                                   {0.05, Search::Kick::scattered},
                                   {0.15, Search::Kick::nearby}};

} // namespace

std::unique_ptr<Search> Kicks::spread(std::vector<std::unique_ptr<Search>> searches, Index kicks,
                                      double &budget) {
    const auto by_objective = [](const auto &a, const auto &b) {
        return a->objective() < b->objective();
    };
    Index done = 0;
    if (searches.size() > 1) {
        const Index each = kicks * 3 / 4 / static_cast<Index>(searches.size());
        for (std::unique_ptr<Search> &search : searches) {
            kick(search, done, done + each, budget);
            done += each;
        }
    }
    auto best = std::move(*std::min_element(searches.begin(), searches.end(), by_objective));
    kick(best, done, kicks, budget);
    return best;
}

/// Kicks from number `first` on, each from the best that those before led to.
void Kicks::kick(std::unique_ptr<Search> &search, Index first, Index end, double &budget) {
    for (Index k = first; k < end && budget > 0 && !watch_.stopped(); k += kicks_together)
        kick_together(search, k, std::min(kicks_together, end - k), budget);
}

void Kicks::kick_together(std::unique_ptr<Search> &search, Index first, Index count,
                          double &budget) {
    std::vector<std::unique_ptr<Search>> kicked(static_cast<std::size_t>(count));
    search->allow(budget);
    in_parallel(count, threads_, watch_, [&](Index k) {
        std::mt19937_64 random(seed_ * 1000003 + static_cast<std::uint64_t>(first + k));
        const auto at = static_cast<std::size_t>(first + k) % std::size(kick_kinds);
        kicked[static_cast<std::size_t>(k)] = std::make_unique<Search>(
            search->kicked(random, kick_kinds[at].share, kick_kinds[at].kind));
    });
    const double before = search->budget();
    for (std::unique_ptr<Search> &other : kicked) {
        budget -= before - other->budget();
        if (other->objective() >= search->objective()) continue;
        search = std::move(other);
        if (search->objective() < minima_.lowest())
            minima_.tell({search->state(), search->objective()});
    }
}

} // namespace hinge0
