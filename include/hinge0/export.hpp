#pragma once
/// Models for other programs, and from them.
#include <string>
#include <string_view>

#include "hinge0/classifier.hpp"

namespace hinge0 {

/// A model file of LIBSVM, which its svm-predict reads: linear, poly, rbf and precomputed kernels,
/// labels that are whole numbers, one-vs-one. Throws InvalidInput, saying why, on all else. LIBSVM
/// does not scale: what the model is given must be scaled before, see libsvm_range.
[[nodiscard]] std::string to_libsvm(const Classifier &classifier);
/// The scaling of a model as svm-scale -r reads it. Throws InvalidInput if the model has none.
[[nodiscard]] std::string libsvm_range(const Classifier &classifier);
/// The classifier of a LIBSVM model file (C-SVC or nu-SVC with a kernel that hinge0 has); `name` is
/// for messages. Its training data is not known: rows are numbered from 1, and nothing can be
/// verified. Throws FileError "<what>: <name>:<line>".
[[nodiscard]] Classifier from_libsvm(std::string_view text, const std::string &name);

struct COptions {
    std::string name = "model"; ///< what all names begin with
    bool single = false;        ///< float instead of double
};
/// One C99 header without dependencies: tables and functions that take no memory. All kernels but
/// precomputed. Throws InvalidInput if the name is none in C.
[[nodiscard]] std::string to_c(const Classifier &classifier, const COptions &options = {});

} // namespace hinge0
