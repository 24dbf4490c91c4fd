#pragma once
/// What the parsers of all model formats share. The text is hostile until shown otherwise: every
/// count is held against the bytes that are left before anything of its size is allocated.
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/model.hpp"
#include "model/word_reader.hpp"

namespace hinge0::model_reading {

inline constexpr Index most_features = std::numeric_limits<int>::max(); // as SparseRows has it
inline constexpr Index most_rows = std::numeric_limits<Index>::max();
/// More are a mistake: every two of them are a pair.
inline constexpr Index most_classes = 30'000;

/// The format on the first line, one that this program reads.
[[nodiscard]] int format_of(std::string_view text, const std::string &file);
/// Everything before the checksum line, which must be right.
[[nodiscard]] std::string_view check_last_line(std::string_view text, const std::string &file,
                                               bool check_sum);

/// One line "<key> <value>...": expect, read, nothing more.
template <class Read> auto read_line(WordReader &reader, std::string_view key, Read read) {
    reader.expect(key);
    auto value = read();
    reader.end_line();
    return value;
}
[[nodiscard]] Kernel read_kernel(WordReader &reader);
[[nodiscard]] Loss read_loss(WordReader &reader);
[[nodiscard]] std::string read_label(WordReader &reader);
[[nodiscard]] Status read_status(WordReader &reader);
/// The lines "features" and "training_rows".
void read_sizes(WordReader &reader, const Kernel &kernel, Index least_rows, Index &features,
                Index &training_rows);
[[nodiscard]] Vector read_vector(WordReader &reader, std::string_view key, Index size);
[[nodiscard]] Scaling read_scaling(WordReader &reader, const Kernel &kernel, Index features);

/// How a line of a support vector begins.
struct SupportLine {
    Index least_bytes;                ///< at least so many, its end included
    std::function<void(Index)> begin; ///< reads it, of vector i
};
/// The lines "support_vectors" and "storage", and one line for each vector.
[[nodiscard]] Samples read_support(WordReader &reader, Index columns, const SupportLine &line);
/// A row of the training data, beyond the last one.
[[nodiscard]] Index read_rising_row(WordReader &reader, const std::vector<Index> &before,
                                    Index training_rows);

} // namespace hinge0::model_reading
