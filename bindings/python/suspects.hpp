#pragma once
/// Rows whose labels are probably wrong, for Python.
#include <nanobind/nanobind.h>

namespace hinge0::python {

void add_suspects(nanobind::module_ &module);

} // namespace hinge0::python
