/// A partition's side of a fit.
#include <algorithm>

#include "data/condense.hpp"
#include "gram/gram.hpp"
#include "hinge0/error.hpp"
#include "hinge0/partitions.hpp"
#include "partitions/question.hpp"
#include "solver/row_scores.hpp"

namespace hinge0 {
namespace {

/// The rows of a partition that take part.
class Block {
public:
    Block(const Partition &partition, const Setup &setup)
        : partition_(partition), features_(setup.features) {
        const auto size = static_cast<std::size_t>(row_count(partition.samples));
        const bool weighted = partition.weight.size() > 0;
        if (partition.labels.size() != size || feature_count(partition.samples) != features_ ||
            (weighted && partition.weight.size() != static_cast<Index>(size)))
            throw InvalidInput("a partition whose parts do not fit each other");
        std::vector<double> signs, costs;
        for (std::size_t i = 0; i < size; ++i) {
            const double weight = weighted ? partition.weight(static_cast<Index>(i)) : 1.0;
            const auto label = static_cast<std::size_t>(partition.labels[i]);
            if (label >= setup.class_prices.size())
                throw InvalidInput("a partition with labels of no class");
            const double sign = setup.sign(partition.labels[i]);
            if (sign == 0 || weight == 0) continue;
            rows_.push_back(static_cast<Index>(i));
            signs.push_back(sign);
            costs.push_back(setup.class_prices[label] * weight);
        }
        y = Eigen::Map<const Vector>(signs.data(), std::ssize(signs));
        prices = Eigen::Map<const Vector>(costs.data(), std::ssize(costs));
        numbers = rows_;
        for (Index &number : numbers) number += partition.first;
    }

    /// The places of rows that are named by their numbers, which rise.
    [[nodiscard]] std::vector<Index> places(const std::vector<Index> &named) const {
        std::vector<Index> found;
        found.reserve(named.size());
        for (const Index number : named) {
            const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
            if (at == numbers.end() || *at != number)
                throw InvalidInput("a question about rows that are not here");
            found.push_back(at - numbers.begin());
        }
        return found;
    }
    [[nodiscard]] Samples samples(const std::vector<Index> &places) const {
        std::vector<Index> rows;
        rows.reserve(places.size());
        for (const Index place : places) rows.push_back(rows_[static_cast<std::size_t>(place)]);
        return chosen_rows(partition_.samples, rows);
    }
    /// h of all rows; of all samples only where all take part.
    [[nodiscard]] Vector decisions(const Model &h, int threads) const {
        if (h.coefficients.size() == 0) return Vector::Constant(y.size(), h.bias);
        if (y.size() == row_count(partition_.samples))
            return decision_function(h, partition_.samples, threads);
        return decision_function(h, chosen_rows(partition_.samples, rows_), threads);
    }
    [[nodiscard]] double largest_kernel_value(const Kernel &kernel) const {
        if (y.size() == 0) return 0;
        MemoryBudget memory;
        return make_gram(partition_.samples, kernel, memory)->diagonal().maxCoeff();
    }

    std::vector<Index> numbers; ///< among all, rising
    Vector y, prices;

private:
    const Partition &partition_;
    Index features_;
    std::vector<Index> rows_;
};

Model read_expansion(Reader &from, Index features) {
    Model h;
    h.kernel = from.get_kernel(features);
    h.features = features;
    h.bias = from.get<double>();
    h.coefficients = from.get_vector();
    h.support = from.get_samples();
    for (Index k = 0; k < h.coefficients.size(); ++k) h.rows.push_back(k);
    h.training_rows = h.coefficients.size();
    if (row_count(h.support) != h.coefficients.size() || feature_count(h.support) != features)
        throw InvalidInput("a question whose parts do not fit each other");
    return h;
}

std::string sample(const Block &block, Reader &common) {
    const auto seed = common.get<std::uint64_t>();
    const auto limits = common.get<std::array<std::uint64_t, 2>>();
    std::vector<Index> drawn[2];
    for (std::size_t i = 0; i < block.numbers.size(); ++i) {
        const std::size_t side = block.y(static_cast<Index>(i)) > 0 ? 1 : 0;
        if (drawn_row(seed, block.numbers[i]).key <= limits[side])
            drawn[side].push_back(block.numbers[i]);
    }
    Writer said;
    for (const std::vector<Index> &rows : drawn) said.put_rising(rows);
    return said.take();
}

std::string rows(const Block &block, Reader &own) {
    const std::vector<Index> places = block.places(own.get_rising());
    Writer said;
    said.put(block.samples(places));
    said.put(Vector(block.y(places)));
    said.put(Vector(block.prices(places)));
    return said.take();
}

/// `least`: of the margins of kept rows; null: they were kept before.
Answer score(const Block &block, const Model &h, const double *least, Reader &common, Reader &own,
             std::string_view kept_before, int threads) {
    Wanted wanted{.bound = common.get<double>()};
    const auto most = own.get<std::array<Index, 2>>();
    const std::vector<Index> except = own.get_rising();
    wanted.most_of_each = std::max(most[0], most[1]);
    wanted.except = except;
    const Vector margins = block.y.cwiseProduct(block.decisions(h, threads));
    Flags kept(kept_before.begin(), kept_before.end());
    if (least != nullptr) {
        kept.assign(block.numbers.size(), 0);
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = margins(static_cast<Index>(i)) >= *least ? 1 : 0;
    }
    if (kept.size() != block.numbers.size())
        throw InvalidInput("a partition that does not know what it kept");
    BlockScore found = score_block(block.numbers, margins, block.y, block.prices, kept, wanted);
    Writer said;
    said.put(found.missed_prices);
    said.put(found.violators);
    for (std::size_t side = 0; side < 2; ++side) {
        keep_smallest(found.found[side], most[side]);
        said.put_list(std::span<const Candidate>(found.found[side]));
    }
    Answer answer{said.take()};
    if (least != nullptr) answer.kept.assign(kept.begin(), kept.end());
    return answer;
}

std::string certify(const Block &block, const Model &h, Reader &own, int threads) {
    const std::vector<Index> used = block.places(own.get_rising());
    Flags is_used(block.numbers.size(), 0);
    for (const Index place : used) is_used[static_cast<std::size_t>(place)] = 1;
    std::vector<Index> others;
    for (std::size_t i = 0; i < is_used.size(); ++i)
        if (is_used[i] == 0) others.push_back(static_cast<Index>(i));
    const Vector values = block.decisions(h, threads);
    Others sums = others_of(block.y(others), block.prices(others), values(others));
    sums.largest = block.largest_kernel_value(h.kernel);
    Writer said;
    said.put(sums);
    return said.take();
}

} // namespace

Answer answer(const Partition &partition, std::string_view common_bytes, std::string_view own_bytes,
              std::string_view kept, int threads) {
    Reader common(common_bytes), own(own_bytes);
    const Setup setup = Setup::read(common);
    const Block block(partition, setup);
    if (setup.kind == Kind::sample) return {sample(block, common)};
    if (setup.kind == Kind::rows) return {rows(block, own)};
    const Model h = read_expansion(common, setup.features);
    if (setup.kind == Kind::certify) return {certify(block, h, own, threads)};
    if (setup.kind == Kind::score) return score(block, h, nullptr, common, own, kept, threads);
    if (setup.kind != Kind::keep) throw InvalidInput("a question of an unknown kind");
    const auto least = common.get<double>();
    return score(block, h, &least, common, own, {}, threads);
}

} // namespace hinge0
