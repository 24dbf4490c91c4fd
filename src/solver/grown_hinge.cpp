/// Samples of the rows, each twice as large as the one before and solved from its solution.
#include "solver/grown_hinge.hpp"

#include <algorithm>
#include <utility>

#include "solver/hinge_dual.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {
namespace {

/// A sample of more than this share of the rows is all of them.
constexpr double nearly_all = 0.6;
/// Unseen rows that two samples are compared on, and the share of them that may change sides.
constexpr Index most_compared = 8192;
constexpr double hardly_any = 0.01;
/// A solution that is off by more, in margins, says less than the one of a smaller sample.
constexpr double unsolved = 0.5;

class GrowingHinge {
public:
    GrowingHinge(const Rows &rows, const GrownHinge &how, Watch &watch)
        : rows_(rows), how_(how), watch_(watch) {}

    Expansion run() {
        std::vector<Index> sample = rows_.sample(how_.first_sample);
        HingeDual dual = first_solution(sample);
        Expansion now = expansion(dual, sample);
        while (!watch_.stopped()) {
            sample = grow(dual, now, sample);
            const Expansion before = std::exchange(now, expansion(dual, sample));
            if (dual.gap() > unsolved) return before; // prices so high that it ran out of pairs
            if (is_all(sample) || change(before, now, sample) <= hardly_any) break;
        }
        return now;
    }

private:
    [[nodiscard]] bool is_all(const std::vector<Index> &sample) const {
        return static_cast<Index>(sample.size()) == rows_.size();
    }
    [[nodiscard]] Index next_size(Index size) const {
        const auto rows = static_cast<double>(rows_.size());
        return 2.0 * static_cast<double>(size) > nearly_all * rows ? rows_.size() : 2 * size;
    }
    void solve(HingeDual &dual, const Part &part) {
        dual.solve(*part.columns, how_.eps, pairs_on_a_path(part.y.size()), how_.threads, watch_);
    }
    [[nodiscard]] HingeDual first_solution(std::span<const Index> sample) {
        const Part part = rows_.part(sample);
        long steps = 0;
        return hinge_by_rising_prices(*part.columns, part.y, how_.share * part.prices, how_.eps,
                                      how_.threads, watch_, steps);
    }
    [[nodiscard]] static Expansion expansion(const HingeDual &dual, std::span<const Index> sample) {
        Expansion result{.bias = dual.bias()};
        const Vector weights = dual.weights();
        std::vector<Index> used;
        for (Index k = 0; k < weights.size(); ++k)
            if (weights(k) != 0) used.push_back(k);
        result.weights = weights(used);
        for (const Index k : used) result.rows.push_back(sample[static_cast<std::size_t>(k)]);
        return result;
    }
    /// From the solution of some rows to that of more.
    [[nodiscard]] std::vector<Index> grow(HingeDual &dual, Expansion now,
                                          const std::vector<Index> &sample) {
        std::vector<Index> larger = rows_.sample(next_size(static_cast<Index>(sample.size())));
        const std::span<const Index> fresh = std::span(larger).subspan(sample.size());
        const Part part = rows_.part(larger);
        const auto added = static_cast<Index>(fresh.size());
        now.bias = 0;
        dual.add_rows(part.y.tail(added), how_.share * part.prices.tail(added),
                      rows_.decisions(now, fresh));
        solve(dual, part);
        return larger;
    }
    /// The share of unseen rows of which the two keep different ones.
    [[nodiscard]] double change(const Expansion &before, const Expansion &now,
                                const std::vector<Index> &sample) const {
        const auto seen = static_cast<Index>(sample.size());
        const std::vector<Index> more = rows_.sample(std::min(rows_.size(), seen + most_compared));
        const std::span<const Index> unseen = std::span(more).subspan(sample.size());
        const Vector y = rows_.signs(unseen);
        const auto kept = [&](const Expansion &h) {
            return (y.array() * rows_.decisions(h, unseen).array() >= how_.keep_margin).eval();
        };
        return static_cast<double>((kept(before) != kept(now)).count()) /
               static_cast<double>(unseen.size());
    }

    const Rows &rows_;
    const GrownHinge &how_;
    Watch &watch_;
};

} // namespace

Expansion grown_hinge(const Rows &rows, const GrownHinge &how, Watch &watch) {
    return GrowingHinge(rows, how, watch).run();
}

} // namespace hinge0
