#pragma once
/// The parts of read_table, apart so that tests and fuzzers can feed them from memory.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/storage.hpp"
#include "hinge0/dataset.hpp"

namespace hinge0 {

/// The next piece of the input, valid until the next call; empty at the end.
using ByteSource = std::function<std::string_view()>;

/// The bytes of a file, or of standard input for "-"; decompressed if need be. `should_stop` is
/// asked for every chunk and while input is waited for; true ends it by Interrupted.
[[nodiscard]] ByteSource open_bytes(const std::filesystem::path &file,
                                    std::function<bool()> should_stop = {});
/// How `file` is called in messages.
[[nodiscard]] std::string display_name(const std::filesystem::path &file);

/// Whole lines of a file, for a reader of their own.
struct LineBlock {
    std::string text;
    std::int64_t lines_before = 0; ///< in the file
};

/// Cuts pieces into lines: without line end and byte order mark, skipping blank lines and comments.
/// Lines inside one piece are not copied.
class LineReader {
public:
    LineReader(ByteSource source, std::string name, std::function<bool()> should_stop,
               ReadBudget &budget);
    /// Of a block, which must live as long.
    LineReader(const LineBlock &block, std::string name, ReadBudget &budget);

    /// Advances to the next data line; false at the end of the input.
    [[nodiscard]] bool next();
    /// The line, valid until next().
    [[nodiscard]] std::string_view line() const noexcept { return line_; }
    /// As next(), but the following next() stays on the same line.
    [[nodiscard]] bool peek();
    /// Cuts off the next lines, at least `bytes` in all if there are so many; false at the end.
    [[nodiscard]] bool next_block(std::size_t bytes, LineBlock &out);
    [[nodiscard]] const std::string &name() const noexcept { return name_; }
    /// Throws FileError "<what>: <file>:<line>".
    [[noreturn]] void fail(const std::string &what) const;

private:
    void skip_empty_lines();
    bool next_raw();
    bool refill();
    void append(std::string &text, std::string_view more);

    ByteSource source_;
    std::string name_;
    std::function<bool()> should_stop_;
    ReadBudget &budget_;
    std::string_view rest_, line_;             ///< of the current piece; the current line
    std::string carry_;                        ///< a line that began in an earlier piece
    std::int64_t number_ = 0;                  ///< of line_, from 1
    bool peeked_ = false, cut_return_ = false; ///< the line ended by a carriage return too
    bool begins_file_ = true;                  ///< where a byte order mark may be
};

/// Gives labels their numbers, in order of appearance.
class LabelNames {
public:
    explicit LabelNames(ReadBudget &budget) : budget_(&budget) {}

    /// The number of a label in any writing; -1 if it is not finite.
    [[nodiscard]] std::int32_t number(std::string_view text);
    [[nodiscard]] const std::vector<std::string> &names() const noexcept { return names_; }
    [[nodiscard]] std::vector<std::string> take_names() { return std::move(names_); }

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void; // NOLINT(readability-identifier-naming): the standard's name
    };
    using Numbers = std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>>;

    ReadBudget *budget_;
    std::vector<std::string> names_;
    Numbers by_name_, by_text_; ///< canonical, and as written: spares rewriting every row's label
    std::string last_text_;
    std::int32_t last_ = -1;
};

/// What a 32-bit sparse matrix can hold.
inline constexpr std::int64_t most_stored_values = std::numeric_limits<std::int32_t>::max();

/// How a file is cut for several threads; the table does not depend on it.
struct Cutting {
    std::size_t bytes = 1 << 20; ///< of a block
    int threads = 1;
};

[[nodiscard]] Table parse_libsvm(LineReader &lines, const ReadOptions &options, ReadBudget &budget,
                                 const Cutting &cutting,
                                 std::int64_t most_values = most_stored_values);
[[nodiscard]] Table parse_csv(LineReader &lines, const ReadOptions &options, ReadBudget &budget,
                              const Cutting &cutting);
/// All of read_table but the file. `name` is for messages and for telling CSV.
[[nodiscard]] Table parse_table(ByteSource source, const std::string &name,
                                const ReadOptions &options, const Cutting &cutting = {});

} // namespace hinge0
