#pragma once
/// Models for other programs, and from them.
#include <filesystem>
#include <string>
#include <string_view>

#include "hinge0/classifier.hpp"

namespace hinge0 {

/// A model file of LIBSVM, which its svm-predict reads: linear, poly, rbf and precomputed kernels,
/// labels that are whole numbers, one-vs-one, and probabilities by sigmoids. Throws InvalidInput,
/// saying why, on all else but an isotonic calibration, which is left out. LIBSVM does not scale:
/// what the model is given must be scaled before, see libsvm_range.
[[nodiscard]] std::string to_libsvm(const Classifier &classifier);
/// The scaling of a model as svm-scale -r reads it. Throws InvalidInput if the model has none.
[[nodiscard]] std::string libsvm_range(const Classifier &classifier);
/// The classifier of a LIBSVM model file (C-SVC or nu-SVC with a kernel that hinge0 has); `name` is
/// for messages. Its training data is not known: training_rows is 0, nothing can be verified, and
/// there may be more features than its support vectors have (see widen). Throws FileError "<what>:
/// <name>:<line>".
[[nodiscard]] Classifier from_libsvm(std::string_view text, const std::string &name);

struct COptions {
    std::string name = "model"; ///< what all names begin with
    bool single = false;        ///< float instead of double
};
/// One C99 header without dependencies: tables and functions that take no memory. All kernels but
/// precomputed. Throws InvalidInput if the name is none in C.
[[nodiscard]] std::string to_c(const Classifier &classifier, const COptions &options = {});

/// An ONNX model of plain operators (docs/export.md). Input "X": float [rows, features]; outputs
/// "label", "scores" and, of a calibrated classifier, "probabilities". All kernels but precomputed.
[[nodiscard]] std::string to_onnx(const Classifier &classifier);

/// All that a model file holds, as JSON (docs/export.md). from_json gives back the same bits; it
/// throws FileError "<what>: <name>".
[[nodiscard]] std::string to_json(const Classifier &classifier);
[[nodiscard]] Classifier from_json(std::string_view text, const std::string &name);

/// The text for a program: "libsvm", "c", "onnx" or "json"; only c has options. Throws
/// InvalidInput on another word.
[[nodiscard]] std::string exported(const Classifier &classifier, std::string_view to,
                                   const COptions &options = {});
/// The same into a file, all or nothing. Of a classifier that scales, libsvm has a second one:
/// libsvm_range in FILE.range.
void export_model(const Classifier &classifier, const std::filesystem::path &file,
                  std::string_view to, const COptions &options = {});
/// A file of LIBSVM, or JSON of hinge0: told by its content.
[[nodiscard]] Classifier import_model(const std::filesystem::path &file);

} // namespace hinge0
