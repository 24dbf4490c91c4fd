#pragma once
/// Many classes, for Python.
#include <nanobind/nanobind.h>

namespace hinge0::python {

/// Classifier, fit_classes, class_decisions, class_values, predict_classes, verify_classes.
void add_classes(nanobind::module_ &module);

} // namespace hinge0::python
