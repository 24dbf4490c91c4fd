/// Samples of the rows, each twice as large as the one before and solved from its solution.
#include "solver/grown_hinge.hpp"

#include <algorithm>
#include <utility>

#include "solver/hinge_dual.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {
namespace {

/// A sample of more than this share of the rows is all of them, and so are the near ones of it.
constexpr double nearly_all = 0.6;
/// Unseen rows that two samples are compared on, and the share of them that may change sides.
constexpr Index most_compared = 8192;
constexpr double hardly_any = 0.01;
/// A solution that is off by more, in margins, says less than the one of a smaller sample.
constexpr double unsolved = 0.5;

/// Rows with larger margins hardly become support vectors when the sample grows.
constexpr double far = 1.5;
/// The share of a sample that may miss the margin although it was left out.
constexpr double hardly_missed = 0.002;

class GrowingHinge {
public:
    GrowingHinge(const Rows &rows, const GrownHinge &how, Watch &watch)
        : rows_(rows), how_(how), watch_(watch) {}

    Expansion run() {
        near_ = rows_.sample(how_.first_sample);
        seen_ = static_cast<Index>(near_.size());
        HingeDual dual = first_solution();
        Expansion now = expansion(dual);
        while (!watch_.stopped()) {
            grow(dual);
            const Expansion before = std::exchange(now, expansion(dual));
            if (dual.gap() > unsolved) return before; // prices so high that it ran out of pairs
            if (seen_ == most_rows() || change(before, now) <= hardly_any) break;
        }
        return now;
    }

private:
    [[nodiscard]] Index most_rows() const { return std::min(how_.most_rows, rows_.size()); }
    [[nodiscard]] Index next_size() const {
        const auto rows = static_cast<double>(rows_.size());
        const bool all = 2.0 * static_cast<double>(seen_) > nearly_all * rows;
        return std::min(all ? rows_.size() : 2 * seen_, most_rows());
    }
    [[nodiscard]] HingeDual first_solution() {
        const Part part = rows_.part(near_);
        long steps = 0;
        return hinge_by_rising_prices(*part.columns, part.y, how_.share * part.prices, how_.eps,
                                      how_.threads, watch_, steps);
    }
    [[nodiscard]] Expansion expansion(const HingeDual &dual) const {
        Expansion result{.bias = dual.bias()};
        const Vector weights = dual.weights();
        std::vector<Index> used;
        for (Index k = 0; k < weights.size(); ++k)
            if (weights(k) != 0) used.push_back(k);
        result.weights = weights(used);
        for (const Index k : used) result.rows.push_back(near_[static_cast<std::size_t>(k)]);
        return result;
    }
    /// From the solution of a sample to that of one twice as large, or nearly: rows that are far
    /// from the margin are no support vectors, and are left out for as long as they are.
    void grow(HingeDual &dual) {
        leave_far_rows(dual);
        seen_ = next_size();
        bool first = true;
        while (!watch_.stopped() && join_near_rows(dual, first ? 0.0 : hardly_missed)) {
            const Part part = rows_.part(near_);
            dual.solve(*part.columns, how_.eps, pairs_on_a_path(seen_), how_.threads, watch_);
            first = false;
        }
    }
    /// Unless no more than this share of the sample misses the margin and was left out.
    bool join_near_rows(HingeDual &dual, double share) {
        const std::vector<Index> others = but_near(rows_.sample(seen_));
        const Expansion now = expansion(dual);
        const Vector h = rows_.decisions(now, others), y = rows_.signs(others);
        const Vector margins = y.cwiseProduct(h);
        const auto missed = static_cast<double>((margins.array() < 1.0).count());
        if (missed <= share * static_cast<double>(seen_)) return false;
        const Index together = std::ssize(near_) + (margins.array() <= far).count();
        const bool all = static_cast<double>(together) > nearly_all * static_cast<double>(seen_);
        std::vector<Index> joining;
        for (Index k = 0; k < margins.size(); ++k) {
            if (!all && margins(k) > far) continue;
            joining.push_back(k);
            near_.push_back(others[static_cast<std::size_t>(k)]);
        }
        const Vector prices = rows_.prices(std::span(near_).last(joining.size()));
        dual.add_rows(y(joining), how_.share * prices, (h(joining).array() - now.bias).matrix());
        return true;
    }
    void leave_far_rows(HingeDual &dual) {
        const Vector margins = dual.margins();
        std::vector<Index> staying, rows;
        for (Index k = 0; k < margins.size(); ++k) {
            if (dual.alpha()(k) == 0 && margins(k) > far) continue;
            staying.push_back(k);
            rows.push_back(near_[static_cast<std::size_t>(k)]);
        }
        dual.keep_rows(staying);
        near_ = std::move(rows);
    }
    [[nodiscard]] std::vector<Index> but_near(std::vector<Index> sample) const {
        std::vector<Index> sorted = near_;
        std::sort(sorted.begin(), sorted.end());
        std::erase_if(sample, [&](Index row) {
            return std::binary_search(sorted.begin(), sorted.end(), row);
        });
        return sample;
    }
    /// The share of unseen rows of which the two keep different ones.
    [[nodiscard]] double change(const Expansion &before, const Expansion &now) const {
        const std::vector<Index> more = rows_.sample(std::min(rows_.size(), seen_ + most_compared));
        const auto unseen = std::span(more).subspan(static_cast<std::size_t>(seen_));
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
    std::vector<Index> near_; ///< those of the sample that the dual has variables for
    Index seen_ = 0;          ///< the size of the sample
};

} // namespace

Expansion grown_hinge(const Rows &rows, const GrownHinge &how, Watch &watch) {
    return GrowingHinge(rows, how, watch).run();
}

} // namespace hinge0
