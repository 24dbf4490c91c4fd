/// The comparison with other losses. They are no part of the public Loss, so their ADMM is called
/// below the Solver.
#include "other_losses.hpp"

#include <chrono>

#include "../hinge0/report_text.hpp"
#include "core/threads.hpp"
#include "hinge0/train.hpp"
#include "solver/admm.hpp"

namespace hinge0::paper {

std::vector<OtherLoss> other_losses() {
    return {RampLoss{},
            TruncatedSquaresLoss{},
            PinballLoss{},
            TruncatedPinballLoss{},
            TruncatedHuberLoss{},
            TruncatedScadLoss{},
            SmoothExponentialLoss{},
            SmoothLogLoss{}};
}

Outcome fit_other(const Problem &problem, const OtherLoss &loss, int threads) {
    const auto begin = std::chrono::steady_clock::now();
    const Kernel kernel = RbfKernel{problem.rho};
    const Vector &y = problem.train.signs();
    const Settings settings{.method = Method::admm,
                            .sigma = losses_sigma,
                            .max_iterations = losses_iterations,
                            .threads = threads};
    const Vector prices = Vector::Constant(y.size(), losses_C);
    MemoryBudget memory;
    Watch watch;
    const auto gram = make_gram(problem.train.samples(), kernel, memory);
    ShiftedFactor factor(*gram, 1.0 / settings.sigma, thread_count(threads), memory, watch);
    bool moved = false;
    // convex or not, these losses leave the zero classifier from any start: the hinge's will do
    const Vector start = start_multipliers(prices, settings, HingeLoss{}, moved);
    const AdmmResult result = admm(factor, y, prices, loss, settings, start, watch);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

    Solution solution;
    solution.coefficients = -y.cwiseProduct(result.lambda);
    solution.bias = result.b;
    const Model model = Solver(problem.train.samples(), kernel)
                            .model(solution, {.C = losses_C}, problem.train.classes());
    return {.method = std::string(name(loss)),
            .kernel = cli::in_words(kernel),
            .C = losses_C,
            .status = std::string(to_string(result.status)),
            .train = accuracy(model, problem.train),
            .test = accuracy(model, problem.test),
            .support_vectors = model.coefficients.size(),
            .seconds = seconds.count(),
            .iterations = result.iterations,
            .worst_beta = result.residuals.worst()};
}

Outcome fit_linear(const Problem &problem, double C, int threads) {
    const Fit fit = train(problem.train, LinearKernel{}, {.C = C}, {.threads = threads});
    return {.method = "l0-svm-linear",
            .kernel = cli::in_words(fit.model.kernel),
            .C = C,
            .status = std::string(to_string(fit.report.status)),
            .train = 100 * fit.report.train_accuracy,
            .test = accuracy(fit.model, problem.test),
            .support_vectors = fit.report.support_vectors,
            .seconds = fit.report.seconds.total,
            .iterations = fit.report.iterations,
            .objective = fit.report.objective,
            .certificate = fit.report.certificate,
            .on_margin = on_margin(fit.model, 1e-6)};
}

} // namespace hinge0::paper
