/// Steps of the dual active-set method in which several samples enter or leave at once.
#include <algorithm>

#include "solver/active_set.hpp"

namespace hinge0 {
namespace {

/// At most so many violated samples enter at once.
constexpr std::size_t largest_block = 256;
/// With fewer members, copies cost more than blocks save.
constexpr std::size_t members_for_blocks = 24;
/// If more than this share of the members leave, and more than so many, a new factor of the others
/// is quicker.
constexpr double few_leave = 1.0 / 24;
constexpr std::size_t least_to_leave = 16;

} // namespace

/// The most violated kept samples, up to half as many as there are members.
std::vector<Index> ActiveSet::entrants(const Flags &kept) const {
    if (gamma_.size() < members_for_blocks) return {};
    std::vector<Index> samples = margins_.below(kept, member_, least_margin());
    const std::size_t most = std::clamp(gamma_.size() / 2, least_block, largest_block);
    if (samples.size() <= most) return samples;
    const auto by_margin = [this](Index a, Index b) {
        return margins_(a) != margins_(b) ? margins_(a) < margins_(b) : a < b;
    };
    std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(most),
                     samples.end(), by_margin);
    samples.resize(most);
    std::sort(samples.begin(), samples.end()); // an order that does not depend on the library
    return samples;
}

/// Lets several samples enter at once: all on their margins, then those with a negative multiplier
/// leave, again and again. What is left solves the problem of its own constraints, so it is as good
/// as any state of the method if |w|^2 / 2 has risen. Otherwise, false and nothing changes.
bool ActiveSet::enter_all(const std::vector<Index> &samples) {
    ActiveSet before(*this);
    if (!append(samples)) return false;
    if (drop_negative() && half_norm_squared() > before.half_norm_squared() * (1.0 + 1e-9)) {
        add_up_margins();
        return true;
    }
    before.work_ = work_;
    *this = std::move(before);
    return false;
}

bool ActiveSet::append(const std::vector<Index> &samples) {
    const Vector &y = *y_;
    const Index n = alpha_.size(), more = static_cast<Index>(samples.size());
    columns_->prefetch(samples, threads_);
    const blas::Block rows = factor_.rows_to_append(more);
    // Down one column of K at a time, from `first` on.
    const auto fill = [&](const Column &column, Index i, Index at, Index first) {
        double *const out = rows.data + at * rows.stride;
        for (Index k = first; k < more; ++k) {
            const Index j = samples[static_cast<std::size_t>(k)];
            out[k] = y(i) * y(j) * (column[j] + rho_);
        }
    };
    for (Index p = 0; p < n; ++p) {
        const auto at = static_cast<std::size_t>(p);
        fill(held_[at], gamma_[at], p, 0);
    }
    for (Index k = 0; k < more; ++k) {
        const Index j = samples[static_cast<std::size_t>(k)];
        fill(columns_->column(j), j, n + k, k);
    }
    work_ += static_cast<double>(n * n * more) / 8; // matrix products are quick
    if (!factor_.append_rows(y(samples), dependent)) return false;
    for (const Index j : samples) join(j, 0.0);
    return true;
}

/// Solves for alpha and b of Gamma and takes out who has a negative alpha, until none has.
bool ActiveSet::drop_negative() {
    for (int round = 0; round < 10; ++round) {
        count_step();
        q_ = Vector::Ones(static_cast<Index>(gamma_.size()));
        factor_.solve(q_.data(), 0.0, direction_);
        alpha_ = direction_.x;
        b_ = direction_.beta;
        if (alpha_.minCoeff() >= 0) return true;
        if (!leave_all([this](Index p) { return alpha_(p) < 0; })) break;
    }
    return false;
}

void ActiveSet::start_from(const std::vector<Index> &samples) {
    if (samples.empty()) return;
    ActiveSet before(*this);
    if (append(samples) && drop_negative())
        add_up_margins();
    else
        *this = std::move(before);
}

void ActiveSet::give_up_all(const std::vector<Index> &samples) {
    Multipliers before = multipliers(); // no copy of the factor: it is hardly ever needed
    const auto leaves = [&](Index p) {
        return std::binary_search(samples.begin(), samples.end(),
                                  gamma_[static_cast<std::size_t>(p)]);
    };
    if (!leave_all(leaves) || !drop_negative()) {
        clear();
        gamma_ = std::move(before.gamma);
        alpha_ = std::move(before.alpha);
        b_ = before.b;
        refactor();
    }
    add_up_margins();
}

/// All of these; then alpha and b are not yet those of Gamma. False: nobody is left, or too nearly
/// dependent.
bool ActiveSet::leave_all(const std::function<bool(Index position)> &leaves) {
    std::vector<Index> leaving, staying;
    for (Index p = 0; p < alpha_.size(); ++p) {
        if (leaves(p))
            leaving.push_back(p);
        else
            staying.push_back(gamma_[static_cast<std::size_t>(p)]);
    }
    if (staying.empty()) return false;
    if (leaving.size() > least_to_leave &&
        static_cast<double>(leaving.size()) > few_leave * static_cast<double>(alpha_.size())) {
        clear();
        return append(staying);
    }
    for (auto p = leaving.rbegin(); p != leaving.rend(); ++p) leave(*p);
    return true;
}

} // namespace hinge0
