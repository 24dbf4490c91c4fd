/// Starts, descents, kicks; the best local minimum found is settled and returned.
#include "solver/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "hinge0/error.hpp"
#include "solver/hinge_start.hpp"
#include "solver/search.hpp"

namespace hinge0 {
namespace {

using Clock = std::chrono::steady_clock;

/// Hinge solutions at these shares of C give up few samples (1) or many (0.03); which is better
/// depends on the data. A fit tries the first two, with --starts all.
constexpr double hinge_shares[] = {0.1, 0.3, 0.03, 1.0};
constexpr std::size_t usual_starts = 2;
/// Precision of the hinge starts: their signs matter, not their digits.
constexpr double hinge_eps = 0.1;
/// Bytes of columns that a hinge start holds at most.
constexpr double hinge_bytes = 256.0 * 1024 * 1024;
/// Multiplications that one start may spend on its search, some ten seconds; a count, not a time,
/// so that the same fit does the same on every machine.
constexpr double work_per_start = 3e10;
/// With --starts N, so many kicks for each of the N; three quarters of them are shared out among
/// the first starts, which go on by themselves, and the rest are for the best.
constexpr Index kicks_per_start = 32;
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
/// Below this number of rows, threads are not worth their start.
constexpr Index least_rows_for_threads = 600;

class Exact {
public:
    Exact(Gram &gram, const Vector &y, const Vector &prices, const Settings &settings,
          const Observer &observer)
        : gram_(gram), columns_(gram, settings.memory_limit), y_(y), prices_(prices),
          settings_(settings), observer_(observer),
          threads_(y.size() < least_rows_for_threads ? 1 : thread_count(settings.threads)),
          poll_([this](double) { return go_on(); }) {}

    ExactResult run(const std::vector<Vector> &margins) {
        std::vector<MakeKept> starts;
        starts.reserve(margins.size());
        for (const Vector &given : margins) starts.emplace_back([&] { return right_ones(given); });
        const std::size_t shares = settings_.starts > 1 ? std::size(hinge_shares) : usual_starts;
        if (margins.empty()) starts = hinge_starts(0, shares);
        try_starts(starts);
        if (!best_ && margins.empty()) try_starts(hinge_starts(shares, std::size(hinge_shares)));
        if (!best_) try_starts({[&] { return right_ones(Vector::Ones(y_.size())); }});
        if (!best_) try_starts({[&] { return one_of_each_class(); }});
        if (best_) {
            best_->descend();
            kick();
            watch_moves(*best_);
            best_->allow(budget_);
            best_->use_threads(threads_);
            result_.one_opt = best_->settle();
        }
        return finish();
    }

private:
    using Kept = std::vector<char>;
    using MakeKept = std::function<Kept()>;
    /// What the trace shows of a minimum.
    struct Sight {
        double objective, half_norm_squared, bias;
        Index support_vectors;
    };
    /// What a start leads to; `search` is empty for a constant classifier.
    struct Outcome {
        std::unique_ptr<Search> search;
        bool solved = false;
        std::vector<Sight> sights;
    };

    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    [[nodiscard]] bool go_on() {
        in_time_ = seconds() < settings_.time_limit;
        return in_time_ && (!observer_ || observer_({.stage = Progress::Stage::search}));
    }

    /// The samples on the right side.
    [[nodiscard]] static Kept right_ones(const Vector &margins) {
        Kept kept(static_cast<std::size_t>(margins.size()));
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = margins(static_cast<Index>(i)) >= 0 ? 1 : 0;
        return kept;
    }
    [[nodiscard]] std::vector<MakeKept> hinge_starts(std::size_t first, std::size_t end) {
        std::vector<MakeKept> starts;
        for (std::size_t k = first; k < end; ++k)
            starts.emplace_back([this, k] { return hinge_start(hinge_shares[k]); });
        return starts;
    }
    /// SMO touches many columns: where not all of them fit, in a store of its own that forgets
    /// them.
    [[nodiscard]] Kept hinge_start(double share) {
        const auto m = static_cast<double>(y_.size());
        std::optional<ColumnStore> own;
        if (m * m * sizeof(double) > hinge_bytes) own.emplace(gram_, settings_.memory_limit);
        return right_ones(hinge_margins(own ? *own : columns_, y_, share * prices_, hinge_eps,
                                        hinge_bytes, poll_));
    }
    /// The last resort where every other start is constant.
    [[nodiscard]] Kept one_of_each_class() const {
        Kept kept(static_cast<std::size_t>(y_.size()), 0);
        for (const double sign : {-1.0, 1.0}) {
            const auto *const first = std::find(y_.data(), y_.data() + y_.size(), sign);
            kept[static_cast<std::size_t>(first - y_.data())] = 1;
        }
        return kept;
    }

