/// LIBSVM text from a table, such that read_table gives the same table back.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <system_error>

#include "core/atomic_file.hpp"
#include "data/text.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

void check(const Table &table) {
    const auto rows = static_cast<std::size_t>(row_count(table.samples));
    if (table.labelled() && table.labels.size() != rows)
        throw InvalidInput(fmt::format("{} labels for {} rows", table.labels.size(), rows));
    for (const std::string &name : table.label_names) {
        const bool plain = !name.empty() && std::ranges::none_of(name, [](char c) {
            return is_blank(c) || is_control(c) || c == ':' || c == '#';
        });
        if (!plain)
            throw InvalidInput(
                fmt::format("label {} cannot be written as LIBSVM text", in_quotes(name)));
    }
}

/// One row at a time in `text`, handed to write().
template <class Write> class Writer {
public:
    Writer(const Table &table, const Write &write) : table_(table), write_(write) {}

    void operator()(const DenseRows &rows) {
        for (Index i = 0; i < rows.rows(); ++i) {
            begin(i);
            for (Index j = 0; j < rows.cols(); ++j) add(j, rows(i, j));
            end(i, rows.cols());
        }
    }
    void operator()(const SparseRows &rows) {
        for (Index i = 0; i < rows.rows(); ++i) {
            begin(i);
            for (SparseRows::InnerIterator it(rows, i); it; ++it) add(it.index(), it.value());
            end(i, rows.cols());
        }
    }

private:
    void begin(Index row) {
        text_.clear();
        last_ = 0;
        if (!table_.labelled()) return;
        const auto label = static_cast<std::size_t>(table_.labels[static_cast<std::size_t>(row)]);
        text_ = table_.label_names.at(label);
    }
    void add(Index column, double value) {
        if (value == 0) return;
        pair(column + 1, value);
    }
    void end(Index row, Index columns) {
        // Explicit zeros: the first row shows how many columns there are, and a row without a label
        // is never blank.
        if (row == 0 && last_ < columns) pair(columns, 0.0);
        if (text_.empty()) pair(1, 0.0);
        text_ += '\n';
        write_(text_);
    }
    void pair(Index index, double value) {
        if (!text_.empty()) text_ += ' ';
        fmt::format_to(std::back_inserter(text_), "{}:{}", index, value);
        last_ = index;
    }

    const Table &table_;
    const Write &write_;
    std::string text_;
    Index last_ = 0; ///< index of the last pair in text_
};

void write_rows(const Table &table, const auto &write) {
    std::visit(Writer(table, write), table.samples);
}

} // namespace

void write_libsvm(const Table &table, const std::filesystem::path &file) {
    check(table);
    if (file == "-") {
        bool good = true;
        write_rows(table, [&](const std::string &text) {
            good = good && std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
        });
        if (std::fflush(stdout) != 0 || !good)
            throw FileError(
                fmt::format("cannot write ({})", std::generic_category().message(errno)),
                "standard output");
        return;
    }
    AtomicFile out(file);
    write_rows(table, [&](const std::string &text) { out.write(text); });
    out.commit();
}

} // namespace hinge0
