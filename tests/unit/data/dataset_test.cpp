/// Dataset: which labels become which sign, and what cannot be trained on.
#include <limits>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;
using Labels = std::vector<std::string>;
using Classes = std::array<std::string, 2>;

DenseRows rows_for(std::size_t count) { return DenseRows::Ones(static_cast<Index>(count), 2); }

Dataset make(const Labels &labels, const std::string &positive = {}) {
    return {rows_for(labels.size()), labels, positive};
}

std::string refusal(const auto &action) { return message_of<InvalidInput>(action); }
std::string refusal_of(const Labels &labels, const std::string &positive = {}) {
    return refusal([&] { make(labels, positive); });
}

TEST(Dataset, TheSmallerNumberIsMinusOne) {
    const Dataset data = make({"10", "9", "10.0", "+9"});
    EXPECT_EQ(data.classes(), (Classes{"9", "10"}));
    EXPECT_EQ(data.signs(), (Vector(4) << 1, -1, 1, -1).finished());
    EXPECT_EQ(data.size(), 4);
    EXPECT_EQ(data.features(), 2);
    EXPECT_EQ(make({"1", "-1"}).classes(), (Classes{"-1", "1"}));
    EXPECT_EQ(make({"9007199254740993", "9007199254740992"}).classes(),
              (Classes{"9007199254740992", "9007199254740993"}));
}

TEST(Dataset, WordsAreComparedAsText) {
    EXPECT_EQ(make({"yes", "no"}).classes(), (Classes{"no", "yes"}));
    EXPECT_EQ(make({"b", "10"}).classes(), (Classes{"10", "b"}));
}

TEST(Dataset, PositiveIsTrainedAgainstTheRest) {
    const Dataset data = make({"1", "2", "3", "2"}, "2.0");
    EXPECT_EQ(data.classes(), (Classes{"rest", "2"}));
    EXPECT_EQ(data.signs(), (Vector(4) << -1, 1, -1, 1).finished());
    EXPECT_EQ(make({"1", "2"}, "1").classes(), (Classes{"2", "1"}));
}

TEST(Dataset, RefusesLabels) {
    EXPECT_EQ(refusal_of({"1", "1.0"}), "training needs two classes, found only '1'");
    EXPECT_EQ(refusal_of({"1", "2", "3"}), "found 3 classes ('1', '2', '3'); name one with "
                                           "--positive to train it against the rest");
    EXPECT_EQ(refusal_of({"1", "2", "3", "4", "5", "6"}),
              "found 6 classes ('1', '2', '3', '4', '5', ...); name one with --positive to train "
              "it against the rest");
    EXPECT_EQ(refusal_of({"1", "2"}, "x"), "the positive label 'x' is not among '1', '2'");
    EXPECT_EQ(refusal_of({"1", "2"}, "nan"), "the positive label 'nan' is not among '1', '2'");
    EXPECT_EQ(refusal_of({"1", "nan"}), "label 'nan' of row 2 is not finite");
    EXPECT_EQ(refusal_of({"", "1"}), "label '' of row 1 is empty");
    EXPECT_EQ(refusal_of({}), "the data has no rows");
    EXPECT_EQ(refusal([] { Dataset(rows_for(3), Labels{}); }), "the data has no labels");
    EXPECT_EQ(refusal([] { Dataset(rows_for(3), Labels{"1", "2"}); }), "2 labels for 3 rows");
    EXPECT_EQ(refusal_of({"rest", "a", "b"}, "rest"),
              "a class named 'rest' cannot be told from all others; rename it");
    EXPECT_EQ(make({"rest", "a"}, "rest").classes(), (Classes{"a", "rest"}));
}

TEST(Dataset, RefusesDataWithoutFeatures) {
    const Labels labels{"1", "2"};
    EXPECT_EQ(refusal([&] { Dataset(SparseRows(2, 0), labels); }), "the data has no features");
    EXPECT_EQ(refusal([&] { Dataset(DenseRows(2, 0), labels); }), "the data has no features");
}

TEST(Dataset, ChecksTables) {
    EXPECT_EQ(refusal([] { Dataset(Table{rows_for(2), {}, {}}); }), "the data has no labels");
    EXPECT_EQ(refusal([] {
                  Dataset(Table{rows_for(2), {"a", "b"}, {0, 2}});
              }),
              "label number 2, but 2 names");
    EXPECT_EQ(refusal([] {
                  Dataset(Table{rows_for(2), {"a", "b"}, {0, -1}});
              }),
              "label number -1, but 2 names");
    EXPECT_EQ(refusal([] {
                  Dataset(Table{rows_for(2), {"a", "b"}, {1, 1}});
              }),
              "training needs two classes, found only 'b'");
    const Dataset data(Table{rows_for(2), {"unused", "b", "a"}, {1, 2}});
    EXPECT_EQ(data.classes(), (Classes{"a", "b"}));
    EXPECT_EQ(data.signs(), (Vector(2) << 1, -1).finished());
}

TEST(Dataset, RefusesValuesThatAreNotFinite) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        DenseRows rows = DenseRows::Zero(8, 4);
        rows(6, 2) = bad;
        const Labels labels{"1", "2", "1", "2", "1", "2", "1", "2"};
        EXPECT_EQ(refusal([&] { Dataset(rows, labels); }), "feature 3 of row 7 is not finite");
        const SparseRows sparse = rows.sparseView();
        EXPECT_EQ(refusal([&] { Dataset(sparse, labels); }), "feature 3 of row 7 is not finite");
    }
}

TEST(Dataset, ChecksSparseRows) {
    SparseRows rows(2, 3);
    rows.reserve(Eigen::VectorXi::Constant(2, 3));
    rows.insert(0, 2) = 1;
    rows.insert(0, 0) = 2;
    rows.insert(1, 1) = 3;
    ASSERT_FALSE(rows.isCompressed());
    const Dataset data(rows, Labels{"1", "2"});
    EXPECT_TRUE(std::get<SparseRows>(data.samples()).isCompressed());
    rows.makeCompressed();
    std::swap(rows.innerIndexPtr()[0], rows.innerIndexPtr()[1]);
    EXPECT_EQ(refusal([&] {
                  Dataset(rows, Labels{"1", "2"});
              }),
              "the column indices of sparse row 1 must rise and be below 3");
}

TEST(Dataset, RefusesControlBytesInLabels) { // no model file could hold them
    EXPECT_THROW(Dataset(Samples(DenseRows{{1}, {2}}), {"a", "b\n"}), InvalidInput);
}

} // namespace
