/// Rounds of an active set on the near rows and a pass over all.
#include "solver/near_rows.hpp"

#include <algorithm>
#include <utility>

#include "solver/thinning.hpp"

namespace hinge0 {
namespace {

/// By what share of them the near rows may grow in a round.
constexpr double growth = 0.5;

class NearRows {
public:
    NearRows(const Rows &rows, double thin, int threads, Watch &watch)
        : rows_(rows), thin_(thin), threads_(threads), watch_(watch) {}

    HardMargin run(std::vector<Index> joining) {
        found_.solved = true; // a constant classifier where nothing is kept
        while (found_.solved && (!joining.empty() || give_up_some())) {
            add(joining);
            solve_near();
            Score score = rows_.score(
                found_.h,
                {.bound = least_margin(), .most_of_each = most_joining(), .except = near_}, watch_);
            found_.missed_prices = score.missed_prices;
            joining = std::move(score.found);
            watch_.tell({.stage = Progress::Stage::near,
                         .objective = found_.half_norm_squared + score.missed_prices,
                         .support_vectors = static_cast<Index>(found_.h.rows.size()),
                         .bias = found_.h.bias,
                         .rows = static_cast<Index>(near_.size()),
                         .violators = score.violators});
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] Index most_joining() const {
        return static_cast<Index>(0.5 * growth * static_cast<double>(near_.size())) + 1;
    }
    /// As in the active set: a kept row below it is missed.
    [[nodiscard]] double least_margin() const {
        return 1.0 - 1e-10 - 1e-14 * (found_.alpha.size() > 0 ? found_.alpha.sum() : 0.0);
    }
    void add(const std::vector<Index> &rows) {
        near_.insert(near_.end(), rows.begin(), rows.end());
        std::sort(near_.begin(), near_.end());
    }

    /// False if all support vectors are needed.
    bool give_up_some() {
        given_up_.insert(given_up_.end(), dispensable_.begin(), dispensable_.end());
        std::sort(given_up_.begin(), given_up_.end());
        return !std::exchange(dispensable_, {}).empty();
    }

    /// From the support vectors that are known.
    void solve_near() {
        const Part part = rows_.part(near_);
        ActiveSet state(*part.columns, part.y, threads_);
        Flags known(near_.size(), 0), all(near_.size(), 1);
        const auto place = [&](Index row) {
            return std::lower_bound(near_.begin(), near_.end(), row) - near_.begin();
        };
        for (const Index row : found_.h.rows) known[static_cast<std::size_t>(place(row))] = 1;
        for (const Index row : given_up_)
            known[static_cast<std::size_t>(place(row))] =
                all[static_cast<std::size_t>(place(row))] = 0;
        watch_.allow_a_moment();
        const auto go_on = [&](const ActiveSet &, double) { return !watch_.stopped_for_good(); };
        found_.solved = (found_.h.rows.empty() || state.solve(known, go_on)) &&
                        state.solve(all, go_on) && state.polish(all, watch_);
        found_.steps += state.steps();
        found_.half_norm_squared = state.half_norm_squared();
        found_.h = {.bias = state.bias()};
        found_.alpha.resize(0);
        dispensable_.clear();
        if (state.is_constant()) return;
        for (const Index p : state.gamma())
            found_.h.rows.push_back(near_[static_cast<std::size_t>(p)]);
        found_.alpha = state.alpha();
        for (const Index p : dispensable(state, thin_))
            dispensable_.push_back(near_[static_cast<std::size_t>(p)]);
        found_.h.weights = part.y(state.gamma()).cwiseProduct(found_.alpha);
    }

    const Rows &rows_;
    double thin_;
    int threads_;
    Watch &watch_;
    std::vector<Index> near_;        ///< rising
    std::vector<Index> given_up_;    ///< of these, rising
    std::vector<Index> dispensable_; ///< support vectors to be given up next
    HardMargin found_;
};

} // namespace

HardMargin hard_margin_of_many(const Rows &rows, std::vector<Index> near, double thin, int threads,
                               Watch &watch) {
    return NearRows(rows, thin, threads, watch).run(std::move(near));
}

} // namespace hinge0
