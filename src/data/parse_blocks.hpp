#pragma once
/// Blocks of lines parsed on several threads, and put together in the order of the file.
#include <optional>
#include <vector>

#include "core/parallel.hpp"
#include "data/readers.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

/// Rows of all lines: parse(reader, rows) adds those of a reader. Where a block cannot be parsed by
/// itself, or does not fit what came before (`append` is false), it is parsed once more behind
/// that, so that the error is the one that a single thread meets.
template <class Rows, class Parse>
void parse_blocks(LineReader &lines, ReadBudget &budget, const Cutting &cutting, Rows &whole,
                  const Parse &parse) {
    std::vector<LineBlock> blocks(static_cast<std::size_t>(cutting.threads));
    for (bool more = true; more;) {
        std::size_t count = 0;
        while (count < blocks.size() && (more = lines.next_block(cutting.bytes, blocks[count])))
            ++count;
        std::vector<std::optional<Rows>> parts(count);
        for_each_tile(static_cast<Index>(count), cutting.threads, [&] {
            return [&](Index tile) {
                const auto k = static_cast<std::size_t>(tile);
                LineReader own(blocks[k], lines.name(), budget);
                try {
                    parse(own, parts[k].emplace(budget));
                } catch (const Error &) {
                    parts[k].reset();
                }
            };
        });
        for (std::size_t k = 0; k < count; ++k)
            if (!parts[k] || !whole.append(std::move(*parts[k]))) {
                LineReader again(blocks[k], lines.name(), budget);
                parse(again, whole);
            }
    }
}

/// The labels of a part, numbered by its own names, behind those of the whole.
inline void append_labels(LabelNames &names, BlockedArray<std::int32_t> &labels,
                          const LabelNames &part_names, BlockedArray<std::int32_t> &&part) {
    std::vector<std::int32_t> number;
    for (const std::string &name : part_names.names()) number.push_back(names.number(name));
    part.transform([&](std::int32_t label) { return number[static_cast<std::size_t>(label)]; });
    labels.append(std::move(part));
}

} // namespace hinge0
