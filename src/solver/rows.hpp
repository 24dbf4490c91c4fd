#pragma once
/// All rows of a fit, wherever they are: in memory, on a cluster, on a device. A fit of many rows
/// (docs/exact.md) brings few of them here; of all others it only asks what passes over them sum
/// up.
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"
#include "solver/certificate.hpp"

namespace hinge0 {

/// A classifier by its support vectors: h(x) = sum_k weights_k K(rows_k, x) + bias.
struct Expansion {
    std::vector<Index> rows{};
    Vector weights{};
    double bias = 0;
};

/// Rows that are brought here, with what belongs to them.
struct Part {
    std::unique_ptr<Gram> gram;
    std::unique_ptr<ColumnCache> columns;
    Vector y, prices;
};

/// Of the kept rows but these, those whose margin is below a bound: the smallest, so many of each
/// class.
struct Wanted {
    double bound = std::numeric_limits<double>::infinity();
    Index most_of_each = 0;
    std::span<const Index> except{}; ///< rising
};

/// What a pass sums up, in the same order for any number of threads.
struct Score {
    double missed_prices = 0; ///< of the rows that miss their margin
    Index violators = 0;      ///< how many these are
    std::vector<Index> found; ///< what was wanted
};

class Rows {
public:
    virtual ~Rows() = default;

    [[nodiscard]] virtual Index size() const noexcept = 0;
    /// The first so many of a seeded random order, in which every beginning has both classes, in
    /// their shares.
    [[nodiscard]] virtual std::vector<Index> sample(Index count) const = 0;
    [[nodiscard]] virtual Vector signs(std::span<const Index> rows) const = 0;
    [[nodiscard]] virtual Vector prices(std::span<const Index> rows) const = 0;
    [[nodiscard]] virtual Part part(std::span<const Index> rows) const = 0;
    /// h of chosen rows.
    [[nodiscard]] virtual Vector decisions(const Expansion &h,
                                           std::span<const Index> rows) const = 0;
    /// A pass after which those rows are kept that have at least this margin; stopped on the way,
    /// those that it has come to by then.
    virtual Score keep(const Expansion &h, double least, const Wanted &wanted, Watch &watch) = 0;
    [[nodiscard]] virtual Score score(const Expansion &h, const Wanted &wanted,
                                      Watch &watch) const = 0;
    /// A pass over all rows but those of h, for the report.
    [[nodiscard]] virtual Others others(const Expansion &h, Watch &watch) const = 0;
};

} // namespace hinge0
