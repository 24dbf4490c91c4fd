/// validate(Model): whatever single part is spoiled, it is told.
#include <limits>

#include "model_samples.hpp"

namespace hinge0::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The message with which a model is refused; "accepted" if it is not.
std::string verdict(const Model &model) {
    try {
        validate(model);
    } catch (const InvalidInput &error) {
        return error.what();
    }
    return "accepted";
}

template <class Spoil> std::string spoiled(Model model, const Spoil &spoil) {
    spoil(model);
    return verdict(model);
}

TEST(ModelCheck, AcceptsWhatTrainingMakes) {
    for (const Model &model :
         {dense_model(), sparse_model(), precomputed_model(), constant_model(), scaled_model()})
        EXPECT_EQ(verdict(model), "accepted");
}

TEST(ModelCheck, RowsOutOfTheTrainingData) {
    const auto with_rows = [](std::vector<Index> rows) {
        return spoiled(dense_model(), [&](Model &m) { m.rows = rows; });
    };
    EXPECT_EQ(with_rows({0, 4, 1'000'000'000}),
              "support vector from row 1000000000, rows go from 0 to 9");
    EXPECT_EQ(with_rows({-1, 4, 9}), "support vector from row -1, rows go from 0 to 9");
    EXPECT_EQ(with_rows({0, 4, 10}), "support vector from row 10, rows go from 0 to 9");
    EXPECT_EQ(with_rows({4, 0, 9}), "the rows of the support vectors must rise, got 0 after 4");
    EXPECT_EQ(with_rows({4, 4, 9}), "the rows of the support vectors must rise, got 4 after 4");
    EXPECT_EQ(with_rows({0, 4}), "2 rows of support vectors, but 3 coefficients and 3 vectors");
}

TEST(ModelCheck, SizesThatDoNotFit) {
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.coefficients = Vector::Ones(4); }),
              "3 rows of support vectors, but 4 coefficients and 3 vectors");
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.support = DenseRows::Ones(2, 2); }),
              "3 rows of support vectors, but 3 coefficients and 2 vectors");
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.support = DenseRows::Ones(3, 1); }),
              "the support vectors have 1 features instead of 2");
    EXPECT_EQ(spoiled(precomputed_model(), [](Model &m) { m.support = DenseRows::Ones(3, 10); }),
              "the support vectors have 10 features instead of 0");
    EXPECT_EQ(spoiled(precomputed_model(), [](Model &m) { m.features = 9; }),
              "a precomputed kernel has one feature for each training row, got 9 features and 10 "
              "rows");
    for (const Index features : {Index{0}, Index{-2}, Index{1} << 31})
        EXPECT_NE(spoiled(dense_model(), [&](Model &m) { m.features = features; }), "accepted");
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.training_rows = -1; }),
              "a model needs features and training rows, got 2 and -1");
    // Of another program: its support vectors are counted, there are no other rows.
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.training_rows = 0; }),
              "support vector from row 4, rows go from 0 to 2");
}

TEST(ModelCheck, NumbersThatAreNone) {
    for (const double bad : {nan, infinity, -infinity}) {
        EXPECT_NE(spoiled(dense_model(), [&](Model &m) { m.bias = bad; }), "accepted");
        EXPECT_EQ(spoiled(dense_model(), [&](Model &m) { m.coefficients(1) = bad; }),
                  "the coefficients must be finite and not zero");
        EXPECT_NE(
            spoiled(dense_model(), [&](Model &m) { std::get<DenseRows>(m.support)(2, 1) = bad; }),
            "accepted");
        EXPECT_NE(spoiled(sparse_model(),
                          [&](Model &m) { std::get<SparseRows>(m.support).valuePtr()[1] = bad; }),
                  "accepted");
        EXPECT_NE(spoiled(dense_model(), [&](Model &m) { m.C = bad; }), "accepted");
        EXPECT_NE(spoiled(dense_model(), [&](Model &m) { m.class_weight[1] = bad; }), "accepted");
        EXPECT_NE(spoiled(dense_model(), [&](Model &m) { m.kernel = RbfKernel{bad}; }), "accepted");
        EXPECT_NE(spoiled(scaled_model(), [&](Model &m) { m.scaling.mean(0) = bad; }), "accepted");
    }
    EXPECT_EQ(spoiled(dense_model(), [](Model &m) { m.coefficients(1) = 0; }),
              "the coefficients must be finite and not zero");
}

TEST(ModelCheck, SparseIndicesThatDoNotRise) {
    for (const auto &indices : {std::pair{4, 1}, {1, 1}, {1, 5}, {-1, 4}})
        EXPECT_NE(spoiled(sparse_model(),
                          [&](Model &m) {
                              int *const index = std::get<SparseRows>(m.support).innerIndexPtr();
                              index[0] = indices.first;
                              index[1] = indices.second;
                          }),
                  "accepted");
    EXPECT_NE(
        spoiled(sparse_model(), [](Model &m) { std::get<SparseRows>(m.support).uncompress(); }),
        "accepted");
}

TEST(ModelCheck, ScalingAndClasses) {
    EXPECT_EQ(spoiled(dense_model(),
                      [](Model &m) {
                          m.classes = {"a", "a"};
                      }),
              "both classes have the label 'a'");
    EXPECT_EQ(spoiled(scaled_model(), [](Model &m) { m.scaling.mean = Vector::Ones(3); }),
              "the scaling has 3 means and 2 scales for 2 features");
    EXPECT_EQ(spoiled(scaled_model(), [](Model &m) { m.scaling.scale(1) = 0; }),
              "the scaling must have finite means and positive finite scales");
    EXPECT_EQ(spoiled(precomputed_model(),
                      [](Model &m) {
                          m.scaling = {Vector::Zero(10), Vector::Ones(10)};
                      }),
              "a precomputed kernel takes no scaling");
}

} // namespace
} // namespace hinge0::testing
