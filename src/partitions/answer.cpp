/// A partition's side of a fit.
#include <algorithm>

#include "data/condense.hpp"
#include "gram/gram.hpp"
#include "hinge0/error.hpp"
#include "hinge0/partitions.hpp"
#include "partitions/question.hpp"
#include "partitions/said.hpp"

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
            const Index label = partition.labels[i];
            if (label < 0 || label >= setup.class_prices.size())
                throw InvalidInput("a partition with labels of no class");
            const double sign = setup.sign(partition.labels[i]);
            if (sign == 0 || weight == 0) continue;
            rows_.push_back(static_cast<Index>(i));
            signs.push_back(sign);
            costs.push_back(setup.class_prices(label) * weight);
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
    [[nodiscard]] HandedRows rows(const std::vector<Index> &places) const {
        std::vector<Index> rows;
        rows.reserve(places.size());
        for (const Index place : places) rows.push_back(rows_[static_cast<std::size_t>(place)]);
        return {chosen_rows(partition_.samples, rows), y(places), prices(places)};
    }
    [[nodiscard]] Index first() const { return partition_.first; }
    /// Of class -1 or +1.
    [[nodiscard]] Index rows_of_side(std::size_t side) const {
        const Index positive = (y.array() > 0).count();
        return side == 1 ? positive : y.size() - positive;
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

/// A partition names so many candidates more than its share of the rows would, and a few: those of
/// other partitions may be nearer. Not all of them: most would be named in vain.
Index share_of(Index most, Index of_partition, Index of_all) {
    constexpr double ample = 1.25, few = 8;
    if (of_all == 0) return 0;
    const double share = static_cast<double>(of_partition) / static_cast<double>(of_all);
    return std::min(most, static_cast<Index>(ample * static_cast<double>(most) * share + few));
}

std::string sample(const Block &block, Reader &common) {
    const auto seed = common.get<std::uint64_t>();
    const auto keys = common.get<std::array<Keys, 2>>();
    std::vector<Index> places, numbers;
    for (std::size_t i = 0; i < block.numbers.size(); ++i) {
        const auto place = static_cast<Index>(i);
        const std::size_t side = block.y(place) > 0 ? 1 : 0;
        if (!keys[side].have(drawn_row(seed, block.numbers[i]).key)) continue;
        places.push_back(place);
        numbers.push_back(block.numbers[i]);
    }
    Writer said;
    said.put_rising(numbers, block.first());
    write(said, block.rows(places));
    return said.take();
}

std::string rows(const Block &block, Reader &own) {
    Writer said;
    write(said, block.rows(block.places(own.get_rising(block.first()))));
    return said.take();
}

/// `least`: of the margins of kept rows; null: they were kept before.
Answer score(const Block &block, const Model &h, const double *least, Reader &common, Reader &own,
             std::string_view kept_before, int threads) {
    Wanted wanted{.bound = common.get_number()};
    const auto most = static_cast<Index>(common.get_count());
    std::array<Index, 2> most_here{};
    for (std::size_t side = 0; side < 2; ++side)
        most_here[side] =
            share_of(most, block.rows_of_side(side), static_cast<Index>(common.get_count()));
    const std::vector<Index> except = own.get_rising(block.first());
    wanted.most_of_each = std::max(most_here[0], most_here[1]);
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
    for (std::size_t side = 0; side < 2; ++side) keep_smallest(found.found[side], most_here[side]);
    Writer said;
    write(said, std::move(found), block.first());
    Answer answer{said.take()};
    if (least != nullptr) answer.kept.assign(kept.begin(), kept.end());
    return answer;
}

std::string certify(const Block &block, const Model &h, Reader &own, int threads) {
    const std::vector<Index> used = block.places(own.get_rising(block.first()));
    Flags is_used(block.numbers.size(), 0);
    for (const Index place : used) is_used[static_cast<std::size_t>(place)] = 1;
    std::vector<Index> others;
    for (std::size_t i = 0; i < is_used.size(); ++i)
        if (is_used[i] == 0) others.push_back(static_cast<Index>(i));
    const Vector values = block.decisions(h, threads);
    Others sums = others_of(block.y(others), block.prices(others), values(others));
    sums.largest = block.largest_kernel_value(h.kernel);
    Writer said;
    write(said, sums);
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
    const Model h = read_classifier(common, setup.features);
    if (setup.kind == Kind::certify) return {certify(block, h, own, threads)};
    if (setup.kind == Kind::score) return score(block, h, nullptr, common, own, kept, threads);
    if (setup.kind != Kind::keep) throw InvalidInput("a question of an unknown kind");
    const double least = common.get_number();
    return score(block, h, &least, common, own, {}, threads);
}

} // namespace hinge0
