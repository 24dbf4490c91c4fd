/// JSON by nlohmann-json, which refuses all that is not JSON and numbers beyond double.
#include "model/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/memory.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

using Json = nlohmann::json;
using Event = Json::parse_event_t;

/// What the parsed document takes at most, by its punctuation.
double parsed_bytes(std::string_view text) {
    double bytes = 0;
    for (const char c : text) bytes += c == ',' ? 40 : (c == '[' || c == '{' ? 120 : 1);
    return bytes;
}

/// Of two equal keys readers keep either: what a document means must not depend on that.
class Watch {
public:
    bool operator()(int depth, Event event, Json &parsed) {
        constexpr int deepest = 8;
        if (depth > deepest) throw InvalidInput("nested deeper than any model");
        if (event == Event::object_start) keys_.emplace_back();
        if (event == Event::object_end) keys_.pop_back();
        if (event == Event::key) {
            const auto &key = parsed.get_ref<const std::string &>();
            if (!keys_.back().insert(key).second)
                throw InvalidInput(fmt::format("the key {} occurs twice", in_quotes(key)));
        }
        return true;
    }

private:
    std::vector<std::set<std::string>> keys_; ///< of all objects that are not at their end
};

} // namespace

Json parse_json(std::string_view text, const std::string &file) {
    constexpr double without_asking = 1 << 20;
    if (const double bytes = parsed_bytes(text); bytes > without_asking)
        require_memory(bytes, 0, "reading the model", "use a machine with more memory");
    Watch watch;
    try {
        return Json::parse(text, std::ref(watch));
    } catch (const InvalidInput &error) {
        throw FileError(error.what(), file);
    } catch (const Json::parse_error &error) {
        const auto before = text.substr(0, std::min(error.byte, text.size()));
        throw FileError("not JSON, or cut off",
                        fmt::format("{}:{}", file, 1 + std::ranges::count(before, '\n')));
    } catch (const Json::out_of_range &) {
        throw FileError("a number is too large for double precision", file);
    }
}

void JsonValue::fail(const std::string &what) const {
    throw FileError(fmt::format("{} {}", place_, what), file_);
}

void JsonValue::expect_keys(const std::vector<std::string_view> &keys) const {
    if (!value_.is_object()) fail("must be an object");
    for (const std::string_view key : keys)
        if (!value_.contains(key)) fail(fmt::format("has no \"{}\"", key));
    for (const auto &member : value_.items())
        if (std::ranges::find(keys, member.key()) == keys.end())
            fail(fmt::format("has an unknown key {}", in_quotes(member.key())));
}

JsonValue JsonValue::operator[](const std::string &key) const {
    if (!value_.is_object()) fail("must be an object");
    const auto found = value_.find(key);
    if (found == value_.end()) fail(fmt::format("has no \"{}\"", key));
    return {*found, place_ + "." + key, file_};
}

std::size_t JsonValue::size() const {
    if (!value_.is_array()) fail("must be an array");
    return value_.size();
}

JsonValue JsonValue::operator[](std::size_t i) const {
    return {value_[i], fmt::format("{}[{}]", place_, i), file_};
}

std::string JsonValue::text() const {
    if (!value_.is_string()) fail("must be text");
    return value_.get<std::string>();
}

double JsonValue::number() const {
    if (!value_.is_number()) fail("must be a number");
    return value_.get<double>();
}

Index JsonValue::integer(Index least, Index most) const {
    const bool beyond =
        value_.is_number_unsigned() &&
        value_.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Index>::max()};
    if (!value_.is_number_integer() || beyond || value_.get<Index>() < least ||
        value_.get<Index>() > most)
        fail(fmt::format("must be a whole number from {} to {}", least, most));
    return value_.get<Index>();
}

Vector JsonValue::numbers(Index count) const {
    const auto found = static_cast<Index>(size());
    if (count >= 0 && found != count)
        fail(fmt::format("must have {} numbers, got {}", count, found));
    Vector result(found);
    for (std::size_t i = 0; i < value_.size(); ++i) {
        if (!value_[i].is_number()) (*this)[i].fail("must be a number");
        result(static_cast<Index>(i)) = value_[i].get<double>();
    }
    return result;
}

std::vector<Index> JsonValue::rising(Index least, Index most) const {
    std::vector<Index> result(size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = (*this)[i].integer(least, most);
        least = result[i] + 1;
    }
    return result;
}

} // namespace hinge0
