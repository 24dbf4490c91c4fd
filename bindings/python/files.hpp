#pragma once
/// Classifiers from files and into them.
#include "arrays.hpp"

namespace hinge0::python {

void add_files(nb::module_ &module);

} // namespace hinge0::python
