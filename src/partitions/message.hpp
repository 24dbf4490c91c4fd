#pragma once
/// Questions and answers as bytes: lists with their length before them, their entries as they are
/// in memory, and what every message has in as few bytes as it needs. All machines of a cluster are
/// taken to be alike.
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

class Writer {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T &value) { bytes_.append(reinterpret_cast<const char *>(&value), sizeof(T)); }
    /// Seven bits to a byte.
    void put_count(std::uint64_t count);
    /// All its bits, but without the zeros at the end: whole numbers and short fractions are short.
    void put_number(double value);
    void put_numbers(const Vector &values);
    template <class T> void put_list(std::span<const T> values) {
        put_count(values.size());
        bytes_.append(reinterpret_cast<const char *>(values.data()), values.size_bytes());
    }
    /// Numbers of rows, not below `from` and each above the last: the gaps between them. Of one row
    /// in a hundred it takes a byte or two, not eight.
    void put_rising(std::span<const Index> rows, Index from = 0);
    void put(const Samples &samples);
    void put(const Kernel &kernel);
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// Throws InvalidInput where the bytes end too early, or hold what cannot be.
class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    template <class T> [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, next(sizeof(T), 1), sizeof(T));
        return value;
    }
    [[nodiscard]] std::uint64_t get_count();
    [[nodiscard]] double get_number();
    [[nodiscard]] Vector get_numbers();
    template <class T> [[nodiscard]] std::vector<T> get_list() {
        const std::size_t count = get_count();
        const char *const from = next(count, sizeof(T));
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
        return values;
    }
    [[nodiscard]] std::vector<Index> get_rising(Index from = 0);
    [[nodiscard]] Samples get_samples();
    [[nodiscard]] Kernel get_kernel(Index features);

private:
    /// How many things follow that take a byte at least.
    [[nodiscard]] std::size_t get_length();
    /// The next `count` pieces of so many bytes.
    [[nodiscard]] const char *next(std::size_t count, std::size_t each);

    std::string_view bytes_;
};

/// One after the other; sparse if any is.
[[nodiscard]] Samples joined(const std::vector<Samples> &parts, Index features);

} // namespace hinge0
