/// The tile loops of every instruction set that this machine can run, held against plain sums.
#include <gtest/gtest.h>

#include <cmath>

#include "gram/loops/loops.hpp"
#include "support/problems.hpp"

namespace hinge0 {
namespace {

/// Features and columns around what is summed up at once; rows are whole panels.
const std::vector<Index> some_features{0, 1, 3, 64}, some_columns{1, 2, 3, 4, 7, 8, 9, 17};
const std::vector<Index> some_rows{8, 16, 24, 64, 72};

class TileLoopsTest : public testing::TestWithParam<const TileLoops *> {
protected:
    const TileLoops &run = *GetParam();
};

/// Rows feature by feature, in panels of so many.
template <class Number> std::vector<Number> panels_of(const DenseRows &rows, Index at_once) {
    std::vector<Number> panels;
    for (Index first = 0; first < rows.rows(); first += at_once)
        for (Index f = 0; f < rows.cols(); ++f)
            for (Index r = 0; r < at_once; ++r)
                panels.push_back(static_cast<Number>(rows(first + r, f)));
    return panels;
}

TEST_P(TileLoopsTest, SumOverFeaturesOfWholePanels) {
    for (const Index features : some_features)
        for (const Index rows : some_rows)
            for (const Index others : some_columns) {
                const DenseRows a = test::random_rows(rows, features, 1);
                const DenseRows z = test::random_rows(others, features, 2);
                const std::vector<double> panels = panels_of<double>(a, panel_rows);
                Matrix out = Matrix::Constant(rows + 3, others, 7.0);
                const Tile tile{out.data(), rows, others, rows + 3};
                const auto check = [&](Sum sum, const auto &term) {
                    run.sum_over_features(sum, panels.data(), z.data(), features, tile);
                    for (Index i = 0; i < rows; ++i)
                        for (Index j = 0; j < others; ++j)
                            EXPECT_NEAR(out(i, j), term(a.row(i), z.row(j)), 1e-11);
                    EXPECT_TRUE((out.bottomRows(3).array() == 7.0).all());
                };
                check(Sum::product, [](const auto &x, const auto &w) { return x.dot(w); });
                check(Sum::squared_distance,
                      [](const auto &x, const auto &w) { return (x - w).squaredNorm(); });
                check(Sum::manhattan,
                      [](const auto &x, const auto &w) { return (x - w).cwiseAbs().sum(); });
            }
}

TEST_P(TileLoopsTest, ValuesDoNotDependOnTheirNeighbours) {
    const Index rows = 72, others = 19, features = 33;
    const std::vector<double> panels =
        panels_of<double>(test::random_rows(rows, features, 3), panel_rows);
    const DenseRows z = test::random_rows(others, features, 4);
    for (const Sum sum : {Sum::product, Sum::squared_distance, Sum::manhattan}) {
        Matrix whole(rows, others), single(rows, 1), panel(panel_rows, 1);
        run.sum_over_features(sum, panels.data(), z.data(), features,
                              {whole.data(), rows, others, rows});
        for (Index j = 0; j < others; ++j) {
            run.sum_over_features(sum, panels.data(), z.data() + j * features, features,
                                  {single.data(), rows, 1, rows});
            EXPECT_EQ(single.col(0), whole.col(j));
        }
        run.sum_over_features(sum, panels.data() + 64 * features, z.data(), features,
                              {panel.data(), panel_rows, 1, panel_rows});
        EXPECT_EQ(panel.col(0), whole.col(0).tail(panel_rows));
    }
}

TEST_P(TileLoopsTest, SparseProductsHaveTheBitsOfDenseOnes) {
    const Index rows = 40, features = 50;
    for (const Index others : {Index{1}, Index{8}, Index{64}, Index{75}}) {
        const DenseRows a = test::random_sparse_rows(rows, features, 0.1, 5);
        const DenseRows z = test::random_rows(others, features, 6);
        SparseRows sparse = a.sparseView();
        sparse.makeCompressed();
        const Index stride = others + panel_rows;
        std::vector<double> by_feature(static_cast<std::size_t>(stride * features), 0.0);
        for (Index j = 0; j < others; ++j)
            for (Index f = 0; f < features; ++f)
                by_feature[static_cast<std::size_t>(f * stride + j)] = z(j, f);
        Matrix found(rows, others), expected(rows, others);
        run.sparse_products({sparse.valuePtr(), sparse.innerIndexPtr(), sparse.outerIndexPtr()},
                            by_feature.data(), stride, {found.data(), rows, others, rows});
        run.sum_over_features(Sum::product, panels_of<double>(a, panel_rows).data(), z.data(),
                              features, {expected.data(), rows, others, rows});
        EXPECT_EQ(found, expected);
    }
}

TEST_P(TileLoopsTest, MapsAreTheKernelsFormulas) {
    for (const Kernel &kernel : test::every_kernel(5)) {
        if (std::holds_alternative<PrecomputedKernel>(kernel)) continue;
        const DenseRows a = test::random_rows(16, 5, 7), z = test::random_rows(3, 5, 8);
        Matrix out(16, 3);
        const Tile tile{out.data(), 16, 3, 16};
        run.sum_over_features(sum_of(kernel), panels_of<double>(a, panel_rows).data(), z.data(), 5,
                              tile);
        map_tile(run, kernel, tile);
        EXPECT_LT((out - test::naive_gram(kernel, a, z)).cwiseAbs().maxCoeff(), 1e-12)
            << name(kernel);
    }
}

TEST_P(TileLoopsTest, SinglePrecisionTermsAreNearTheExactOnes) {
    const Index rows = 32, features = 11;
    for (const Index count : some_columns) {
        const DenseRows a = test::random_rows(rows, features, 9);
        const DenseRows z = test::random_rows(count, features, 10);
        const Vector weight = test::random_rows(count, 1, 11);
        const std::vector<float> panels = panels_of<float>(a, single_panel_rows);
        const std::vector<float> right(z.data(), z.data() + z.size());
        const std::vector<float> weights(weight.data(), weight.data() + count);
        std::vector<float> value(static_cast<std::size_t>(rows), 0.0F), scale = value;
        run.add_rbf_terms(panels.data(), rows,
                          {right.data(), weights.data(), count, features, 0.3F}, value.data(),
                          scale.data());
        const Vector expected = test::naive_gram(RbfKernel{0.3}, a, z) * weight;
        for (Index i = 0; i < rows; ++i)
            EXPECT_NEAR(static_cast<double>(value[static_cast<std::size_t>(i)]), expected(i), 1e-5);
    }
}

TEST_P(TileLoopsTest, LargestValueSeesNaN) {
    Matrix values = Matrix::Constant(17, 3, -2.0);
    EXPECT_EQ(run.largest_value({values.data(), 17, 3, 17}), 2.0);
    values(16, 2) = std::nan("");
    EXPECT_TRUE(std::isnan(run.largest_value({values.data(), 17, 3, 17})));
}

INSTANTIATE_TEST_SUITE_P(AllInstructionSets, TileLoopsTest, testing::ValuesIn(usable_tile_loops()),
                         [](const auto &variant) { return std::to_string(variant.index); });

} // namespace
} // namespace hinge0
