#pragma once
/// What training leaves behind: all that prediction and verification need, and nothing else.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "hinge0/dataset.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/loss.hpp"
#include "hinge0/report.hpp"

namespace hinge0 {

/// h(x) = sum_j coefficients_j k(support_j, x) + bias; class +1 if h(x) > 0, else -1.
struct Model {
    Kernel kernel;
    std::array<std::string, 2> classes{"-1", "1"}; ///< the labels of -1 and +1
    Index features = 0; ///< columns that prediction expects (precomputed: training rows)
    Scaling scaling;    ///< applied to samples before the kernel; may be empty
    double bias = 0;
    Vector coefficients;     ///< one per support vector, none zero
    Samples support;         ///< the support vectors, already scaled (precomputed: no columns)
    std::vector<Index> rows; ///< which training row each support vector is, from 0, rising

    // How it was trained, for `verify` and `info`.
    Loss loss = L0Loss{};
    double C = 1.0;
    std::array<double, 2> class_weight{1.0, 1.0};
    Index training_rows = 0; ///< 0: not known, it was trained by another program
    Status status = Status::converged;
    double objective = 0;
};

/// Throws InvalidInput unless the parts fit each other and are in range. For models that were put
/// together by hand: the functions below rely on it, `train` and `load_model` see to it.
void validate(const Model &model);

/// h(x) for every row. `samples` are unscaled; sparse rows may have fewer columns than the model.
/// Throws InvalidInput when the features do not fit. threads = 0: all cores.
[[nodiscard]] Vector decision_function(const Model &model, const Samples &samples, int threads = 0);
/// Whether h(x) > 0, for every row: what decision_function() says, sooner, because an rbf kernel is
/// evaluated in single precision where that is enough to tell the sign.
using Sides = Eigen::Array<bool, Eigen::Dynamic, 1>;
[[nodiscard]] Sides positive_sides(const Model &model, const Samples &samples, int threads = 0);
/// The labels of every row.
[[nodiscard]] std::vector<std::string> predict(const Model &model, const Samples &samples,
                                               int threads = 0);

/// Text, versioned, checksummed (docs/model-format.md). Written to a temporary name beside `file`,
/// synced, renamed: after a crash the old file or the new one is there, never a torn one.
void save(const Model &model, const std::filesystem::path &file);
/// Throws FileError "<what>: <file>:<line>" on anything that is not a well-formed model.
[[nodiscard]] Model load_model(const std::filesystem::path &file);

} // namespace hinge0
