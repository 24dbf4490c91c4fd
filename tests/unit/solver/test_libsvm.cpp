/// Hinge and squared hinge against LIBSVM: the same convex problems, so the same optimal values.
#include <gtest/gtest.h>
#include <libsvm/svm.h>

#include <memory>

#include "support/problems.hpp"

namespace hinge0 {
namespace {

struct Reference {
    double objective = 0;
    Vector decision; ///< on the training rows
};

/// LIBSVM's C-SVC on a precomputed kernel matrix `dual`; the returned objective and decision values
/// are those of the primal problem with kernel matrix `k` and the given loss.
Reference libsvm(const Matrix &dual, double dual_C, const Matrix &k, const Vector &y, double C,
                 bool squared) {
    const Index m = y.size();
    std::vector<std::vector<svm_node>> rows(static_cast<std::size_t>(m));
    std::vector<svm_node *> pointers;
    for (Index i = 0; i < m; ++i) {
        auto &row = rows[static_cast<std::size_t>(i)];
        row.push_back({0, static_cast<double>(i + 1)});
        for (Index j = 0; j < m; ++j) row.push_back({static_cast<int>(j + 1), dual(i, j)});
        row.push_back({-1, 0});
        pointers.push_back(row.data());
    }
    Vector labels = y;
    const svm_problem problem{static_cast<int>(m), labels.data(), pointers.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = PRECOMPUTED;
    parameter.cache_size = 100;
    parameter.eps = 1e-10;
    parameter.C = dual_C;
    svm_set_print_string_function([](const char *) {});
    svm_model *model = svm_train(&problem, &parameter);
    Vector c = Vector::Zero(m);
    const double sign = model->label[0] > 0 ? 1 : -1; // LIBSVM's h is for its first label
    for (int j = 0; j < model->l; ++j) c(model->sv_indices[j] - 1) = sign * model->sv_coef[0][j];
    const double b = -sign * model->rho[0];
    svm_free_and_destroy_model(&model);
    Reference result;
    result.decision = (k * c).array() + b;
    const Vector u = (1.0 - y.array() * result.decision.array()).max(0.0);
    result.objective = 0.5 * c.dot(k * c) + C * (squared ? u.squaredNorm() : u.sum());
    return result;
}

struct Case {
    double C, gamma, flip;
};
class AgainstLibsvm : public testing::TestWithParam<Case> {
protected:
    Dataset data = test::noisy_moons(160, GetParam().flip, 11);
    Matrix k = test::naive_gram(RbfKernel{GetParam().gamma}, std::get<DenseRows>(data.samples()),
                                std::get<DenseRows>(data.samples()));

    void compare(const Loss &loss, const Reference &reference) {
        for (const Method method : {Method::admm, Method::exact}) compare(loss, reference, method);
    }
    void compare(const Loss &loss, const Reference &reference, Method method) {
        const Fit fit = train(data, RbfKernel{GetParam().gamma}, {.loss = loss, .C = GetParam().C},
                              {.method = method,
                               .sigma = GetParam().C,
                               .tolerance = method == Method::admm ? 1e-12 : 1e-9,
                               .max_iterations = 200000});
        EXPECT_EQ(fit.report.solver, method == Method::admm ? "admm" : "smo");
        EXPECT_EQ(fit.report.status, Status::converged);
        EXPECT_NEAR(fit.report.objective, reference.objective, 1e-5 * reference.objective);
        EXPECT_TRUE(fit.report.certificate.local_minimum);
        const Vector h = decision_function(fit.model, data.samples());
        for (Index i = 0; i < h.size(); ++i) {
            const bool near = std::abs(reference.decision(i)) <= 1e-3;
            EXPECT_TRUE(near || (h(i) > 0) == (reference.decision(i) > 0)) << "row " << i;
        }
        EXPECT_LT((h - reference.decision).cwiseAbs().maxCoeff(), 1e-3);
    }
};
INSTANTIATE_TEST_SUITE_P(Moons, AgainstLibsvm,
                         testing::Values(Case{1, 1, 0}, Case{1, 1, 0.1}, Case{10, 0.5, 0.1},
                                         Case{0.1, 2, 0.2}));

TEST_P(AgainstLibsvm, Hinge) {
    const double C = GetParam().C;
    compare(HingeLoss{}, libsvm(k, C, k, data.signs(), C, false));
}

// max(u, 0)^2 has the dual of a hard margin with kernel K + I/(2C).
TEST_P(AgainstLibsvm, SquaredHinge) {
    const double C = GetParam().C;
    const Matrix shifted = k + Matrix::Identity(k.rows(), k.cols()) / (2 * C);
    compare(SquaredHingeLoss{}, libsvm(shifted, 1e6, k, data.signs(), C, true));
}

} // namespace
} // namespace hinge0
