/// Model files: what is saved comes back to the last bit, and files are handled with care.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "model_samples.hpp"

namespace hinge0::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint64_t> bits(const double *values, Index size) {
    std::vector<std::uint64_t> result;
    for (Index i = 0; i < size; ++i) result.push_back(std::bit_cast<std::uint64_t>(values[i]));
    return result;
}
std::vector<std::uint64_t> bits(const Vector &v) { return bits(v.data(), v.size()); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

std::vector<std::uint64_t> parameter_bits(const Kernel &kernel) {
    std::vector<std::uint64_t> result;
    const auto add = [&](std::string_view, double value) { result.push_back(bits(value)); };
    for_each_parameter(kernel, add);
    return result;
}

void expect_same_support(const Samples &a, const Samples &b) {
    ASSERT_EQ(a.index(), b.index());
    EXPECT_EQ(row_count(a), row_count(b));
    EXPECT_EQ(feature_count(a), feature_count(b));
    if (const auto *dense = std::get_if<DenseRows>(&a)) {
        EXPECT_EQ(bits(dense->data(), dense->size()),
                  bits(std::get<DenseRows>(b).data(), std::get<DenseRows>(b).size()));
        return;
    }
    const auto &x = std::get<SparseRows>(a), &y = std::get<SparseRows>(b);
    ASSERT_EQ(x.nonZeros(), y.nonZeros());
    EXPECT_TRUE(y.isCompressed());
    EXPECT_TRUE(std::equal(x.innerIndexPtr(), x.innerIndexPtr() + x.nonZeros(), y.innerIndexPtr()));
    EXPECT_TRUE(std::equal(x.outerIndexPtr(), x.outerIndexPtr() + x.rows() + 1, y.outerIndexPtr()));
    EXPECT_EQ(bits(x.valuePtr(), x.nonZeros()), bits(y.valuePtr(), y.nonZeros()));
}

void expect_same(const Model &a, const Model &b) {
    EXPECT_EQ(a.kernel.index(), b.kernel.index());
    EXPECT_EQ(parameter_bits(a.kernel), parameter_bits(b.kernel));
    EXPECT_EQ(a.classes, b.classes);
    EXPECT_EQ(a.features, b.features);
    EXPECT_EQ(bits(a.scaling.mean), bits(b.scaling.mean));
    EXPECT_EQ(bits(a.scaling.scale), bits(b.scaling.scale));
    EXPECT_EQ(bits(a.bias), bits(b.bias));
    EXPECT_EQ(bits(a.coefficients), bits(b.coefficients));
    expect_same_support(a.support, b.support);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.loss.index(), b.loss.index());
    EXPECT_EQ(bits(a.C), bits(b.C));
    EXPECT_EQ(bits(a.class_weight[0]), bits(b.class_weight[0]));
    EXPECT_EQ(bits(a.class_weight[1]), bits(b.class_weight[1]));
    EXPECT_EQ(a.training_rows, b.training_rows);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(bits(a.objective), bits(b.objective));
}

std::string content(const fs::path &file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

class ModelFile : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "hinge0-model-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override { fs::remove_all(folder); }

    void expect_round_trip(const Model &model) const {
        const fs::path file = folder / "m.model";
        save(model, file);
        expect_same(model, load_model(file));
    }
    [[nodiscard]] std::string load_refusal(const fs::path &file) const {
        try {
            static_cast<void>(load_model(file));
        } catch (const Error &error) {
            return error.what();
        }
        return "accepted";
    }

    fs::path folder;
};

TEST_F(ModelFile, EveryKernelComesBack) {
    for (const Kernel &kernel :
         {Kernel(LinearKernel{}), Kernel(PolynomialKernel{0.3, 1.0 / 3.0, 7}),
          Kernel(RbfKernel{1e-9}), Kernel(ExponentialKernel{0.7}),
          Kernel(InverseMultiquadricKernel{0.1, 1.7}), Kernel(WendlandKernel{1.1, 2}),
          Kernel(LaplacianKernel{1e300})}) {
        SCOPED_TRACE(name(kernel));
        Model dense = dense_model(), sparse = sparse_model();
        dense.kernel = sparse.kernel = kernel;
        expect_round_trip(dense);
        expect_round_trip(sparse);
    }
    expect_round_trip(precomputed_model());
}

