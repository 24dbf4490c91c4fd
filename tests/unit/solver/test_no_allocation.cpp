/// The loop of Algorithm 1 and a Predictor take no memory: every malloc of this program is counted
/// while they run.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "hinge0/predictor.hpp"
#include "support/problems.hpp"

namespace {
std::atomic<long> taken{0};
}

// glibc lets a program stand in for malloc; new and Eigen both end up here.
extern "C" void *__libc_malloc(std::size_t); // NOLINT
extern "C" void *malloc(std::size_t size) {
    taken.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}

namespace hinge0 {
namespace {

TEST(Admm, TakesNoMemoryInTheLoop) {
    for (const int threads : {1, 2})
        for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{}), Loss(SquaredHingeLoss{})}) {
            test::Trainer solver(test::noisy_moons(900, 0.1, 1), RbfKernel{1});
            long before = 0, after = 0;
            const auto watch = [&](const Progress &progress) {
                if (progress.iteration == 3) before = taken;
                if (progress.iteration == 53) after = taken;
                return true;
            };
            (void)solver.solve({.loss = loss},
                               {.method = Method::admm,
                                .tolerance = 1e-300,
                                .max_iterations = 60,
                                .threads = threads},
                               watch);
            EXPECT_GT(before, 0) << "the count does not work";
            EXPECT_EQ(after - before, 0) << name(loss) << ", " << threads << " threads";
        }
}

TEST(Predictor, TakesNoMemoryForARow) {
    const Dataset data = test::noisy_moons(300, 0.1, 1);
    for (const bool standardize : {false, true}) {
        Recipe recipe;
        recipe.standardize = standardize;
        Predictor predictor(train(data, recipe).model);
        const double row[] = {0.3, 0.2};
        double sum = 0;
        const long before = taken;
        for (int k = 0; k < 100; ++k) sum += predictor.decision(row);
        EXPECT_EQ(taken, before);
        EXPECT_NE(sum, 0);
    }
}

} // namespace
} // namespace hinge0
