/// Kernel formulas against their definitions, names, ranges, and the customary gammas.
#include <gtest/gtest.h>

#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

TEST(ScalarMath, ExponentialIsWithinOneUlpOfLibm) {
    double worst = 0;
    for (double x = -700; x < 700; x += 0.00137) {
        const double exact = std::exp(x);
        worst = std::max(worst, std::abs(exponential(x) - exact) / exact);
    }
    EXPECT_LE(worst, 0x1p-52);
}

TEST(ScalarMath, ExponentialOfASingle) {
    double worst = 0;
    for (int i = 0; i <= 870'000; ++i) {
        const float x = -1e-4F * static_cast<float>(i);
        const double exact = std::exp(static_cast<double>(x));
        worst = std::max(worst, std::abs(static_cast<double>(exponential(x)) - exact) / exact);
    }
    EXPECT_LT(worst, 2 * 0x1p-23);
    EXPECT_EQ(exponential(0.0F), 1.0F);
}

TEST(ScalarMath, ExponentialAtTheEdges) {
    EXPECT_EQ(exponential(0.0), 1.0);
    EXPECT_EQ(exponential(-0.0), 1.0);
    EXPECT_EQ(exponential(-1e308), 0.0);
    EXPECT_EQ(exponential(-HUGE_VAL), 0.0);
    EXPECT_GT(exponential(-707.9), 0.0);
}

TEST(ScalarMath, IntegerPower) {
    EXPECT_EQ(integer_power(3.0, 0), 1.0);
    EXPECT_EQ(integer_power(-2.0, 5), -32.0);
    EXPECT_DOUBLE_EQ(integer_power(1.1, 53), std::pow(1.1, 53));
}

TEST(Kernel, FormulasMatchTheDefinitions) {
    const DenseRows x = test::random_rows(12, 5, 1);
    for (const Kernel &kernel : test::every_kernel(5))
        for (Index i = 0; i < x.rows(); ++i)
            for (Index j = 0; j < x.rows(); ++j) {
                const Vector a = x.row(i), z = x.row(j);
                const double value = std::visit(
                    [&]<class K>(const K &k) {
                        if constexpr (ProductKernel<K>)
                            return k.of_product(a.dot(z));
                        else if constexpr (DistanceKernel<K>)
                            return k.of_squared_distance((a - z).squaredNorm());
                        else if constexpr (ManhattanKernel<K>)
                            return k.of_manhattan((a - z).lpNorm<1>());
                        else
                            return 0.0;
                    },
                    kernel);
                EXPECT_NEAR(value, test::naive_kernel(kernel, a, z), 1e-12) << name(kernel);
            }
}

TEST(Kernel, WendlandVanishesBeyondItsRadius) {
    const WendlandKernel k{.gamma = 0.5, .dimension = 7};
    EXPECT_EQ(k.of_squared_distance(4.0), 0.0);
    EXPECT_GT(k.of_squared_distance(3.9), 0.0);
    EXPECT_EQ(k.of_squared_distance(0.0), 1.0);
}

TEST(Kernel, MakeKernelKnowsEveryName) {
    for (const char *text :
         {"linear", "poly", "rbf", "exponential", "imq", "wendland", "laplacian", "precomputed"}) {
        const Kernel kernel = make_kernel(text, {.coef0 = 1.0}, 4);
        EXPECT_EQ(name(kernel), text);
    }
}

TEST(Kernel, RefusesParametersOutOfRangeByName) {
    const auto message = [](const char *kernel, const KernelParameters &parameters) {
        try {
            (void)make_kernel(kernel, parameters, 2);
        } catch (const InvalidInput &e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(message("rbf", {.gamma = 0.0}), "kernel gamma must be a positive number, got 0");
    EXPECT_EQ(message("rbf", {.gamma = std::nan("")}),
              "kernel gamma must be a positive number, got nan");
    EXPECT_EQ(message("imq", {.coef0 = 0}), "kernel coef0 must be a positive number, got 0");
    EXPECT_EQ(message("imq", {.coef0 = 1, .beta = -1}),
              "kernel beta must be a positive number, got -1");
    EXPECT_EQ(message("poly", {.degree = 0}), "kernel degree must be in [1, 100], got 0");
    EXPECT_EQ(message("poly", {.coef0 = -1}), "kernel coef0 must be a number from 0, got -1");
    EXPECT_EQ(message("wrong", {}).substr(0, 22), "unknown kernel 'wrong'");
}

TEST(Kernel, GammaScaleCountsTheZerosOfSparseRows) {
    DenseRows dense(2, 2);
    dense << 1, 0, 0, 3;
    const Samples sparse = SparseRows(dense.sparseView());
    // mean 1, variance (0 + 1 + 1 + 4) / 4 = 1.5, d = 2
    EXPECT_DOUBLE_EQ(gamma_scale(Samples(dense)), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(gamma_scale(sparse), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(gamma_auto(sparse), 0.5);
}

TEST(Kernel, GammaScaleCountsRowsByTheirWeight) {
    const Samples once = (DenseRows(3, 2) << 1, 0, 0, 3, 7, 9).finished();
    const Samples often = (DenseRows(3, 2) << 1, 0, 0, 3, 0, 3).finished();
    const Vector weight = (Vector(3) << 1, 2, 0).finished();
    EXPECT_DOUBLE_EQ(gamma_scale(once, weight), gamma_scale(often));
    const Samples sparse = SparseRows(std::get<DenseRows>(once).sparseView());
    EXPECT_DOUBLE_EQ(gamma_scale(sparse, weight), gamma_scale(often));
}

TEST(Kernel, GammaScaleOfConstantAndHugeData) {
    EXPECT_EQ(gamma_scale(Samples(DenseRows::Constant(3, 2, 5.0))), 1.0);
    EXPECT_THROW((void)gamma_scale(Samples(DenseRows(DenseRows::Identity(3, 2) * 1e200))),
                 InvalidInput);
}

} // namespace
} // namespace hinge0