TEST_F(ModelFile, EveryLossAndStatusComesBack) {
    Model model = dense_model();
    for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{}), Loss(SquaredHingeLoss{})}) {
        model.loss = loss;
        expect_round_trip(model);
    }
    for (const Status status :
         {Status::converged, Status::max_iterations, Status::time_limit, Status::interrupted}) {
        model.status = status;
        expect_round_trip(model);
    }
}

TEST_F(ModelFile, ExtremeNumbersComeBack) {
    Model model = dense_model();
    for (const double value : {-0.0, 0.0, 5e-324, -2.2250738585072011e-308, 1e308, -1.0 / 3.0,
                               std::numeric_limits<double>::max()}) {
        model.bias = model.objective = value;
        std::get<DenseRows>(model.support)(1, 0) = value;
        expect_round_trip(model);
    }
    model.C = 5e-324;
    model.class_weight = {1e308, 1e-308};
    model.training_rows = std::numeric_limits<Index>::max();
    model.rows.back() = model.training_rows - 1;
    expect_round_trip(model);
}

TEST_F(ModelFile, ScalingComesBack) { expect_round_trip(scaled_model()); }

TEST_F(ModelFile, ConstantClassifierComesBack) {
    expect_round_trip(constant_model());
    Model sparse = constant_model();
    sparse.support = SparseRows(0, 2);
    expect_round_trip(sparse);
    Model precomputed = precomputed_model();
    precomputed.coefficients = Vector();
    precomputed.rows = {};
    precomputed.support = DenseRows(0, 0);
    expect_round_trip(precomputed);
}

TEST_F(ModelFile, StoredZerosComeBack) {
    Model model = sparse_model();
    std::get<SparseRows>(model.support).coeffRef(0, 1) = -0.0;
    expect_round_trip(model);
}

TEST_F(ModelFile, OddLabelsComeBack) {
    Model model = dense_model();
    for (const std::string &label :
         {std::string("two words"), std::string("100%"), std::string("%"), std::string(),
          std::string("%20"), std::string("Grün"), std::string("\xff\xfe"),
          std::string(5000, 'a')}) {
        SCOPED_TRACE(label.substr(0, 20));
        model.classes = {"rest", label};
        expect_round_trip(model);
        model.classes = {label, "rest"};
        expect_round_trip(model);
    }
}

TEST_F(ModelFile, SparseModelWithMostFeaturesTakesNoMemoryForThem) {
    Model model = sparse_model();
    model.features = std::numeric_limits<int>::max();
    SparseRows support(3, model.features);
    support.reserve(1); // Eigen's insert() would reserve for every column
    support.startVec(0);
    support.insertBack(0, model.features - 1) = 1.5;
    support.finalize();
    model.support = support;
    expect_round_trip(model);
}

TEST(ModelText, ReadsAsDocumented) {
    Model model = sparse_model();
    model.kernel = PolynomialKernel{0.5, 1, 2};
    model.loss = HingeLoss{};
    model.classes = {"not spam", "spam"};
    model.C = 0.1;
    const std::string expected = "hinge0-model 1\n"
                                 "kernel poly\n"
                                 "gamma 0.5\n"
                                 "coef0 1\n"
                                 "degree 2\n"
                                 "loss hinge\n"
                                 "C 0.10000000000000001\n"
                                 "class_weight 1 1\n"
                                 "classes not%20spam spam\n"
                                 "features 5\n"
                                 "training_rows 10\n"
                                 "status converged\n"
                                 "objective 2.3333333333333335\n"
                                 "scaling no\n"
                                 "bias -0.33333333333333331\n"
                                 "support_vectors 3\n"
                                 "storage sparse\n"
                                 "1 0.69999999999999996 2:0.29999999999999999 5:-2.5\n"
                                 "5 -1.1000000000000001\n"
                                 "10 0.40000000000000002 1:9.9999999999999694e-311\n";
    const std::string text = to_text(model);
    EXPECT_EQ(text.substr(0, expected.size()), expected);
    EXPECT_EQ(text, with_checksum(text));
}

