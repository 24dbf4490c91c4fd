#pragma once
/// What a fit and a cross-validation are given alike: a kernel by its name, and labelled rows.
#include <string>

#include "arrays.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/kernel.hpp"

namespace hinge0::python {

/// A kernel as the command line names it.
struct KernelOptions {
    std::string name;
    KernelParameters parameters;

    KernelOptions(std::string word, const Gamma &gamma, int degree, double coef0, double beta);
};

[[nodiscard]] Dataset dataset_of(Samples samples, const Signs &signs);
/// Rows with classes that are called by their numbers.
[[nodiscard]] LabelledData labelled(Samples samples, const Integers &labels, Index classes);

} // namespace hinge0::python
