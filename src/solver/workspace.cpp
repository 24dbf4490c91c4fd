/// Made when first asked for; the oldest is forgotten.
#include "solver/workspace.hpp"

#include <algorithm>

#include "data/condense.hpp"
#include "gram/factor/low_rank_system.hpp"
#include "gram/factor/shifted_factor.hpp"

namespace hinge0 {
namespace {

/// Then K c must be right to about a thousandth, for coefficients of the size of sigma, which all
/// m rows may have.
double enough(double shift, Index rows) {
    return 1e-3 * std::min(1.0, shift) / static_cast<double>(rows);
}

} // namespace

double bytes_of(const Samples &samples) {
    if (const auto *const sparse = std::get_if<SparseRows>(&samples))
        return 12.0 * static_cast<double>(sparse->nonZeros()) +
               4.0 * static_cast<double>(sparse->rows());
    return 8.0 * static_cast<double>(std::get<DenseRows>(samples).size());
}

ShiftedSystem &Workspace::factor(double shift, int threads, Watch &watch) {
    if (!factor_ || factor_->shift() != shift) {
        factor_.reset(); // not two at once
        if (gram_->size() <= most_rows_of_a_factor)
            factor_ = std::make_unique<ShiftedFactor>(*gram_, shift, threads, memory_, watch);
        else
            factor_ = std::make_unique<LowRankSystem>(*gram_, shift, enough(shift, gram_->size()),
                                                      threads, memory_, watch);
    }
    factor_->use_threads(threads);
    return *factor_;
}

void Workspace::check_given_matrix(int threads, Watch &watch) {
    const std::lock_guard lock(mutex_);
    if (is_checked_) return;
    check_semidefinite(*gram_, threads, memory_, watch);
    is_checked_ = true;
}

Workspaces::Workspaces(const Samples &samples, const Kernel &kernel, std::size_t most,
                       Source source)
    : samples_(samples), kernel_(kernel), most_(most), source_(source),
      memory_(0, bytes_of(samples) + bytes_per_row * static_cast<double>(row_count(samples))) {}

void Workspaces::forget() {
    const std::lock_guard lock(mutex_);
    std::erase_if(lately_, [](const auto &space) { return space.use_count() == 1; });
}

std::shared_ptr<Workspace> Workspaces::of(const std::vector<Index> &rows, double memory_limit) {
    {
        const std::lock_guard lock(mutex_);
        memory_.allow(memory_limit);
        if (auto known = find(rows)) return known;
    }
    // Unlocked: others may make theirs.
    auto made = std::make_shared<Workspace>(make_gram_of(rows), rows, memory_);
    const std::lock_guard lock(mutex_);
    if (auto known = find(rows)) return known;
    if (lately_.size() == most_) lately_.pop_back();
    lately_.push_front(std::move(made));
    return lately_.front();
}

/// Null: these rows were not solved lately.
std::shared_ptr<Workspace> Workspaces::find(const std::vector<Index> &rows) {
    const auto known = std::find_if(lately_.begin(), lately_.end(),
                                    [&](const auto &space) { return space->rows() == rows; });
    if (known == lately_.end()) return nullptr;
    lately_.splice(lately_.begin(), lately_, known);
    return lately_.front();
}

std::unique_ptr<Gram> Workspaces::make_gram_of(const std::vector<Index> &rows) {
    if (rows.empty()) return make_gram(samples_, kernel_, memory_);
    if (std::holds_alternative<PrecomputedKernel>(kernel_))
        return make_gram(chosen_block(samples_, rows), kernel_, memory_);
    if (source_ == Source::samples) return make_gram(chosen_rows(samples_, rows), kernel_, memory_);
    std::call_once(is_prepared_, [&] { prepared_ = make_gram(samples_, kernel_, memory_); });
    return prepared_->part(rows, memory_);
}

} // namespace hinge0
