#pragma once
/// Messages of Protocol Buffers: the few forms of fields that ONNX files are made of.
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace hinge0::protobuf {

/// Fields one after the other, each behind its number and form.
class Message {
public:
    Message &integer(unsigned field, std::int64_t value) {
        varint(field << 3U);
        varint(static_cast<std::uint64_t>(value));
        return *this;
    }
    Message &bytes(unsigned field, std::string_view value) {
        varint(field << 3U | 2U);
        varint(value.size());
        data_ += value;
        return *this;
    }
    Message &message(unsigned field, const Message &value) { return bytes(field, value.data_); }
    [[nodiscard]] const std::string &data() const noexcept { return data_; }

private:
    /// Seven bits at a time, the lowest first; the eighth says that more follow.
    void varint(std::uint64_t value) {
        for (; value >= 0x80U; value >>= 7U) data_ += static_cast<char>(value | 0x80U);
        data_ += static_cast<char>(value);
    }

    std::string data_;
};

/// The 8 bytes of a number, the lowest first on any machine.
template <class Number> void append_raw(std::string &out, Number value) {
    static_assert(sizeof(Number) == 8);
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8U) out += static_cast<char>(bits & 0xffU);
}

} // namespace hinge0::protobuf
