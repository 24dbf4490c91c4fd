/// Copies between the memory of NumPy and that of the library.
#include "arrays.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "hinge0/error.hpp"

namespace hinge0::python {
namespace {

template <class T> DenseRows dense(const Array2 &array) {
    const auto *const data = static_cast<const T *>(array.data());
    const auto down = array.stride(0), right = array.stride(1);
    DenseRows rows(static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)));
    for (Index i = 0; i < rows.rows(); ++i)
        for (Index j = 0; j < rows.cols(); ++j)
            rows(i, j) = static_cast<double>(data[i * down + j * right]);
    return rows;
}

template <class T, class Use> void each(const Array1 &array, const Use &use) {
    const auto *const data = static_cast<const T *>(array.data());
    for (std::size_t k = 0; k < array.size(); ++k)
        use(static_cast<Index>(k), data[static_cast<std::int64_t>(k) * array.stride(0)]);
}

void copy_indices(const Array1 &array, int *out) {
    const auto put = [&](Index k, auto value) {
        if (value < 0 || value > std::numeric_limits<int>::max())
            throw InvalidInput("a sparse matrix with indices below 0 or beyond 2^31");
        out[k] = static_cast<int>(value);
    };
    if (array.dtype() == nb::dtype<std::int32_t>())
        each<std::int32_t>(array, put);
    else if (array.dtype() == nb::dtype<std::int64_t>())
        each<std::int64_t>(array, put);
    else
        throw InvalidInput("the indices of a sparse matrix must be int32 or int64");
}

void copy_values(const Array1 &array, double *out) {
    const auto put = [&](Index k, auto value) { out[k] = static_cast<double>(value); };
    if (array.dtype() == nb::dtype<double>())
        each<double>(array, put);
    else if (array.dtype() == nb::dtype<float>())
        each<float>(array, put);
    else
        throw InvalidInput("the values must be float32 or float64");
}

/// The library trusts indices; these come from arrays that anybody may have written to.
void check_columns(const SparseRows &rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
        Index last = -1;
        for (SparseRows::InnerIterator it(rows, i); it; ++it) {
            if (it.index() <= last || it.index() >= rows.cols())
                throw InvalidInput("the column indices of sparse row " + std::to_string(i + 1) +
                                   " must rise and be below " + std::to_string(rows.cols()));
            last = it.index();
        }
    }
}

SparseRows sparse(const Csr &csr) {
    const auto &[data, indices, indptr, columns] = csr;
    if (columns < 0 || columns > std::numeric_limits<int>::max())
        throw InvalidInput("a sparse matrix with more than 2^31 columns");
    if (indptr.size() == 0 || data.size() != indices.size())
        throw InvalidInput("a sparse matrix whose parts do not fit each other");
    std::vector<int> first(indptr.size());
    copy_indices(indptr, first.data());
    const auto entries = static_cast<std::size_t>(first.back());
    if (first.front() != 0 || entries != data.size() || !std::is_sorted(first.begin(), first.end()))
        throw InvalidInput("a sparse matrix whose parts do not fit each other");
    SparseRows rows(static_cast<Index>(indptr.size()) - 1, columns);
    rows.resizeNonZeros(static_cast<Index>(entries));
    std::copy(first.begin(), first.end(), rows.outerIndexPtr());
    copy_indices(indices, rows.innerIndexPtr());
    copy_values(data, rows.valuePtr());
    check_columns(rows);
    return rows;
}

} // namespace

Samples to_samples(const Rows &rows) {
    if (const auto *const csr = std::get_if<Csr>(&rows)) return sparse(*csr);
    const auto &array = std::get<Array2>(rows);
    if (array.dtype() == nb::dtype<double>()) return dense<double>(array);
    if (array.dtype() == nb::dtype<float>()) return dense<float>(array);
    throw InvalidInput("the values must be float32 or float64");
}

Vector to_vector(const Doubles &values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

Vector to_vector(const Signs &signs) {
    Vector values(static_cast<Index>(signs.size()));
    for (Index i = 0; i < values.size(); ++i) values(i) = signs.data()[i];
    return values;
}

} // namespace hinge0::python
