#pragma once
/// What the reader harnesses and their replay share: any bytes give a table or a hinge0::Error, and
/// the same one however the input is cut into chunks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "data/readers.hpp"
#include "hinge0/error.hpp"

namespace hinge0::fuzz {

struct Outcome {
    std::optional<Table> table;
    std::string message;
};

/// Chunks of 1 to `most` bytes, each in fresh memory, so that a sanitizer sees every read beyond it
/// and every view kept too long.
inline ByteSource cut(std::string_view text, std::size_t most, std::uint32_t seed) {
    return [text, most, seed, chunk = std::string()]() mutable -> std::string_view {
        seed = seed * 1664525U + 1013904223U;
        const std::size_t size = std::min<std::size_t>(text.size(), 1 + (seed >> 8) % most);
        std::string fresh(text.substr(0, size));
        fresh.shrink_to_fit();
        chunk.swap(fresh);
        text.remove_prefix(size);
        return chunk;
    };
}

inline Outcome outcome_of(ByteSource source, const ReadOptions &options,
                          const Cutting &cutting = {}) {
    try {
        return {parse_table(std::move(source), "fuzz", options, cutting), {}};
    } catch (const Error &error) {
        return {std::nullopt, error.what()};
    }
}

inline bool same_bits(const double *a, const double *b, Index count) {
    return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}

inline bool same_samples(const DenseRows &a, const DenseRows &b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a.allFinite() &&
           same_bits(a.data(), b.data(), a.size());
}

inline bool same_samples(const SparseRows &a, const SparseRows &b) {
    if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
    for (Index i = 0; i < a.rows(); ++i) {
        Index last = -1;
        for (SparseRows::InnerIterator x(a, i), y(b, i); x; ++x, ++y) {
            if (x.index() != y.index() || x.index() <= last || x.index() >= a.cols()) return false;
            if (!same_bits(&x.value(), &y.value(), 1) || x.value() == 0) return false;
            last = x.index();
        }
    }
    return true;
}

inline bool same(const Table &a, const Table &b) {
    if (a.labels != b.labels || a.label_names != b.label_names) return false;
    if (a.samples.index() != b.samples.index()) return false;
    if (a.labelled() && a.labels.size() != static_cast<std::size_t>(row_count(a.samples)))
        return false;
    const auto compare = [&](const auto &rows) {
        return same_samples(rows, std::get<std::decay_t<decltype(rows)>>(b.samples));
    };
    return std::visit(compare, a.samples);
}

/// Reads `bytes` whole, in pieces, and in blocks on three threads; throws std::logic_error where
/// they disagree. The first byte chooses the options, so that one corpus covers them all.
inline void check_reader(std::string_view bytes, Format format) {
    const unsigned choice = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
    if (!bytes.empty()) bytes.remove_prefix(1);
    static const char *const label_columns[] = {"", "1", "2", "y"};
    ReadOptions options{.format = (choice & 64U) != 0 ? Format::detect : format,
                        .label_column = label_columns[(choice >> 3) & 3U],
                        .labelled = (choice & 1U) == 0,
                        .precomputed = (choice & 2U) != 0,
                        .features = (choice & 4U) != 0 ? 5 : 0,
                        .memory_limit = 64e6};
    const Outcome whole = outcome_of(cut(bytes, bytes.size() + 1, 0), options);
    const Outcome small = outcome_of(cut(bytes, 7, choice), options);
    const Outcome middle = outcome_of(cut(bytes, 40, choice + 1), options);
    const Outcome blocks =
        outcome_of(cut(bytes, 40, choice), options, {.bytes = 1 + choice % 32, .threads = 3});
    for (const Outcome *other : {&small, &middle, &blocks}) {
        if (whole.message != other->message)
            throw std::logic_error(whole.message + " | " + other->message);
        if (whole.table && !same(*whole.table, *other->table))
            throw std::logic_error("the tables of two chunk sizes differ");
    }
}

} // namespace hinge0::fuzz
