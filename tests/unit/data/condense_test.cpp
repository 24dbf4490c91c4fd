/// Condensed rows: what is merged, what is left out, in which order.
#include "data/condense.hpp"

#include "support.hpp"

namespace {

using namespace hinge0;
using Indices = std::vector<Index>;

Vector vector(std::initializer_list<double> values) {
    return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

/// Rows 0 and 3 are equal and of one class, row 4 is equal but of the other.
const Samples five_rows = (DenseRows(5, 2) << 2, 1, 0, 5, 0, -1, 2, 1, 2, 1).finished();
const Vector signs = vector({1, 1, -1, 1, -1});

TEST(Condense, MergesEqualRowsOfOneClassInLexicographicOrder) {
    const Condensed found = condense(five_rows, signs, {}, true);
    EXPECT_TRUE(found.changed);
    EXPECT_EQ(found.rows, (Indices{2, 4, 1, 0}));
    EXPECT_EQ(found.group, (Indices{3, 2, 0, 3, 1}));
    EXPECT_EQ(found.weight, vector({1, 1, 1, 2}));
}

TEST(Condense, DoesNotDependOnTheOrderOfTheRows) {
    const Vector weight = vector({0.1, 2, 3, 0.7, 1});
    const Condensed found = condense(five_rows, signs, weight, true);
    const Indices turned{4, 2, 0, 1, 3};
    const Samples other = chosen_rows(five_rows, turned);
    const Condensed again = condense(other, signs(turned), weight(turned), true);
    EXPECT_EQ(found.weight, again.weight);
    EXPECT_EQ(std::get<DenseRows>(chosen_rows(five_rows, found.rows)),
              std::get<DenseRows>(chosen_rows(other, again.rows)));
}

TEST(Condense, LeavesRowsOfWeightZeroOut) {
    const Condensed found = condense(five_rows, signs, vector({0, 1, 1, 1, 1}), true);
    EXPECT_TRUE(found.changed);
    EXPECT_EQ(found.rows, (Indices{1, 2, 3, 4})) << "all weights 1: the given order";
    EXPECT_EQ(found.group, (Indices{-1, 0, 1, 2, 3}));
}

TEST(Condense, LeavesOtherDataAsItIs) {
    const Samples distinct = (DenseRows(3, 1) << 3, 1, 2).finished();
    const Vector y = vector({1, -1, 1});
    for (const Vector &weight : {Vector(), Vector(Vector::Ones(3))}) {
        const Condensed found = condense(distinct, y, weight, true);
        EXPECT_FALSE(found.changed);
        EXPECT_EQ(found.rows, (Indices{0, 1, 2}));
        EXPECT_EQ(found.weight, Vector(Vector::Ones(3)));
    }
    const Condensed weighted = condense(distinct, y, vector({1, 1, 2}), true);
    EXPECT_EQ(weighted.rows, (Indices{1, 2, 0})) << "weights: the lexicographic order";
    const Condensed kept = condense(five_rows, signs, vector({1, 1, 1, 2, 1}), false);
    EXPECT_FALSE(kept.changed);
    EXPECT_EQ(kept.weight, vector({1, 1, 1, 2, 1}));
}

TEST(Condense, SparseRowsAsDenseOnes) {
    SparseRows rows(5, 2);
    for (Index i = 0; i < 5; ++i)
        for (Index f = 0; f < 2; ++f) rows.insert(i, f) = std::get<DenseRows>(five_rows)(i, f);
    rows.makeCompressed(); // every zero stored
    const Condensed expected = condense(five_rows, signs, {}, true);
    const Condensed found = condense(Samples(rows), signs, {}, true);
    EXPECT_EQ(found.rows, expected.rows);
    EXPECT_EQ(found.group, expected.group);
    const Samples plain = SparseRows(std::get<DenseRows>(five_rows).sparseView());
    EXPECT_EQ(condense(plain, signs, {}, true).rows, expected.rows);
}

TEST(Condense, ChosenBlocksOfKernelMatrices) {
    const DenseRows K = (DenseRows(3, 3) << 4, 1, 0, 1, 5, 2, 0, 2, 6).finished();
    const DenseRows expected = (DenseRows(2, 2) << 6, 0, 0, 4).finished();
    EXPECT_EQ(std::get<DenseRows>(chosen_block(K, {2, 0})), expected);
    const Samples block = chosen_block(SparseRows(K.sparseView()), {2, 0});
    EXPECT_EQ(DenseRows(std::get<SparseRows>(block)), expected);
}

} // namespace
