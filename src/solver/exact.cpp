/// Starts, descents, kicks; the best local minimum found is settled and returned.
#include "solver/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

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
/// Multiplications that one start may spend on its search, some ten seconds; a count, not a time,
/// so that the same fit does the same on every machine.
constexpr double work_per_start = 3e10;

class Exact {
public:
    Exact(Gram &gram, const Vector &y, const Vector &prices, const Settings &settings,
          const Observer &observer)
        : columns_(gram, settings.memory_limit), hinge_columns_(gram, settings.memory_limit), y_(y),
          prices_(prices), settings_(settings), observer_(observer),
          poll_([this](double) { return go_on(); }) {}

    ExactResult run(const std::vector<Vector> &margins) {
        for (const Vector &given : margins) start_from(given);
        if (margins.empty()) start_from_hinge();
        if (!best_) start_from(Vector::Ones(y_.size())); // keep all that can be kept
        if (!best_) start_from_pair();
        kick();
        if (best_) result_.one_opt = best_->settle();
        return finish();
    }

private:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    [[nodiscard]] bool go_on() {
        in_time_ = seconds() < settings_.time_limit;
        return in_time_ && (!observer_ || observer_({.stage = Progress::Stage::search}));
    }

    /// Keeps what the classifier gets right, solves for that, descends; the best is remembered.
    void start_from(const Vector &margins) {
        std::vector<char> kept(static_cast<std::size_t>(y_.size()));
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = margins(static_cast<Index>(i)) >= 0 ? 1 : 0;
        start_with(std::move(kept));
    }
    void start_from_hinge() {
        for (std::size_t k = 0; k < std::size(hinge_shares); ++k) {
            const bool wanted = k < usual_starts || settings_.starts > 1;
            if (best_ && (!wanted || budget_ <= 0)) break; // a constant start does not count
            start_from(
                hinge_margins(hinge_columns_, y_, hinge_shares[k] * prices_, hinge_eps, poll_));
        }
    }
    /// The last resort where every other start is constant: one sample of each class.
    void start_from_pair() {
        std::vector<char> kept(static_cast<std::size_t>(y_.size()), 0);
        for (const double sign : {-1.0, 1.0}) {
            const auto *const first = std::find(y_.data(), y_.data() + y_.size(), sign);
            kept[static_cast<std::size_t>(first - y_.data())] = 1;
        }
        start_with(std::move(kept));
    }
    void start_with(std::vector<char> kept) {
        if (poll_.was_stopped() && best_) return;
        ++result_.starts;
        ActiveSet state(columns_, y_);
        const bool solved = state.solve(kept, [this](const ActiveSet &) {
            return !poll_.stopped(0);
        }) && state.polish(kept, poll_);
        budget_ -= state.work();
        if (state.is_constant() || (poll_.was_stopped() && !solved && best_)) return;
        Search search(std::move(state), prices_, poll_, budget_,
                      [this](const ActiveSet &s, double objective) { tell(s, objective); });
        tell(search.state(), search.objective());
        if (solved) search.descend();
        if (!best_ || search.objective() < best_->objective()) best_.emplace(std::move(search));
    }
    /// Random kicks: a few for small problems, where they are cheap, and more with --starts.
    void kick() {
        if (!best_) return;
        std::mt19937_64 random(settings_.seed);
        const auto kicks = settings_.starts > 1 ? Index{8} * settings_.starts
                                                : std::min<Index>(500 / y_.size(), 40);
        for (Index k = 0; k < kicks && budget_ > 0 && !poll_.stopped(0); ++k) {
            const auto movable = static_cast<double>(best_->movable().size());
            const double share = 0.15 * static_cast<double>(random() % 1024) / 1024.0;
            best_->kick(random, std::max<Index>(2, static_cast<Index>(share * movable)));
        }
        if (settings_.starts > 1) result_.starts = std::max(result_.starts, settings_.starts);
    }
    void tell(const ActiveSet &state, double objective) {
        ++told_;
        const double given_up = objective - state.half_norm_squared();
        const double constant = L0Loss{}.constant(class_price(-1), class_price(1));
        if (given_up < constant)
            result_.wins_above =
                std::min(result_.wins_above, state.half_norm_squared() / (constant - given_up));
        if (observer_)
            observer_({.stage = Progress::Stage::search,
                       .iteration = told_,
                       .objective = objective,
                       .support_vectors = static_cast<Index>(state.gamma().size()),
                       .bias = state.bias()});
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

    ColumnStore columns_;
    ColumnStore hinge_columns_; ///< its own: it may forget its columns, the active set not
    const Vector &y_, &prices_;
    const Settings &settings_;
    const Observer &observer_;
    Clock::time_point begin_ = Clock::now();
    bool in_time_ = true;
    Poll poll_;
    double budget_ = work_per_start * settings_.starts;
    std::optional<Search> best_;
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
