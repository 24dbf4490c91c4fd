#pragma once
/// From labelled data to a model in one call.
#include "hinge0/dataset.hpp"
#include "hinge0/model.hpp"
#include "hinge0/solver.hpp"

namespace hinge0 {

struct Fit {
    Model model;
    Report report;
};

/// All that a fit needs to know besides its data.
struct Recipe {
    std::string kernel = "rbf";
    KernelParameters parameters{.gamma = "scale"};
    bool standardize = false; ///< features to mean 0 and deviation 1; the model remembers how
    Objective objective{};
    Settings settings{};
};

/// The whole road: scaling, kernel, Solver, solve, model. `start` as Solver::solve takes it.
[[nodiscard]] Fit train(Dataset data, const Recipe &recipe, const Observer &observer = {},
                        const std::optional<Vector> &start = {});
/// The same with a kernel that is ready, on features as they are.
[[nodiscard]] Fit train(Dataset data, Kernel kernel, const Objective &objective = {},
                        const Settings &settings = {}, const Observer &observer = {},
                        const std::optional<Vector> &start = {});

} // namespace hinge0
