/// K on this machine: blocks on demand from prepared rows, or from a kernel matrix that was given.
#include <fmt/format.h>

#include <vector>

#include "core/all_rows.hpp"
#include "core/blas.hpp"
#include "core/parallel.hpp"
#include "gram/gram.hpp"
#include "gram/row_set.hpp"

namespace hinge0 {
namespace {

constexpr Index tile = 256;
/// Operations below which other threads, which may have to be started, cost more than they save;
/// and those of a kernel value apart from its features.
constexpr double little_work = 2e7;
constexpr Index work_of_map = 16;

bool are_consecutive(std::span<const Index> rows) {
    for (std::size_t k = 1; k < rows.size(); ++k)
        if (rows[k] != rows[k - 1] + 1) return false;
    return true;
}

class HostGram final : public Gram {
public:
    HostGram(FeatureSpace space, RowSet rows, MemoryBudget &memory)
        : space_(std::move(space)), rows_(std::move(rows)),
          held_(memory, rows_.bytes(), fmt::format("a copy of {} rows", rows_.count)),
          diagonal_(kernel_diagonal(space_, rows_)) {
        blas::use_one_thread();
    }

    [[nodiscard]] Index size() const noexcept override { return rows_.count; }
    [[nodiscard]] const char *name() const noexcept override { return "host"; }
    [[nodiscard]] const Vector &diagonal() const noexcept override { return diagonal_; }
    void block(std::span<const Index> rows, std::span<const Index> columns, int threads,
               double *out) const override;
    void apply(std::span<const Index> rows, std::span<const Index> columns, ConstVectorRef weights,
               int threads, VectorRef out) const override;
    [[nodiscard]] std::unique_ptr<Gram> part(std::span<const Index> rows,
                                             MemoryBudget &memory) const override;

private:
    /// Calls use(first, count, set, set_first) for tiles of consecutive rows of a prepared set.
    template <class Use>
    void for_row_tiles(std::span<const Index> rows, Index columns, int threads,
                       const Use &use) const;

    FeatureSpace space_;
    RowSet rows_;
    MemoryShare held_;
    Vector diagonal_;
};

template <class Use>
void HostGram::for_row_tiles(std::span<const Index> rows, Index columns, int threads,
                             const Use &make_use) const {
    const auto count = static_cast<Index>(rows.size());
    if (count == 0 || columns == 0) return;
    // Rows here and there are brought together first.
    RowSet picked;
    const bool consecutive = are_consecutive(rows);
    const bool given = rows_.given.size() > 0;
    if (!consecutive && !given) picked = space_.subset(rows_, rows);
    const RowSet &set = consecutive || given ? rows_ : picked;
    const Index first = consecutive ? rows.front() : 0, height = consecutive || !given ? tile : 1;
    const auto work = static_cast<double>(count * columns * (space_.width() + work_of_map));
    for_each_tile((count + height - 1) / height, work < little_work ? 1 : threads, [&] {
        return [&, use = make_use()](Index t) mutable {
            const Index i = t * height;
            use(i, std::min(height, count - i), set,
                height == 1 ? rows[static_cast<std::size_t>(i)] : first + i);
        };
    });
}

void HostGram::block(std::span<const Index> rows, std::span<const Index> columns, int threads,
                     double *out) const {
    const auto height = static_cast<Index>(rows.size()), width = static_cast<Index>(columns.size());
    const RightRows right = space_.right(rows_, columns);
    for_row_tiles(rows, width, threads, [&] {
        return [&](Index i, Index count, const RowSet &set, Index set_first) {
            kernel_block(space_, set, set_first, right, 0, {out + i, count, width, height});
        };
    });
}

void HostGram::apply(std::span<const Index> rows, std::span<const Index> columns,
                     ConstVectorRef weights, int threads, VectorRef out) const {
    const auto width = static_cast<Index>(columns.size());
    const RightRows right = space_.right(rows_, columns);
    out.setZero();
    for_row_tiles(rows, width, threads, [&] {
        return [&, values = Matrix(tile, std::min(width, tile))](
                   Index i, Index count, const RowSet &set, Index set_first) mutable {
            for (Index j = 0; j < width; j += tile) {
                const blas::Block block{values.data(), count, std::min(tile, width - j), tile};
                kernel_block(space_, set, set_first, right, j, block);
                blas::multiply(1.0, block, weights.data() + j, 1.0, out.data() + i);
            }
        };
    });
}

std::unique_ptr<Gram> HostGram::part(std::span<const Index> rows, MemoryBudget &memory) const {
    return std::make_unique<HostGram>(space_, space_.subset(rows_, rows), memory);
}

} // namespace

std::unique_ptr<Gram> make_gram(const Samples &samples, const Kernel &kernel,
                                MemoryBudget &memory) {
    const Index rows = row_count(samples);
    FeatureSpace space(kernel, samples, all_rows(rows));
    const double need = space.bytes(samples, rows);
    memory.take(need, fmt::format("a copy of {} rows", rows)); // asked before it is there
    memory.give_back(need);
    RowSet prepared = space.prepare(samples, 0, rows);
    return std::make_unique<HostGram>(std::move(space), std::move(prepared), memory);
}

std::span<const char *const> backend_names() {
    static constexpr const char *names[] = {"host"};
    return names;
}

} // namespace hinge0
