/// Columns of M^-1 and of the margins' rates: by matrix products, one by one, or from another one.
#include "solver/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/blas.hpp"
#include "solver/loops/loops.hpp"
#include "solver/pivot_block.hpp"

namespace hinge0 {
namespace {

/// A tableau that would follow another one by more pivots, or be off by more than this share of its
/// outputs, is made anew.
constexpr Index most_pivots = 32;
constexpr double most_error = 1e-9;

} // namespace

Tableau::Tableau(const ActiveSet &state, const Flags &kept)
    : state_(state), members_(static_cast<Index>(state.gamma().size())), samples_(state.gamma()),
      positions_(kept.size()), outputs_(state.margins().size()),
      outside_(size() - members_, members_), ready_(kept.size()) {
    for (const char flag : {char{0}, char{1}}) {
        for (Index i = 0; i < size(); ++i) // a member off its margin by rounding is still a member
            if (kept[static_cast<std::size_t>(i)] == flag && !state.is_member(i))
                samples_.push_back(i);
        if (flag == 0) violators_ = static_cast<Index>(samples_.size()) - members_;
    }
    for (Index at = 0; at < size(); ++at) {
        positions_[static_cast<std::size_t>(sample(at))] = at;
        outputs_(at) = at < members_ ? state.alpha()(at) : state.margins()(sample(at));
    }
    for (Index p = 0; p < members_; ++p) {
        const Column column = state.column(sample(p));
        for (Index r = 0; r < outside_.rows(); ++r)
            outside_(r, p) = sign(p) * sign(members_ + r) * column[sample(members_ + r)];
    }
    corner_ = state.factor().border(border_);
    prepared_.reset(new double[static_cast<std::size_t>(movable() * size())]); // filled later
}

/// Input at the member p of Gamma moves alpha and b by M^-1 [e_p; 0]; at another sample j by
/// -M^-1 [q_j; y_j], which by symmetry are minus the margin rates of j in the members' columns.
/// Fills the part of Gamma and returns the change of b.
double Tableau::respond(Index position, double *column) const {
    double bias = corner_ * sign(position);
    for (Index p = 0; p < members_; ++p) {
        column[p] = -ready_[static_cast<std::size_t>(p)].load(std::memory_order_relaxed)[position];
        bias += border_(p) *
                (outside_(position - members_, p) + state_.constant() * sign(p) * sign(position));
    }
    return -bias;
}

/// Adds what b and the sample's own multiplier do to the margins.
void Tableau::finish(Index position, double *column, double bias) {
    if (position < members_) {
        for (Index r = members_; r < size(); ++r) column[r] += sign(r) * bias;
    } else {
        const Column own = state_.column(sample(position));
        const double y = sign(position);
        for (Index r = members_; r < size(); ++r)
            column[r] += sign(r) * (bias + y * own[sample(r)]);
    }
    ready_[static_cast<std::size_t>(position)].store(column, std::memory_order_release);
}

void Tableau::prepare(Index first, Index end) {
    Vector bias(end - first);
    if (first < members_) {
        state_.factor().inverse({prepared(first), members_, end - first, size()}, first);
        bias = border_.segment(first, end - first);
    } else {
        for (Index at = first; at < end; ++at) bias(at - first) = respond(at, prepared(at));
    }
    if (outside_.rows() > 0)
        blas::multiply_blocks({outside_.data(), outside_.rows(), members_, outside_.rows()},
                              {prepared(first), members_, end - first, size()},
                              {prepared(first) + members_, outside_.rows(), end - first, size()});
    for (Index at = first; at < end; ++at) finish(at, prepared(at), bias(at - first));
}

const double *Tableau::compute(Index position) {
    const std::lock_guard lock(computing_);
    const auto &ready = ready_[static_cast<std::size_t>(position)];
    if (const double *const column = ready.load(std::memory_order_acquire)) return column;
    more_.emplace_back(new double[static_cast<std::size_t>(size())]); // filled by the next lines
    double *const column = more_.back().get();
    const double bias = respond(position, column);
    loops.multiply(outside_.data(), outside_.rows(), outside_.rows(), members_, column,
                   column + members_);
    finish(position, column, bias);
    return column;
}

/// The error of the prepared columns, seen in their sum with random signs: what these inputs do to
/// the outputs, against the same by the kernel.
double Tableau::error() const {
    std::mt19937_64 random(1);
    Vector inputs(movable()), weights(movable()), outputs(size()), decisions(size());
    std::vector<const double *> responses, kernels;
    std::vector<Column> held;
    for (Index at = 0; at < movable(); ++at) {
        inputs(at) = random() % 2 == 0 ? 1.0 : -1.0;
        responses.push_back(prepared(at));
        held.push_back(state_.column(sample(at)));
        kernels.push_back(held.back().get());
    }
    loops.combine_columns(responses.data(), inputs.data(), movable(), 0, size(), outputs.data());
    for (Index at = 0; at < movable(); ++at) // the change of y alpha
        weights(at) = sign(at) * (at < members_ ? outputs(at) : inputs(at));
    loops.combine_columns(kernels.data(), weights.data(), movable(), 0, size(), decisions.data());
    double bias = 0; // that brings the members to the margins asked of them
    for (Index p = 0; p < members_; ++p) bias += sign(p) * inputs(p) - decisions(sample(p));
    bias /= static_cast<double>(members_);
    double worst = std::abs(weights.sum());
    for (Index at = 0; at < size(); ++at) {
        const double expected = at < members_ ? inputs(at) : outputs(at);
        worst = std::max(worst, std::abs(sign(at) * (decisions(sample(at)) + bias) - expected));
    }
    return worst / (1.0 + outputs.cwiseAbs().maxCoeff());
}

/// A principal pivot: with P those that were or became members, the new tableau has
/// B_PP^-1 there, -B_PP^-1 B_PR to the right, B_RP B_PP^-1 below, B_RR - B_RP B_PP^-1 B_PR else.
bool Tableau::follow(Tableau &before) {
    PivotBlock pivots;
    std::vector<const double *> columns;
    for (Index i = 0; i < size(); ++i) {
        const Index at = before.position(i);
        if ((at < before.members_) == (position(i) < members_)) continue;
        PivotBlock::Row row(pivots.size());
        for (Index k = 0; k < row.size(); ++k) row(k) = columns[static_cast<std::size_t>(k)][at];
        columns.push_back(before.column(at));
        if (pivots.size() == most_pivots || !pivots.add(at, columns.back(), row, 0.0)) return false;
    }
    const Index k = pivots.size();
    Vector weights(k + 1), target(k), old(size());
    for (Index at = 0; at < movable(); ++at) {
        const Index was = before.position(sample(at)), pivot = pivots.find(was);
        columns.resize(static_cast<std::size_t>(k));
        if (pivot >= 0) {
            weights.head(k) = pivots.inverse_column(pivot);
        } else {
            columns.push_back(before.column(was));
            for (Index r = 0; r < k; ++r) target(r) = -columns.back()[pivots.position(r)];
            pivots.solve(target.data(), weights.data());
            weights(k) = 1.0;
        }
        loops.combine_columns(columns.data(), weights.data(), static_cast<Index>(columns.size()), 0,
                              size(), old.data());
        for (Index r = 0; r < k; ++r) old(pivots.position(r)) = weights(r);
        double *const column = prepared(at);
        for (Index r = 0; r < size(); ++r) column[r] = old(before.position(sample(r)));
    }
    if (!(error() <= most_error)) return false;
    for (Index at = 0; at < movable(); ++at)
        ready_[static_cast<std::size_t>(at)].store(prepared(at), std::memory_order_release);
    return true;
}

} // namespace hinge0
