#pragma once
/// What the tests of this layer share: parsing from memory, messages of exceptions, a temp folder.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "data/readers.hpp"
#include "hinge0/error.hpp"

namespace hinge0::test {

/// A source that hands out `text` in chunks of `size` bytes.
inline ByteSource chunks(std::string_view text, std::size_t size) {
    return [text, size]() mutable {
        const std::string_view chunk = text.substr(0, size);
        text.remove_prefix(chunk.size());
        return chunk;
    };
}

inline Table parse(std::string_view text, const ReadOptions &options, std::size_t chunk = 1 << 20) {
    return parse_table(chunks(text, chunk), "f", options);
}

/// The message of the exception of type E that `action` throws.
template <class E = FileError> std::string message_of(const auto &action) {
    try {
        action();
    } catch (const E &error) {
        return error.what();
    } catch (const std::exception &error) {
        return std::string("another exception: ") + error.what();
    }
    return "no exception";
}

inline DenseRows dense(const Samples &samples) {
    if (const auto *rows = std::get_if<DenseRows>(&samples)) return *rows;
    return std::get<SparseRows>(samples);
}

/// The labels of all rows, each followed by a blank.
inline std::string labels(const Table &table) {
    std::string text;
    for (const std::int32_t label : table.labels)
        text += table.label_names.at(static_cast<std::size_t>(label)) + " ";
    return text;
}

class Folder : public testing::Test {
protected:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "hinge0-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
    }
    ~Folder() override { std::filesystem::remove_all(folder); }

    std::filesystem::path put(const std::string &name, std::string_view bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return folder / name;
    }

    std::filesystem::path folder;
};

} // namespace hinge0::test
