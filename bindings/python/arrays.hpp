#pragma once
/// NumPy arrays and SciPy's compressed rows, as the library's samples.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "hinge0/types.hpp"

namespace hinge0::python {

namespace nb = nanobind;

using Array1 = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Array2 = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Signs = nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// data, indices, indptr, number of columns
using Csr = std::tuple<Array1, Array1, Array1, Index>;
using Rows = std::variant<Array2, Csr>;

/// One copy, straight into the library's layout: float32 or float64, any strides; CSR with 32- or
/// 64-bit indices that rise in every row. Throws InvalidInput on all else; nothing is trusted.
[[nodiscard]] Samples to_samples(const Rows &rows);
[[nodiscard]] Vector to_vector(const Doubles &values);
[[nodiscard]] Vector to_vector(const Signs &signs);

/// A NumPy array that owns a copy of the values.
template <class T, class Range>
[[nodiscard]] nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(const Range &values) {
    const auto size = static_cast<std::size_t>(std::size(values));
    auto *const copy = new T[size];
    std::copy(std::begin(values), std::end(values), copy);
    nb::capsule owner(copy, [](void *p) noexcept { delete[] static_cast<T *>(p); });
    return {copy, {size}, owner};
}

} // namespace hinge0::python
