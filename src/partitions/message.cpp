/// Samples and kernels as bytes, and back.
#include "partitions/message.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

[[noreturn]] void refuse() { throw InvalidInput("a message that was cut off or changed"); }

DenseRows dense_of(const std::vector<double> &values, Index rows, Index features) {
    const Index size = std::ssize(values);
    if (features < 1 || size % features != 0 || size / features != rows) refuse();
    return Eigen::Map<const DenseRows>(values.data(), rows, features);
}

SparseRows sparse_of(const std::vector<int> &first, const std::vector<int> &columns,
                     const std::vector<double> &values, Index features) {
    const bool fits = !first.empty() && first.front() == 0 &&
                      std::is_sorted(first.begin(), first.end()) &&
                      first.back() == std::ssize(values) && columns.size() == values.size();
    if (!fits || features < 1) refuse();
    SparseRows rows(std::ssize(first) - 1, features);
    rows.resizeNonZeros(std::ssize(values));
    std::copy(first.begin(), first.end(), rows.outerIndexPtr());
    std::copy(columns.begin(), columns.end(), rows.innerIndexPtr());
    std::copy(values.begin(), values.end(), rows.valuePtr());
    for (Index i = 0; i < rows.rows(); ++i) {
        Index last = -1;
        for (SparseRows::InnerIterator it(rows, i); it; ++it) {
            if (it.index() <= last || it.index() >= features) refuse();
            last = it.index();
        }
    }
    return rows;
}

} // namespace

void Writer::put_rising(std::span<const Index> rows) {
    put(static_cast<Index>(rows.size()));
    Index last = -1;
    for (const Index row : rows) {
        // unsigned: the largest number from -1 on does not fit a signed gap
        auto gap = static_cast<std::uint64_t>(row) - static_cast<std::uint64_t>(last) - 1;
        for (; gap >= 128; gap >>= 7) put(static_cast<std::uint8_t>(gap | 128));
        put(static_cast<std::uint8_t>(gap));
        last = row;
    }
}

std::vector<Index> Reader::get_rising() {
    const auto count = get<std::size_t>();
    if (count > bytes_.size()) refuse();
    std::vector<Index> rows;
    rows.reserve(count);
    std::uint64_t last = ~std::uint64_t{0};
    for (std::size_t k = 0; k < count; ++k) {
        std::uint64_t gap = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = get<std::uint8_t>();
            if (shift > 56) refuse();
            gap |= static_cast<std::uint64_t>(byte & 127U) << shift;
            if (byte < 128) break;
        }
        last += gap + 1;
        if (last > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) refuse();
        rows.push_back(static_cast<Index>(last));
    }
    return rows;
}

void Writer::put(const Samples &samples) {
    put(feature_count(samples));
    put(static_cast<Index>(samples.index()));
    if (const auto *const dense = std::get_if<DenseRows>(&samples)) {
        put(dense->rows());
        put_list(std::span(dense->data(), static_cast<std::size_t>(dense->size())));
        return;
    }
    const auto &rows = std::get<SparseRows>(samples);
    const auto entries = static_cast<std::size_t>(rows.nonZeros());
    put_list(std::span(rows.outerIndexPtr(), static_cast<std::size_t>(rows.rows()) + 1));
    put_list(std::span(rows.innerIndexPtr(), entries));
    put_list(std::span(rows.valuePtr(), entries));
}

Samples Reader::get_samples() {
    const auto features = get<Index>();
    if (get<Index>() == 0) {
        const auto rows = get<Index>();
        return dense_of(get_list<double>(), rows, features);
    }
    const auto first = get_list<int>(), columns = get_list<int>();
    return sparse_of(first, columns, get_list<double>(), features);
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
    for (const double number : {gamma, coef0, beta, degree}) put(number);
}

Kernel Reader::get_kernel(Index features) {
    const std::vector<char> word = get_list<char>();
    KernelParameters parameters;
    parameters.gamma = get<double>();
    parameters.coef0 = get<double>();
    parameters.beta = get<double>();
    parameters.degree = static_cast<int>(get<double>());
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
