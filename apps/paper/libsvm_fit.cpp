/// LIBSVM's C-SVC on the same rows, through its C interface.
#include <libsvm/svm.h>

#include <chrono>
#include <memory>

#include "../hinge0/report_text.hpp"
#include "fits.hpp"
#include "hinge0/error.hpp"

namespace hinge0::paper {
namespace {

/// Dense rows as LIBSVM wants them: (index from 1, value) pairs, each row ended by index -1.
class Nodes {
public:
    explicit Nodes(const Dataset &data) {
        const auto &samples = std::get<DenseRows>(data.samples());
        const auto width = static_cast<std::size_t>(samples.cols()) + 1;
        nodes_.reserve(width * static_cast<std::size_t>(samples.rows()));
        for (Index i = 0; i < samples.rows(); ++i) {
            for (Index f = 0; f < samples.cols(); ++f)
                nodes_.push_back({static_cast<int>(f) + 1, samples(i, f)});
            nodes_.push_back({-1, 0});
        }
        for (std::size_t i = 0; i < nodes_.size(); i += width) rows.push_back(&nodes_[i]);
    }
    std::vector<svm_node *> rows;

private:
    std::vector<svm_node> nodes_;
};

double libsvm_accuracy(const svm_model &model, const Nodes &nodes, const Vector &signs) {
    Index right = 0;
    for (std::size_t i = 0; i < nodes.rows.size(); ++i)
        if (svm_predict(&model, nodes.rows[i]) == signs(static_cast<Index>(i))) ++right;
    return 100.0 * static_cast<double>(right) / static_cast<double>(signs.size());
}

} // namespace

Outcome fit_libsvm(const Problem &problem, const char *method, double C) {
    const auto begin = std::chrono::steady_clock::now();
    Nodes nodes(problem.train);
    Vector signs = problem.train.signs();
    const svm_problem rows{static_cast<int>(signs.size()), signs.data(), nodes.rows.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = problem.rho;
    parameter.C = C;
    parameter.eps = 1e-3; // LIBSVM's own defaults from here on
    parameter.cache_size = 100;
    parameter.shrinking = 1;
    svm_set_print_string_function([](const char *) {});
    const auto free_model = [](svm_model *model) { svm_free_and_destroy_model(&model); };
    const std::unique_ptr<svm_model, decltype(free_model)> model(svm_train(&rows, &parameter),
                                                                 free_model);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return {.method = method,
            .kernel = cli::in_words(RbfKernel{problem.rho}),
            .C = C,
            .status = "converged",
            .train = libsvm_accuracy(*model, nodes, problem.train.signs()),
            .test = libsvm_accuracy(*model, Nodes(problem.test), problem.test.signs()),
            .support_vectors = model->l,
            .seconds = seconds.count()};
}

} // namespace hinge0::paper
