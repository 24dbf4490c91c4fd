#pragma once
/// Rows in partitions elsewhere, for Python.
#include <nanobind/nanobind.h>

namespace hinge0::python {

/// answer, bytes_needed, fit_partitions.
void add_partitions(nanobind::module_ &module);

} // namespace hinge0::python
