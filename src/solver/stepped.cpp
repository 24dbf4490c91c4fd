/// The steps of Exact::take_first, one by one.
#include "solver/stepped.hpp"

#include <algorithm>

#include "core/threads.hpp"
#include "hinge0/error.hpp"
#include "solver/exact.hpp"
#include "solver/left_out.hpp"
#include "solver/minima.hpp"
#include "solver/thinning.hpp"

namespace hinge0 {
namespace {

std::vector<Index> between_bounds(const Vector &alpha, const Vector &prices) {
    std::vector<Index> free;
    for (Index i = 0; i < alpha.size(); ++i)
        if (alpha(i) > 0 && alpha(i) < prices(i)) free.push_back(i);
    return free;
}

} // namespace

SteppedSolve::SteppedSolve(const Samples &samples, const Kernel &kernel, Workspaces &workspaces,
                           Vector signs, Objective objective, bool merge, const Settings &settings,
                           std::function<bool()> go_on)
    : samples_(samples), kernel_(kernel), signs_(std::move(signs)),
      objective_(std::move(objective)), settings_(settings), go_on_(std::move(go_on)),
      problem_(samples, signs_, objective_, merge, {}),
      workspace_(workspaces.of(problem_.is_all() ? std::vector<Index>{} : problem_.rows(),
                               settings.memory_limit)),
      before_(*workspace_) {}

HingePoint SteppedSolve::hinge(const Vector &prices, Watch &watch) const {
    return workspace_->first_minima().hinge_path().point(workspace_->columns(), problem_.y(),
                                                         prices, first_minimum_eps,
                                                         thread_count(settings_.threads), watch);
}

SteppedSolve::Start SteppedSolve::start() const {
    Watch watch = new_watch();
    if (std::holds_alternative<PrecomputedKernel>(kernel_))
        workspace_->check_given_matrix(thread_count(settings_.threads), watch);
    const Vector prices = start_prices();
    const HingePoint point = hinge(prices, watch);
    if (watch.was_stopped()) throw Interrupted("interrupted while looking for a first minimum");
    const Vector &own = workspace_->columns().gram().diagonal();
    return {point.margins, point.margins - point.alpha.cwiseProduct(own),
            between_bounds(point.alpha, prices)};
}

SteppedSolve::Start SteppedSolve::start_without(const Flags &doubted) const {
    Vector prices = start_prices();
    for (Index i = 0; i < prices.size(); ++i)
        if (doubted[static_cast<std::size_t>(rows()[static_cast<std::size_t>(i)])] != 0)
            prices(i) = 0;
    const auto has = [&](double sign) {
        return ((problem_.y().array() == sign) && (prices.array() > 0)).any();
    };
    if (!has(-1) || !has(1)) return {};
    Watch watch = new_watch();
    const HingePoint point = hinge(prices, watch);
    return {point.margins, left_out_margins(workspace_->columns(), point, prices),
            between_bounds(point.alpha, prices)};
}

void SteppedSolve::keep(const Start &start, double least) {
    kept_.resize(static_cast<std::size_t>(start.margins.size()));
    for (std::size_t i = 0; i < kept_.size(); ++i)
        kept_[i] = start.margins(static_cast<Index>(i)) >= least ? 1 : 0;
    state_ = std::make_unique<ActiveSet>(workspace_->columns(), problem_.y(),
                                         thread_count(settings_.threads));
    std::vector<Index> likely = start.free;
    std::erase_if(likely, [&](Index i) { return kept_[static_cast<std::size_t>(i)] == 0; });
    state_->start_from(likely);
    solve();
}

void SteppedSolve::solve() {
    Watch watch = new_watch();
    const auto go_on = [&](const ActiveSet &, double) { return !watch.stopped(); };
    stopped_ = !state_->solve(kept_, go_on);
}

std::vector<std::pair<Index, double>> SteppedSolve::losses() const {
    std::vector<std::pair<Index, double>> result;
    if (is_constant()) return result;
    const Vector of_members = margin_losses(*state_);
    for (Index p = 0; p < of_members.size(); ++p) {
        const Index i = state_->gamma()[static_cast<std::size_t>(p)];
        result.emplace_back(rows()[static_cast<std::size_t>(i)], of_members(p));
    }
    return result;
}

bool SteppedSolve::give_up(const Flags &leaving, const Flags &staying, double least) {
    const auto has = [&](const Flags &flags, std::size_t i) {
        return flags[static_cast<std::size_t>(rows()[i])] != 0;
    };
    std::vector<Index> members;
    for (const Index i : state_->gamma())
        if (has(leaving, static_cast<std::size_t>(i))) members.push_back(i);
    if (members.empty() || stopped_) return false;
    std::sort(members.begin(), members.end());
    state_->give_up_all(members);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        const auto sample = static_cast<Index>(i);
        const double margin = state_->margins()(sample);
        const bool falls = margin >= least && !Margins::is_met(margin) &&
                           !state_->is_member(sample) && !has(staying, i);
        if (falls || has(leaving, i)) kept_[i] = 0;
    }
    solve();
    return true;
}

Solution SteppedSolve::finish() {
    Watch watch = new_watch();
    stopped_ |= !state_->polish(kept_, watch);
    Solution solution;
    const Vector &y = problem_.y();
    const std::vector<Index> &gamma = state_->gamma();
    solution.coefficients = Vector::Zero(y.size());
    solution.coefficients(gamma) = y(gamma).cwiseProduct(state_->alpha());
    solution.bias = state_->bias();
    const double missed = state_->margins().missed_prices(problem_.prices());
    const auto price = [&](double sign) {
        return (y.array() == sign).select(problem_.prices(), 0.0).sum();
    };
    Minima minima(watch, L0Loss{}.constant(price(-1), price(1)));
    minima.tell({*state_, state_->half_norm_squared() + missed});
    solution.wins_above = minima.wins_above();
    Report &report = solution.report;
    report.solver = "exact";
    report.status = stopped_ && watch.was_stopped() ? Status::interrupted : Status::converged;
    report.iterations = static_cast<int>(state_->steps());
    report.starts = 1;
    finish_solution({.samples = samples_,
                     .kernel = kernel_,
                     .problem = problem_,
                     .objective = objective_,
                     .settings = settings_,
                     .workspace = *workspace_},
                    before_, 0, clock_.seconds(), solution);
    return solution;
}

} // namespace hinge0
