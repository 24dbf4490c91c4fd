#pragma once
/// The minimum that a start leads to: what it classifies well is kept, the hard-margin SVM of that
/// is a local minimum of F, and nothing is searched. It predicts better than lower minima
/// (docs/choosing.md).
#include <memory>
#include <mutex>

#include "core/watch.hpp"
#include "gram/columns/column_cache.hpp"
#include "solver/hinge_start.hpp"
#include "solver/margins.hpp"

namespace hinge0 {

/// Precision of the hinge SVM that says what is kept: its margins matter, not only its signs.
inline constexpr double first_minimum_eps = 0.02;

/// The hard-margin SVM of a kept set.
struct Minimum {
    Vector y;   ///< the samples' signs
    Flags kept; ///< as asked for
    Vector coefficients;
    Margins margins;
    double bias = 0, half_norm_squared = 0;
    Index support_vectors = 0; ///< 0: a constant classifier
    int steps = 0;             ///< of the active set
};

/// What fits of the same rows share: the hinge path, and the last minimum, which does not depend on
/// the prices as long as the same samples are kept.
class FirstMinima {
public:
    /// Keeps what has at least this margin, solves, and thins that out. Constant if only one class
    /// is kept. All fits that share this must thin out alike.
    [[nodiscard]] std::shared_ptr<const Minimum> of(const Vector &margins, double least,
                                                    double thin, const Vector &y,
                                                    ColumnCache &columns, int threads,
                                                    Watch &watch);
    [[nodiscard]] HingePath &hinge_path() noexcept { return hinge_path_; }

private:
    [[nodiscard]] std::shared_ptr<const Minimum> recall(const Vector &y, const Flags &kept);

    HingePath hinge_path_;
    std::mutex mutex_;
    std::shared_ptr<const Minimum> last_;
};

} // namespace hinge0
