/// Samples and kernels as bytes, and back.
#include "partitions/message.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

[[noreturn]] void refuse() { throw InvalidInput("a message that was cut off or changed"); }

SparseRows sparse_of(const std::vector<int> &first, const std::vector<int> &columns,
                     const std::vector<double> &values, Index features) {
    SparseRows rows(std::ssize(first) - 1, features);
    rows.resizeNonZeros(std::ssize(values));
    std::copy(first.begin(), first.end(), rows.outerIndexPtr());
    std::copy(columns.begin(), columns.end(), rows.innerIndexPtr());
    std::copy(values.begin(), values.end(), rows.valuePtr());
    return rows;
}

} // namespace

void Writer::put_count(std::uint64_t count) {
    for (; count >= 128; count >>= 7) put(static_cast<std::uint8_t>(count | 128));
    put(static_cast<std::uint8_t>(count));
}

std::uint64_t Reader::get_count() {
    std::uint64_t count = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = get<std::uint8_t>();
        if (shift > 56) refuse();
        count |= static_cast<std::uint64_t>(byte & 127U) << shift;
        if (byte < 128) return count;
    }
}

std::size_t Reader::get_length() {
    const std::uint64_t count = get_count();
    if (count > bytes_.size()) refuse();
    return count;
}

void Writer::put_number(double value) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    const int size = 8 - std::countr_zero(bits) / 8;
    put(static_cast<std::uint8_t>(size));
    for (int k = 0; k < size; ++k, bits <<= 8) put(static_cast<std::uint8_t>(bits >> 56));
}

double Reader::get_number() {
    const auto size = get<std::uint8_t>();
    if (size > 8) refuse();
    std::uint64_t bits = 0;
    for (unsigned k = 0; k < size; ++k)
        bits |= static_cast<std::uint64_t>(get<std::uint8_t>()) << (56 - 8 * k);
    return std::bit_cast<double>(bits);
}

void Writer::put_numbers(const Vector &values) {
    put_count(static_cast<std::uint64_t>(values.size()));
    for (const double value : values) put_number(value);
}

Vector Reader::get_numbers() {
    Vector values(static_cast<Index>(get_length()));
    for (double &value : values) value = get_number();
    return values;
}

void Writer::put_rising(std::span<const Index> rows, Index from) {
    put_count(rows.size());
    // unsigned: the largest number from -1 on does not fit a signed gap
    auto next = static_cast<std::uint64_t>(from);
    for (const Index row : rows) {
        put_count(static_cast<std::uint64_t>(row) - next);
        next = static_cast<std::uint64_t>(row) + 1;
    }
}

std::vector<Index> Reader::get_rising(Index from) {
    std::vector<Index> rows(get_length());
    auto next = static_cast<std::uint64_t>(from);
    for (Index &row : rows) {
        next += get_count();
        if (next > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) refuse();
        row = static_cast<Index>(next++);
    }
    return rows;
}

void Writer::put(const Samples &samples) {
    put_count(static_cast<std::uint64_t>(feature_count(samples)));
    put_count(samples.index());
    put_count(static_cast<std::uint64_t>(row_count(samples)));
    if (const auto *const dense = std::get_if<DenseRows>(&samples)) {
        put_list(std::span(dense->data(), static_cast<std::size_t>(dense->size())));
        return;
    }
    const auto &rows = std::get<SparseRows>(samples);
    std::vector<Index> columns;
    for (Index i = 0; i < rows.rows(); ++i) {
        columns.clear();
        for (SparseRows::InnerIterator it(rows, i); it; ++it) columns.push_back(it.index());
        put_rising(columns);
    }
    put_list(std::span(rows.valuePtr(), static_cast<std::size_t>(rows.nonZeros())));
}

Samples Reader::get_samples() {
    const auto features = static_cast<Index>(get_count());
    const std::uint64_t kind = get_count();
    if (features < 1 || kind > 1) refuse();
    if (kind == 0) {
        const std::uint64_t rows = get_count();
        const auto values = get_list<double>();
        const std::size_t width = static_cast<std::size_t>(features);
        if (values.size() % width != 0 || values.size() / width != rows) refuse();
        return Eigen::Map<const DenseRows>(values.data(), static_cast<Index>(rows), features);
    }
    std::vector<int> first(get_length() + 1, 0), columns;
    for (std::size_t i = 1; i < first.size(); ++i) {
        for (const Index column : get_rising()) {
            if (column >= features) refuse();
            columns.push_back(static_cast<int>(column));
        }
        first[i] = static_cast<int>(columns.size());
    }
    const auto values = get_list<double>();
    if (values.size() != columns.size()) refuse();
    return sparse_of(first, columns, values, features);
}

void Writer::put(const Kernel &kernel) {
    const std::string_view word = name(kernel);
    put_list(std::span(word.data(), word.size()));
    double gamma = 1, coef0 = 0, beta = 0.5, degree = 3;
    for_each_parameter(kernel, [&](std::string_view key, auto value) {
        const auto number = static_cast<double>(value);
        if (key == "gamma") gamma = number;
        if (key == "coef0") coef0 = number;
        if (key == "beta") beta = number;
        if (key == "degree") degree = number;
    });
    for (const double number : {gamma, coef0, beta, degree}) put_number(number);
}

Kernel Reader::get_kernel(Index features) {
    const std::vector<char> word = get_list<char>();
    KernelParameters parameters;
    parameters.gamma = get_number();
    parameters.coef0 = get_number();
    parameters.beta = get_number();
    parameters.degree = static_cast<int>(get_number());
    return make_kernel({word.data(), word.size()}, parameters, features);
}

const char *Reader::next(std::size_t count, std::size_t each) {
    if (count > bytes_.size() / each) refuse();
    const char *const here = bytes_.data();
    bytes_.remove_prefix(count * each);
    return here;
}

Samples joined(const std::vector<Samples> &parts, Index features) {
    Index rows = 0;
    bool dense = true;
    for (const Samples &part : parts) {
        rows += row_count(part);
        dense &= std::holds_alternative<DenseRows>(part);
    }
    if (dense) {
        DenseRows all(rows, features);
        Index at = 0;
        for (const Samples &part : parts) {
            all.middleRows(at, row_count(part)) = std::get<DenseRows>(part);
            at += row_count(part);
        }
        return all;
    }
    std::vector<Eigen::Triplet<double, int>> entries;
    int at = 0;
    for (const Samples &part : parts) {
        const auto *const held = std::get_if<SparseRows>(&part);
        const SparseRows &sparse =
            held != nullptr ? *held : SparseRows(std::get<DenseRows>(part).sparseView());
        for (Index i = 0; i < sparse.rows(); ++i, ++at)
            for (SparseRows::InnerIterator it(sparse, i); it; ++it)
                entries.emplace_back(at, static_cast<int>(it.index()), it.value());
    }
    SparseRows all(rows, features);
    all.setFromTriplets(entries.begin(), entries.end());
    return all;
}

} // namespace hinge0
