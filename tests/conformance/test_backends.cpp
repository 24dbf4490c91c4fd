/// What every back end of the kernel matrix must do, on each kind of rows. A new back end is one
/// more entry in `backends`.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "gram/gram.hpp"
#include "hinge0/error.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

using MakeGram = std::unique_ptr<Gram> (*)(const Samples &, const Kernel &, MemoryBudget &);

struct Backend {
    const char *name;
    MakeGram make;
};
constexpr Backend backends[] = {{"host", &make_gram}};

constexpr int wide = 400; ///< features, of which few are not zero: stored sparse

enum class Rows : char { dense, sparse, wide_sparse, matrix };

/// One case: a back end, a kernel, a kind of rows; and the matrix that it must show.
struct Case {
    Backend backend;
    Kernel kernel;
    Rows rows;
};

constexpr Index size = 269; // not a multiple of any tile

struct Subject {
    Samples samples;
    Kernel kernel;
    Matrix expected;

    explicit Subject(const Case &c) : kernel(c.kernel) {
        const Index features = c.rows == Rows::wide_sparse ? wide : 5;
        const double share = c.rows == Rows::wide_sparse ? 0.02 : 0.6;
        const DenseRows dense = c.rows == Rows::dense || c.rows == Rows::matrix
                                    ? test::random_rows(size, features, 1)
                                    : DenseRows(test::random_sparse_rows(size, features, share, 1));
        expected = test::naive_gram(kernel, dense, dense);
        if (c.rows == Rows::matrix) {
            samples = DenseRows(expected);
            kernel = PrecomputedKernel{};
        } else if (c.rows == Rows::dense) {
            samples = dense;
        } else {
            samples = SparseRows(dense.sparseView());
        }
    }
};

std::string name_of(const Case &c) {
    const char *const rows[] = {"dense", "sparse", "wide_sparse", "matrix"};
    return std::string(c.backend.name) + "_" + rows[static_cast<std::size_t>(c.rows)] + "_" +
           std::string(name(c.kernel));
}

/// Made once for all tests of a case: the naive matrix is slow under sanitizers.
const Subject &subject_of(const Case &c) {
    static std::map<std::string, Subject> made;
    return made.try_emplace(name_of(c), c).first->second;
}

class BackendTest : public testing::TestWithParam<Case> {
protected:
    const Subject &subject = subject_of(GetParam());
    MemoryBudget memory;
    std::unique_ptr<Gram> gram = GetParam().backend.make(subject.samples, subject.kernel, memory);
    std::vector<Index> all = [] {
        std::vector<Index> rows(size);
        for (Index i = 0; i < size; ++i) rows[static_cast<std::size_t>(i)] = i;
        return rows;
    }();
    std::vector<Index> some{268, 0, 17, 18, 19, 256, 255, 17};

    [[nodiscard]] Matrix block(const std::vector<Index> &rows, const std::vector<Index> &columns,
                               int threads = 1) const {
        Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
        gram->block(rows, columns, threads, out.data());
        return out;
    }
};

std::vector<Case> cases() {
    std::vector<Case> result;
    for (const Backend &backend : backends)
        for (const Rows rows : {Rows::dense, Rows::sparse, Rows::wide_sparse, Rows::matrix})
            for (const Kernel &kernel : test::every_kernel(rows == Rows::wide_sparse ? wide : 5))
                result.push_back({backend, kernel, rows});
    return result;
}

std::string case_name(const testing::TestParamInfo<Case> &info) { return name_of(info.param); }

INSTANTIATE_TEST_SUITE_P(All, BackendTest, testing::ValuesIn(cases()), case_name);

TEST_P(BackendTest, ShowsSizeAndDiagonal) {
    EXPECT_EQ(gram->size(), size);
    EXPECT_LT((gram->diagonal() - subject.expected.diagonal()).cwiseAbs().maxCoeff(), 1e-9);
    for (const Index i : some) EXPECT_EQ(block({i}, {i})(0, 0), gram->diagonal()(i));
}

TEST_P(BackendTest, BlocksMatchTheDefinition) {
    EXPECT_LT((block(all, all) - subject.expected).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((block(some, all) - subject.expected(some, all)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((block(all, some) - subject.expected(all, some)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_EQ(block({}, some).size(), 0);
    EXPECT_EQ(block(some, {}).size(), 0);
}

TEST_P(BackendTest, AValueHasTheSameBitsInEveryBlock) {
    const Matrix whole = block(all, all);
    EXPECT_EQ(whole, Matrix(whole.transpose()));
    EXPECT_EQ(block(some, some), Matrix(whole(some, some)));
    EXPECT_EQ(block(all, {42}), Matrix(whole.col(42)));
    EXPECT_EQ(block(all, all, 3), whole);
}

TEST_P(BackendTest, ProductsMatchTheDefinition) {
    const Vector weights = test::random_rows(static_cast<Index>(some.size()), 1, 3);
    const Vector expected = subject.expected(all, some) * weights;
    Vector out(size), threaded(size);
    gram->apply(all, some, weights, 1, out);
    EXPECT_LT((out - expected).cwiseAbs().maxCoeff(), 1e-9 * (1 + expected.cwiseAbs().maxCoeff()));
    gram->apply(all, some, weights, 3, threaded);
    EXPECT_EQ(out, threaded);
    Vector few(static_cast<Index>(some.size()));
    gram->apply(some, some, weights, 1, few);
    EXPECT_LT((few - expected(some)).cwiseAbs().maxCoeff(),
              1e-9 * (1 + expected.cwiseAbs().maxCoeff()));
}

TEST_P(BackendTest, APartHasTheValuesOfItsRows) {
    const std::unique_ptr<Gram> part = gram->part(some, memory);
    ASSERT_EQ(part->size(), static_cast<Index>(some.size()));
    const std::vector<Index> rows(all.begin(), all.begin() + part->size());
    Matrix out(part->size(), part->size());
    part->block(rows, rows, 1, out.data());
    EXPECT_EQ(out, block(some, some));
    for (const Index i : rows) EXPECT_EQ(part->diagonal()(i), out(i, i));
}

TEST_P(BackendTest, ServesSeveralThreadsAtOnce) {
    const Matrix whole = block(all, all);
    std::vector<std::jthread> threads;
    std::atomic<int> wrong = 0;
    for (Index t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            for (Index j = t; j < size; j += 3)
                if (block(all, {j}) != whole.col(j)) ++wrong;
        });
    threads.clear();
    EXPECT_EQ(wrong, 0);
}

TEST_P(BackendTest, RefusesTooLittleMemory) {
    MemoryBudget little(100);
    EXPECT_THROW((void)GetParam().backend.make(subject.samples, subject.kernel, little),
                 OutOfMemory);
}

} // namespace
} // namespace hinge0
