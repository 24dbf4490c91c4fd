#pragma once
/// --grid: which kernels, and which values of C and gamma, are tried.
#include <string>
#include <vector>

#include "hinge0/tune.hpp"

namespace hinge0::cli {

/// "0.5,1,2", "2^-3..2^5" (all powers between), or both mixed: rising numbers, each once. Throws
/// UsageError naming `option`.
[[nodiscard]] std::vector<double> grid_values(const std::string &option, const std::string &text);

/// What --grid NAME=VALUES says, for kernel, C, gamma and gamma/scale (multiples of 1/(d var X)).
class GridOption {
public:
    /// Throws UsageError unless all is well-formed and no name occurs twice.
    explicit GridOption(const std::vector<std::string> &words);
    /// The default grid with what was said in its place. Throws UsageError for a gamma of a kernel
    /// that has none.
    [[nodiscard]] Grid apply(Grid grid, const Recipe &recipe, const Samples &samples) const;
    [[nodiscard]] const std::vector<std::string> &kernels() const { return kernels_; }
    [[nodiscard]] bool says_C() const { return !C_.empty(); }
    [[nodiscard]] bool says_gamma() const { return !gamma_.empty(); }

private:
    std::vector<std::string> kernels_{};
    std::vector<double> C_, gamma_;
    bool is_relative_ = false;
};

} // namespace hinge0::cli
