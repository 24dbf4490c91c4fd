#pragma once
/// Reports as dictionaries with the keys of the command line's --json.
#include <nanobind/nanobind.h>

#include "hinge0/hinge0.hpp"

namespace hinge0::python {

namespace nb = nanobind;
using Dict = nb::typed<nb::dict, nb::str, nb::any>;

[[nodiscard]] nb::dict to_dict(const Kernel &kernel);
[[nodiscard]] nb::dict to_dict(const Report &report);
[[nodiscard]] Dict to_dict(const Verification &found);

} // namespace hinge0::python
