#pragma once
/// Questions and answers as bytes: numbers as they are in memory, lists with their length before
/// them. All machines of a cluster are taken to be alike.
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
    template <class T> void put_list(std::span<const T> values) {
        put(static_cast<Index>(values.size()));
        bytes_.append(reinterpret_cast<const char *>(values.data()), values.size_bytes());
    }
    void put(const Vector &values) {
        put_list(std::span(values.data(), static_cast<std::size_t>(values.size())));
    }
    /// Numbers of rows, from 0, each above the last: the gaps between them, seven bits to a byte.
    /// Of one row in a hundred it takes a byte or two, not eight.
    void put_rising(std::span<const Index> rows);
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
    template <class T> [[nodiscard]] std::vector<T> get_list() {
        const auto count = get<std::size_t>();
        const char *const from = next(count, sizeof(T));
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
        return values;
    }
    [[nodiscard]] Vector get_vector() {
        const std::vector<double> values = get_list<double>();
        return Eigen::Map<const Vector>(values.data(), std::ssize(values));
    }
    [[nodiscard]] std::vector<Index> get_rising();
    [[nodiscard]] Samples get_samples();
    [[nodiscard]] Kernel get_kernel(Index features);

private:
    /// The next `count` pieces of so many bytes.
    [[nodiscard]] const char *next(std::size_t count, std::size_t each);

    std::string_view bytes_;
};

/// One after the other; sparse if any is.
[[nodiscard]] Samples joined(const std::vector<Samples> &parts, Index features);

} // namespace hinge0
