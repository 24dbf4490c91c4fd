#pragma once
/// The choice of C and gamma for Python: splits, grid, cross-validation, ranking.
#include <nanobind/nanobind.h>

namespace hinge0::python {

namespace nb = nanobind;

void add_tuning(nb::module_ &module);

} // namespace hinge0::python
