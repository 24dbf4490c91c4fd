#pragma once
/// gzip, bzip2 and xz behind one small interface. The three libraries themselves, because
/// libarchive neither compares gzip's checksum nor tells bytes that follow the end.
#include <memory>
#include <span>
#include <string_view>

namespace hinge0 {

class Decoder {
public:
    struct Step {
        std::size_t consumed = 0, produced = 0;
        bool complete = false;       ///< the bytes so far are whole streams
        const char *error = nullptr; ///< in words; null: none
    };

    virtual ~Decoder() = default;
    /// Decodes as much of `input` as fits `output`. Streams may follow each other. `last`: there is
    /// no more input behind this.
    virtual Step run(std::string_view input, bool last, std::span<char> output) = 0;
};

/// How many bytes make_decoder wants to see.
inline constexpr std::size_t longest_signature = 10;
/// For a file that starts with these bytes; null if it is not compressed.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(std::string_view start);

} // namespace hinge0
