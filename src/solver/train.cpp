/// One call for the whole road.
#include "hinge0/train.hpp"

namespace hinge0 {

Fit train(Dataset data, Kernel kernel, const Objective &objective, const Settings &settings,
          const Observer &observer, const std::optional<Vector> &start) {
    const Vector signs = data.signs();
    const std::array<std::string, 2> classes = data.classes();
    const Solver solver(std::move(data).samples(), kernel);
    const Solution solution = solver.solve(signs, objective, settings, observer, start);
    return {solver.model(solution, objective, classes), solution.report};
}

Fit train(Dataset data, const Recipe &recipe, const Observer &observer,
          const std::optional<Vector> &start) {
    Scaling scaling;
    if (recipe.standardize) {
        scaling = standard_scaling(data.samples(), recipe.objective.sample_weight);
        data = data.with_samples(scaled(scaling, data.samples()));
    }
    const Kernel kernel = make_kernel(recipe.kernel, recipe.parameters, data.samples(),
                                      recipe.objective.sample_weight);
    Fit fit = train(std::move(data), kernel, recipe.objective, recipe.settings, observer, start);
    fit.model.scaling = scaling;
    return fit;
}

} // namespace hinge0