    /// Tries all starts, side by side, and remembers the best. What they do does not depend on the
    /// threads, and they are told of in their order.
    void try_starts(const std::vector<MakeKept> &starts) {
        std::vector<Outcome> outcomes(starts.size());
        in_parallel(static_cast<Index>(starts.size()), threads_, poll_, [&](Index k) {
            const auto at = static_cast<std::size_t>(k);
            try_start(starts[at], outcomes[at]);
        });
        for (Outcome &outcome : outcomes) {
            ++result_.starts;
            for (const Sight &sight : outcome.sights) tell(sight);
            if (!outcome.search || (best_ && !outcome.solved)) continue;
            budget_ -= work_per_start - outcome.search->budget();
            watch_moves(*outcome.search);
            if (!best_ || outcome.search->objective() < best_->objective())
                std::swap(best_, outcome.search);
            if (outcome.search && settings_.starts > 1)
                others_.push_back(std::move(outcome.search));
        }
    }
    /// From here on, accepted moves are told of at once.
    void watch_moves(Search &search) {
        search.watch([this](const ActiveSet &s, double f) { tell(sight_of(s, f)); });
    }
    /// How far each start descends: usually only to where it shows which one is best.
    [[nodiscard]] int first_lists() const {
        return settings_.starts > 1 ? std::numeric_limits<int>::max() : 1;
    }
    /// Solves for a first kept set and descends.
    void try_start(const MakeKept &make_kept, Outcome &outcome) {
        Kept kept = make_kept();
        ActiveSet state(columns_, y_);
        const auto go_on = [this](const ActiveSet &, double) { return !poll_.stopped(0); };
        outcome.solved = state.solve(kept, go_on) && state.polish(kept, poll_);
        if (state.is_constant()) return;
        const double left = work_per_start - state.work();
        outcome.search = std::make_unique<Search>(std::move(state), prices_, poll_);
        outcome.search->allow(left);
        outcome.search->watch(
            [&outcome](const ActiveSet &s, double f) { outcome.sights.push_back(sight_of(s, f)); });
        outcome.sights.push_back(sight_of(outcome.search->state(), outcome.search->objective()));
        if (outcome.solved) outcome.search->descend(first_lists());
    }
    /// Random kicks: a few for small problems, where they are cheap, and more with --starts.
    void kick() {
        const Index m = y_.size();
        const Index kicks = settings_.starts > 1 ? kicks_per_start * settings_.starts
                                                 : (m <= 100 ? std::min<Index>(500 / m, 40) : 0);
        Index done = 0;
        if (!others_.empty()) {
            others_.push_back(std::move(best_));
            const Index each = kicks * 3 / 4 / static_cast<Index>(others_.size());
            for (std::unique_ptr<Search> &start : others_) {
                kick(start, done, done + each);
                done += each;
            }
            best_ = std::move(
                *std::min_element(others_.begin(), others_.end(), [](const auto &a, const auto &b) {
                    return a->objective() < b->objective();
                }));
            others_.clear();
        }
        kick(best_, done, kicks);
        if (settings_.starts > 1) result_.starts = std::max(result_.starts, settings_.starts);
    }
    /// Kicks from number `first` on, each from the best that those before led to.
    void kick(std::unique_ptr<Search> &search, Index first, Index end) {
        for (Index k = first; k < end && budget_ > 0 && !poll_.stopped(0); k += kicks_together)
            kick_together(search, k, std::min(kicks_together, end - k));
    }
    void kick_together(std::unique_ptr<Search> &search, Index first, Index count) {
        std::vector<std::unique_ptr<Search>> kicked(static_cast<std::size_t>(count));
        search->allow(budget_);
        in_parallel(count, threads_, poll_, [&](Index k) {
            std::mt19937_64 random(settings_.seed * 1000003 +
                                   static_cast<std::uint64_t>(first + k));
            const auto at = static_cast<std::size_t>(first + k) % std::size(kick_kinds);
            kicked[static_cast<std::size_t>(k)] = std::make_unique<Search>(
                search->kicked(random, kick_kinds[at].share, kick_kinds[at].kind));
        });
        const double before = search->budget();
        for (std::unique_ptr<Search> &other : kicked) {
            budget_ -= before - other->budget();
            if (poll_.was_stopped() || other->objective() >= search->objective()) continue;
            search = std::move(other);
            if (search->objective() < lowest_) tell(sight_of(search->state(), search->objective()));
        }
    }
    [[nodiscard]] static Sight sight_of(const ActiveSet &state, double objective) {
        return {objective, state.half_norm_squared(), state.bias(),
                static_cast<Index>(state.gamma().size())};
    }
    void tell(const Sight &sight) {
        ++told_;
        lowest_ = std::min(lowest_, sight.objective);
        const double given_up = sight.objective - sight.half_norm_squared;
        const double constant = L0Loss{}.constant(class_price(-1), class_price(1));
        if (given_up < constant)
            result_.wins_above =
                std::min(result_.wins_above, sight.half_norm_squared / (constant - given_up));
        if (observer_)
            observer_({.stage = Progress::Stage::search,
                       .iteration = told_,
                       .objective = sight.objective,
                       .support_vectors = sight.support_vectors,
                       .bias = sight.bias});
    }
    [[nodiscard]] double class_price(double sign) const {
        return (y_.array() == sign).select(prices_, 0.0).sum();
    }
    [[nodiscard]] ExactResult finish() {
        result_.coefficients = Vector::Zero(y_.size());
        if (poll_.was_stopped())
            result_.status = in_time_ ? Status::interrupted : Status::time_limit;
        if (!best_ && poll_.was_stopped()) {
            if (in_time_) throw Interrupted("interrupted while looking for a first minimum");
            throw Error(fmt::format("the time limit of {:g} s is over before the first minimum",
                                    settings_.time_limit),
                        "allow more time, or train on fewer rows");
        }
        if (!best_) { // nothing but constant classifiers: the better of the two
            result_.b = class_price(1) >= class_price(-1) ? 1.0 : -1.0;
            return result_;
        }
        result_.moves = static_cast<int>(best_->moves());
        const ActiveSet &state = best_->state();
        for (std::size_t p = 0; p < state.gamma().size(); ++p) {
            const Index i = state.gamma()[p];
            result_.coefficients(i) = y_(i) * state.alpha()(static_cast<Index>(p));
        }
        result_.b = state.bias();
        return result_;
    }

    Gram &gram_;
    ColumnStore columns_;
    const Vector &y_, &prices_;
    const Settings &settings_;
    const Observer &observer_;
    int threads_;
    Clock::time_point begin_ = Clock::now();
    bool in_time_ = true;
    Poll poll_;
    double budget_ = work_per_start * settings_.starts;
    std::unique_ptr<Search> best_;
    std::vector<std::unique_ptr<Search>> others_; ///< where the other starts led, with --starts
    double lowest_ = std::numeric_limits<double>::infinity(); ///< that was told of
    ExactResult result_;
    int told_ = 0;
};

} // namespace

ExactResult solve_exactly(Gram &gram, const Vector &y, const Vector &prices,
                          const Settings &settings, const Observer &observer,
                          const std::vector<Vector> &margins) {
    return Exact(gram, y, prices, settings, observer).run(margins);
}

} // namespace hinge0
