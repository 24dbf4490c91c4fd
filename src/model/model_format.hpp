#pragma once
/// What the writer and the parser of model files have in common.
#include <cstdint>
#include <string>
#include <string_view>

namespace hinge0::model_format {

inline constexpr std::string_view magic = "hinge0-model ";
inline constexpr int newest = 2; ///< format
inline constexpr std::string_view checksum_key = "checksum fnv1a64 ";

/// FNV-1a, 64 bits. Against accidents only: every step is a bijection, so that one changed byte
/// always shows; anybody can compute it, so that it proves no origin.
[[nodiscard]] constexpr std::uint64_t fnv1a64(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3u;
    }
    return hash;
}

[[nodiscard]] constexpr bool must_escape(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code <= 0x20 || code == 0x7f || byte == '%';
}

/// Any bytes as one word: "%20" for a space, "%" alone for the empty text.
[[nodiscard]] std::string escape(std::string_view text);

} // namespace hinge0::model_format
