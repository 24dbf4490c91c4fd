/// Samples of the rows, each twice as large as the one before and solved from its solution.
#include "solver/grown_hinge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/random_state.hpp"
#include "solver/hinge_start.hpp"

namespace hinge0 {
namespace {

/// A sample of more than this share of the rows is all of them.
constexpr double nearly_all = 0.6;
/// Unseen rows that two samples are compared on, and the share of them that may change sides.
constexpr Index most_compared = 8192;
constexpr double hardly_any = 0.01;

/// A random order in which every beginning has the classes' shares, and both classes.
std::vector<Index> shuffled_rows(const Vector &y, std::uint64_t seed) {
    RandomState random(static_cast<std::uint32_t>(seed ^ (seed >> 32)));
    const auto positives = static_cast<double>((y.array() > 0).count());
    const double size[2] = {static_cast<double>(y.size()) - positives, positives};
    double seen[2] = {0, 0};
    std::vector<std::pair<double, Index>> by_place; // its place within its class, and the row
    for (const Index row : random.permutation(y.size())) {
        const std::size_t of = y(row) > 0 ? 1 : 0;
        by_place.emplace_back(seen[of]++ / size[of], row);
    }
    std::sort(by_place.begin(), by_place.end());
    std::vector<Index> rows;
    for (const auto &[place, row] : by_place) rows.push_back(row);
    return rows;
}

/// The hinge SVM of some rows, as a classifier of all.
struct Classifier {
    std::vector<Index> rows{}; ///< with a multiplier
    Vector weights{};
    double bias = 0;

    [[nodiscard]] Vector margins(const Gram &gram, const Vector &y, std::span<const Index> of,
                                 int threads) const {
        Vector h(static_cast<Index>(of.size()));
        gram.apply(of, rows, weights, threads, h);
        for (Index i = 0; i < h.size(); ++i)
            h(i) = y(of[static_cast<std::size_t>(i)]) * (h(i) + bias);
        return h;
    }
};

class GrowingHinge {
public:
    GrowingHinge(ColumnCache &columns, const Vector &y, const Vector &prices, const GrownHinge &how,
                 Watch &watch)
        : whole_(columns), gram_(columns.gram()), memory_(columns.memory()), y_(y), prices_(prices),
          how_(how), watch_(watch), order_(shuffled_rows(y, how.seed)) {}

    Vector run() {
        Index size = how_.first_sample;
        HingeDual dual = first_solution(size);
        Classifier now = classifier(dual, size);
        while (!watch_.stopped()) {
            const Index larger = next_size(size);
            grow(dual, now, size, larger);
            size = larger;
            const Classifier before = std::exchange(now, classifier(dual, size));
            if (size == y_.size() || change(before, now, size) <= hardly_any) break;
        }
        std::vector<Index> all(static_cast<std::size_t>(y_.size()));
        std::iota(all.begin(), all.end(), Index{0});
        return now.margins(gram_, y_, all, how_.threads);
    }

private:
    [[nodiscard]] std::span<const Index> sample(Index size) const {
        return std::span(order_).first(static_cast<std::size_t>(size));
    }
    [[nodiscard]] Index next_size(Index size) const {
        const auto rows = static_cast<double>(y_.size());
        return 2.0 * static_cast<double>(size) > nearly_all * rows ? y_.size() : 2 * size;
    }
    void solve(HingeDual &dual, const Gram &part) {
        ColumnCache columns(part, whole_);
        dual.solve(columns, how_.eps, 10L * part.size() + 10000, how_.threads, watch_);
    }
    /// By rising prices, as HingePath.
    [[nodiscard]] HingeDual first_solution(Index size) {
        const std::unique_ptr<Gram> part = gram_.part(sample(size), memory_);
        ColumnCache columns(*part, whole_);
        const Vector prices = prices_(sample(size));
        const int doublings = doublings_to(prices, part->diagonal());
        HingeDual dual(y_(sample(size)), std::ldexp(1.0, -doublings) * prices);
        for (int k = 0; k <= doublings; ++k) {
            if (k > 0) dual.double_prices();
            dual.solve(columns, how_.eps, 10L * size + 10000, how_.threads, watch_);
        }
        return dual;
    }
    [[nodiscard]] Classifier classifier(const HingeDual &dual, Index size) const {
        Classifier result{.bias = dual.bias()};
        std::vector<double> weights;
        for (Index k = 0; k < size; ++k) {
            if (dual.alpha()(k) == 0) continue;
            const Index row = order_[static_cast<std::size_t>(k)];
            result.rows.push_back(row);
            weights.push_back(y_(row) * dual.alpha()(k));
        }
        result.weights =
            Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
        return result;
    }
    /// From the solution of the first `size` rows to that of more.
    void grow(HingeDual &dual, const Classifier &now, Index size, Index larger) {
        const std::span<const Index> fresh = sample(larger).subspan(static_cast<std::size_t>(size));
        Vector sums(larger - size);
        gram_.apply(fresh, now.rows, now.weights, how_.threads, sums);
        dual.add_rows(y_(fresh), prices_(fresh), sums);
        const std::unique_ptr<Gram> part = gram_.part(sample(larger), memory_);
        solve(dual, *part);
    }
    /// The share of unseen rows of which the two keep different ones.
    [[nodiscard]] double change(const Classifier &before, const Classifier &now, Index size) const {
        const auto first = order_.begin() + size;
        const auto count = std::min(most_compared, y_.size() - size);
        const std::span<const Index> unseen(first, static_cast<std::size_t>(count));
        const Vector a = before.margins(gram_, y_, unseen, how_.threads);
        const Vector b = now.margins(gram_, y_, unseen, how_.threads);
        const auto differ = ((a.array() >= how_.keep_margin) != (b.array() >= how_.keep_margin));
        return static_cast<double>(differ.count()) / static_cast<double>(count);
    }

    ColumnCache &whole_;
    const Gram &gram_;
    MemoryBudget &memory_;
    const Vector &y_, &prices_;
    const GrownHinge &how_;
    Watch &watch_;
    std::vector<Index> order_; ///< the first of these are the sample
};

} // namespace

Vector grown_hinge_margins(ColumnCache &columns, const Vector &y, const Vector &prices,
                           const GrownHinge &how, Watch &watch) {
    return GrowingHinge(columns, y, prices, how, watch).run();
}

} // namespace hinge0
