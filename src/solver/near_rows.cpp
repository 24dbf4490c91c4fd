/// Rounds of an active set on the near rows and a look at all others.
#include "solver/near_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/active_set.hpp"

namespace hinge0 {
namespace {

/// By what share of them the near rows may grow in a round.
constexpr double growth = 0.5;

class NearRows {
public:
    NearRows(ColumnCache &columns, const Vector &y, const Flags &kept, int threads, Watch &watch)
        : whole_(columns), gram_(columns.gram()), memory_(columns.memory()), y_(y), kept_(kept),
          threads_(threads), watch_(watch), is_near_(kept.size(), 0), all_(kept.size()) {
        std::iota(all_.begin(), all_.end(), Index{0});
        found_.margins = Margins(y.size());
    }

    HardMargin run(const Vector &guess, Index first_rows) {
        const auto any = std::numeric_limits<double>::infinity();
        found_.solved = true; // for a constant classifier where nothing is kept
        bool more = add(nearest(guess, any, static_cast<std::size_t>(first_rows)));
        while (more) {
            solve_near();
            look_at_all();
            more = found_.solved &&
                   add(nearest(found_.margins.values(), least_margin(), most_joining()));
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] std::size_t most_joining() const {
        return static_cast<std::size_t>(growth * static_cast<double>(near_.size()));
    }
    /// As in the active set: a kept row below it is missed.
    [[nodiscard]] double least_margin() const {
        return 1.0 - 1e-10 - 1e-14 * (found_.alpha.size() > 0 ? found_.alpha.sum() : 0.0);
    }
    /// Kept rows that are not near yet, with a margin below the bound; the smallest, at most so
    /// many of each class.
    [[nodiscard]] std::vector<Index> nearest(const Vector &margins, double bound,
                                             std::size_t most) const {
        std::vector<Index> result;
        for (const double sign : {-1.0, 1.0}) {
            std::vector<Index> rows;
            for (std::size_t i = 0; i < kept_.size(); ++i)
                if (const auto row = static_cast<Index>(i);
                    kept_[i] != 0 && is_near_[i] == 0 && y_(row) == sign && margins(row) < bound)
                    rows.push_back(row);
            const auto closer = [&](Index a, Index b) {
                return margins(a) != margins(b) ? margins(a) < margins(b) : a < b;
            };
            const auto end =
                rows.begin() + static_cast<std::ptrdiff_t>(std::min((most + 1) / 2, rows.size()));
            std::nth_element(rows.begin(), end, rows.end(), closer);
            result.insert(result.end(), rows.begin(), end);
        }
        return result;
    }
    bool add(const std::vector<Index> &rows) {
        for (const Index row : rows) is_near_[static_cast<std::size_t>(row)] = 1;
        near_.insert(near_.end(), rows.begin(), rows.end());
        std::sort(near_.begin(), near_.end());
        return !rows.empty();
    }

    /// From the support vectors that are known.
    void solve_near() {
        const std::unique_ptr<Gram> part = gram_.part(near_, memory_);
        ColumnCache columns(*part, whole_);
        const Vector y = y_(near_);
        ActiveSet state(columns, y, threads_);
        Flags known(near_.size(), 0), all(near_.size(), 1);
        for (const Index row : found_.gamma)
            known[static_cast<std::size_t>(std::lower_bound(near_.begin(), near_.end(), row) -
                                           near_.begin())] = 1;
        const auto go_on = [&](const ActiveSet &, double) { return !watch_.stopped(); };
        found_.solved = (found_.gamma.empty() || state.solve(known, go_on)) &&
                        state.solve(all, go_on) && state.polish(all, watch_);
        found_.steps += state.steps();
        found_.bias = state.bias();
        found_.half_norm_squared = state.half_norm_squared();
        found_.gamma.clear();
        found_.alpha.resize(0);
        if (state.is_constant()) return;
        for (const Index p : state.gamma())
            found_.gamma.push_back(near_[static_cast<std::size_t>(p)]);
        found_.alpha = state.alpha();
    }
    void look_at_all() {
        Vector decisions = Vector::Zero(y_.size());
        if (!found_.gamma.empty()) {
            const Vector weights = y_(found_.gamma).cwiseProduct(found_.alpha);
            gram_.apply(all_, found_.gamma, weights, threads_, decisions);
        }
        found_.margins.set(y_, decisions, found_.bias);
    }

    ColumnCache &whole_;
    const Gram &gram_;
    MemoryBudget &memory_;
    const Vector &y_;
    const Flags &kept_;
    int threads_;
    Watch &watch_;
    Flags is_near_;
    std::vector<Index> near_, all_;
    HardMargin found_;
};

} // namespace

HardMargin hard_margin_of_many(ColumnCache &columns, const Vector &y, const Flags &kept,
                               const Vector &guess, Index first_rows, int threads, Watch &watch) {
    return NearRows(columns, y, kept, threads, watch).run(guess, first_rows);
}

} // namespace hinge0