TEST(ModelText, ExampleOfTheDocumentationLoads) {
    const std::string page =
        content(fs::path(HINGE0_TEST_DATA).parent_path().parent_path() / "docs/model-format.md");
    const std::size_t begin = page.find(model_format::magic);
    ASSERT_NE(begin, std::string::npos);
    const std::string example = page.substr(begin, page.find("```", begin) - begin);
    const Model model = parse_model(example, "docs/model-format.md");
    EXPECT_EQ(to_text(model), example);
    EXPECT_EQ(model.classes[0], "not spam");
}

TEST(ModelText, ChecksumIsFnv1a64) {
    // The published test vectors of FNV-1a.
    EXPECT_EQ(model_format::fnv1a64(""), 0xcbf29ce484222325u);
    EXPECT_EQ(model_format::fnv1a64("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(model_format::fnv1a64("foobar"), 0x85944171f73967e8u);
}

TEST_F(ModelFile, SaveRefusesWhatWouldNotLoad) {
    const fs::path file = folder / "m.model";
    const auto refused = [&](const Model &model) -> std::string {
        try {
            save(model, file);
        } catch (const InvalidInput &error) {
            return error.what();
        }
        return "saved";
    };
    const std::string head = "the model could not be loaded again: ";
    Model model = dense_model();
    model.bias = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refused(model),
              head + "bias must be a finite number, got 'nan': " + file.string() + ":13");
    model = dense_model();
    model.support = DenseRows(3, 3);
    std::get<DenseRows>(model.support).setOnes();
    EXPECT_EQ(refused(model), head + "'1' is too much on this line: " + file.string() + ":16");
    model = dense_model();
    model.rows.pop_back();
    EXPECT_EQ(refused(model), "a model needs as many coefficients as support vectors and rows, got "
                              "3, 3 and 2");
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(ModelFile, FailedSaveKeepsTheOldFile) {
    const fs::path file = folder / "m.model";
    save(dense_model(), file);
    const std::string before = content(file);
    Model model = dense_model();
    model.features = 0;
    EXPECT_THROW(save(model, file), InvalidInput);
    EXPECT_EQ(content(file), before);
    EXPECT_THROW(save(dense_model(), folder / "missing" / "m.model"), FileError);
}

TEST_F(ModelFile, FilesThatCannotBeRead) {
    const std::string missing = (folder / "missing").string();
    EXPECT_EQ(load_refusal(missing), "cannot open (No such file or directory): " + missing);
    EXPECT_EQ(load_refusal(folder), "cannot open (Is a directory): " + folder.string());
    EXPECT_EQ(load_refusal("/dev/zero"), "not a hinge0 model: /dev/zero:1");
    EXPECT_EQ(load_refusal("/dev/null"), "not a hinge0 model: /dev/null:1");
}

TEST_F(ModelFile, MoreThanFourGigabytesAreRefusedUnread) {
    const fs::path file = folder / "m.model";
    save(dense_model(), file);
    fs::resize_file(file, max_model_bytes + 1); // a hole: takes no space
    EXPECT_EQ(load_refusal(file), "a model file may have 4 GiB at most: " + file.string());
}

TEST_F(ModelFile, LargerThanOneChunkAndThanWhatIsTakenUnasked) {
    Model model = dense_model();
    const Index count = 5000;
    model.features = 30;
    model.training_rows = count;
    model.coefficients = Vector::LinSpaced(count, 1, 2);
    model.support = DenseRows(DenseRows::Constant(count, model.features, 1.0 / 3.0));
    model.rows.clear();
    for (Index i = 0; i < count; ++i) model.rows.push_back(i);
    expect_round_trip(model);
}

} // namespace
} // namespace hinge0::testing
