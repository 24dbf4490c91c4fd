#pragma once
/// Strict reading of JSON: every value is asked for by its type, and a refusal says where it
/// stands. The text is hostile until shown otherwise.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// The document. Throws FileError "<what>: <file>:<line>" if it is not JSON, has a key twice in an
/// object, or is nested deeper than any model.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string &file);

/// A value of a document, with its place for messages; document and file must live as long.
class JsonValue {
public:
    JsonValue(const nlohmann::json &value, std::string place, const std::string &file)
        : value_(value), place_(std::move(place)), file_(file) {}

    /// It must be an object with these keys and no others.
    void expect_keys(const std::vector<std::string_view> &keys) const;
    [[nodiscard]] JsonValue operator[](const std::string &key) const;

    /// The number of elements; it must be an array.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] JsonValue operator[](std::size_t i) const;

    [[nodiscard]] bool is_null() const { return value_.is_null(); }
    [[nodiscard]] std::string text() const;
    [[nodiscard]] double number() const;
    [[nodiscard]] Index integer(Index least, Index most) const;
    /// An array of numbers; `count` < 0: any number of them.
    [[nodiscard]] Vector numbers(Index count = -1) const;
    /// An array of integers that rise, from `least` on.
    [[nodiscard]] std::vector<Index> rising(Index least, Index most) const;

    [[noreturn]] void fail(const std::string &what) const;

private:
    const nlohmann::json &value_;
    std::string place_;
    const std::string &file_;
};

} // namespace hinge0
