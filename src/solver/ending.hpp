#pragma once
/// The end of every solve: from coefficients to a solution of all rows, with its report.
#include "solver/problem.hpp"
#include "solver/workspace.hpp"

namespace hinge0 {

/// What was solved, and how.
struct Solved {
    const Samples &samples;
    const Kernel &kernel;
    const Problem &problem;
    const Objective &objective;
    const Settings &settings;
    Workspace &workspace;
};

/// Columns of the kernel matrix that a workspace had before a solve began.
struct ColumnCount {
    explicit ColumnCount(const Workspace &workspace)
        : seconds(workspace.columns().seconds()), made(workspace.columns().made()) {}
    double seconds;
    long made;
};

/// The rows whose coefficients are not zero.
[[nodiscard]] std::vector<Index> support_rows(const Vector &coefficients);

/// `solution` has coefficients of the problem's rows, bias, status and solver; it gets all else.
/// `kernel_seconds`: of a factor that was made, `seconds`: of all.
void finish_solution(const Solved &solved, const ColumnCount &before, double kernel_seconds,
                     double seconds, Solution &solution);

} // namespace hinge0
