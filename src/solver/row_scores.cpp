/// Sums and the smallest margins.
#include "solver/row_scores.hpp"

#include <algorithm>

namespace hinge0 {

void keep_smallest(std::vector<Candidate> &rows, Index most) {
    if (std::ssize(rows) <= most) return;
    std::nth_element(rows.begin(), rows.begin() + most, rows.end(),
                     [](const Candidate &a, const Candidate &z) {
                         return a.margin != z.margin ? a.margin < z.margin : a.row < z.row;
                     });
    rows.erase(rows.begin() + most, rows.end());
}

BlockScore score_block(std::span<const Index> numbers, const Vector &margins, const Vector &y,
                       const Vector &prices, const Flags &kept, const Wanted &wanted) {
    BlockScore score;
    for (Index i = 0; i < margins.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!Margins::is_met(margins(i))) {
            score.missed_prices += prices(i);
            ++score.violators;
        }
        if (kept[at] != 0 && margins(i) < wanted.bound &&
            !std::binary_search(wanted.except.begin(), wanted.except.end(), numbers[at]))
            score.found[y(i) > 0 ? 1 : 0].push_back({margins(i), numbers[at]});
    }
    for (std::vector<Candidate> &rows : score.found) keep_smallest(rows, wanted.most_of_each);
    return score;
}

Score joined(std::span<BlockScore> blocks, Index most_of_each) {
    Score score;
    std::vector<Candidate> found[2];
    for (const BlockScore &block : blocks) {
        score.missed_prices += block.missed_prices;
        score.violators += block.violators;
        for (std::size_t side = 0; side < 2; ++side)
            found[side].insert(found[side].end(), block.found[side].begin(),
                               block.found[side].end());
    }
    for (std::vector<Candidate> &rows : found) {
        keep_smallest(rows, most_of_each);
        for (const Candidate &row : rows) score.found.push_back(row.row);
    }
    return score;
}

} // namespace hinge0
