/// LIBSVM's model files: exports are read by LIBSVM itself, its own files are imported.
#include <gtest/gtest.h>
#include <libsvm/svm.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "hinge0/export.hpp"
#include "hinge0/verify.hpp"
#include "model_samples.hpp"

namespace hinge0::testing {
namespace {

namespace fs = std::filesystem;

struct FreeModel {
    void operator()(svm_model *model) const { svm_free_and_destroy_model(&model); }
};
using LibsvmModel = std::unique_ptr<svm_model, FreeModel>;

class Libsvm : public ::testing::Test {
public:
    Libsvm(const Libsvm &) = delete;
    Libsvm &operator=(const Libsvm &) = delete;

protected:
    Libsvm() {
        std::string name = (fs::temp_directory_path() / "hinge0-libsvm-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = name;
        svm_set_print_string_function([](const char *) {});
    }
    ~Libsvm() override { fs::remove_all(folder_); }

    [[nodiscard]] LibsvmModel loaded(const std::string &text) const {
        std::ofstream(folder_ / "model", std::ios::binary) << text;
        return LibsvmModel(svm_load_model((folder_ / "model").c_str()));
    }
    [[nodiscard]] std::string text_of(const svm_model &model) const {
        EXPECT_EQ(svm_save_model((folder_ / "model").c_str(), &model), 0);
        std::ifstream in(folder_ / "model", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    fs::path folder_;
};

DenseRows random_rows(Index rows, Index columns, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    return DenseRows::NullaryExpr(rows, columns, [&] { return normal(random); });
}

std::vector<svm_node> nodes_of(const DenseRows &rows, Index row) {
    std::vector<svm_node> nodes;
    for (Index f = 0; f < rows.cols(); ++f)
        nodes.push_back({static_cast<int>(f + 1), rows(row, f)});
    nodes.push_back({-1, 0});
    return nodes;
}

/// Every class has seven support vectors, and the next class two of them less to do with.
Classifier classifier_with(Kernel kernel, std::vector<std::string> classes) {
    constexpr Index each = 7;
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0.1, 3);
    Classifier model;
    model.kernel = kernel;
    model.classes = std::move(classes);
    model.class_weight.assign(model.classes.size(), 1.0);
    const auto count = static_cast<Index>(model.classes.size());
    model.features = 4;
    model.training_rows = 10 * count * each;
    model.support = random_rows(count * each, model.features, 7);
    for (Index v = 0; v < count * each; ++v) model.rows.push_back(10 * v);
    for (Index k = 0; k < pair_count(Scheme::ovo, count); ++k) {
        Pair &pair = model.pairs.emplace_back();
        pair.classes = pair_classes(Scheme::ovo, count, k);
        std::vector<double> found;
        for (const Index label : pair.classes)
            for (Index v = label * each + k % 3; v < (label + 1) * each; ++v) {
                pair.support.push_back(v);
                found.push_back(label == pair.classes[1] ? uniform(random) : -uniform(random));
            }
        pair.coefficients = Eigen::Map<const Vector>(found.data(), std::ssize(found));
        pair.bias = uniform(random) - 1;
        pair.calibration = Sigmoid{.slope = -uniform(random), .offset = uniform(random) - 1};
    }
    validate(model);
    return model;
}

const std::vector<Kernel> kernels{LinearKernel{}, RbfKernel{0.2},
                                  PolynomialKernel{.gamma = 0.3, .coef0 = 1, .degree = 3}};
const DenseRows unseen = random_rows(200, 4, 11);

/// Our decision values of all pairs, with LIBSVM's sign; its classes must be in our order.
void expect_same_values(const Classifier &model, const svm_model &theirs, double within) {
    const Matrix h = decision_values(model, Samples(unseen));
    const std::vector<Index> classes = classes_of(model, h);
    std::vector<double> values(model.pairs.size());
    for (Index i = 0; i < unseen.rows(); ++i) {
        const double label = svm_predict_values(&theirs, nodes_of(unseen, i).data(), values.data());
        EXPECT_EQ(fmt::format("{:g}", label),
                  model.classes[static_cast<std::size_t>(classes[static_cast<std::size_t>(i)])]);
        for (Index k = 0; k < h.cols(); ++k) {
            const double value = -values[static_cast<std::size_t>(k)];
            EXPECT_NEAR(h(i, k), value, within * std::max(1.0, std::abs(value)));
        }
    }
}

/// They couple pairs until no probability changes by 0.005 / classes.
void expect_same_probabilities(const Classifier &model, const svm_model &theirs) {
    const auto count = static_cast<Index>(model.classes.size());
    const double within = count == 2 ? 1e-12 : 0.005;
    const Matrix p = probabilities(model, decision_values(model, Samples(unseen)));
    std::vector<double> found(model.classes.size());
    for (Index i = 0; i < unseen.rows(); ++i) {
        static_cast<void>(
            svm_predict_probability(&theirs, nodes_of(unseen, i).data(), found.data()));
        for (Index c = 0; c < count; ++c) // they cut off at 1e-7
            EXPECT_NEAR(std::clamp(p(i, c), 1e-7, 1 - 1e-7), found[static_cast<std::size_t>(c)],
                        within);
    }
}

TEST_F(Libsvm, ExportsHaveTheSameValuesThere) {
    for (const Kernel &kernel : kernels)
        for (const auto &classes : {std::vector<std::string>{"-1", "1"}, {"3", "-1", "12", "7"}}) {
            const Classifier model = classifier_with(kernel, classes);
            const LibsvmModel theirs = loaded(to_libsvm(model));
            ASSERT_NE(theirs, nullptr);
            expect_same_values(model, *theirs, 1e-12);
            EXPECT_EQ(svm_check_probability_model(theirs.get()), 1);
            expect_same_probabilities(model, *theirs);
        }
    Classifier isotonic = classifier_with(RbfKernel{0.2}, {"-1", "1"});
    isotonic.pairs[0].calibration = Isotonic{.at = Vector{{0, 1}}, .value = Vector{{0.1, 0.8}}};
    const LibsvmModel theirs = loaded(to_libsvm(isotonic));
    ASSERT_NE(theirs, nullptr);
    expect_same_values(isotonic, *theirs, 1e-12);
    EXPECT_EQ(svm_check_probability_model(theirs.get()), 0);
}

TEST_F(Libsvm, ExportsReadBack) {
    const Classifier model = classifier_with(RbfKernel{0.2}, {"3", "-1", "12", "7"});
    const Classifier back = from_libsvm(to_libsvm(model), "m");
    EXPECT_EQ(back.classes, model.classes);
    EXPECT_EQ(back.training_rows, 0);
    const Matrix h = decision_values(model, Samples(unseen)),
                 again = decision_values(back, Samples(unseen));
    EXPECT_TRUE(again.isApprox(h, 1e-14));
    EXPECT_TRUE(probabilities(back, again).isApprox(probabilities(model, h), 1e-12));
}

TEST_F(Libsvm, ItsModelsAreImported) {
    const DenseRows rows = random_rows(90, 4, 3);
    std::vector<std::vector<svm_node>> nodes;
    std::vector<svm_node *> pointers;
    std::vector<double> labels;
    nodes.reserve(static_cast<std::size_t>(rows.rows()));
    labels.reserve(static_cast<std::size_t>(rows.rows()));
    for (Index i = 0; i < rows.rows(); ++i) {
        nodes.push_back(nodes_of(rows, i));
        labels.push_back(rows(i, 0) > 0.5 ? 4 : rows(i, 1) > 0 ? -2 : 9);
    }
    for (auto &row : nodes) pointers.push_back(row.data());
    const svm_problem problem{static_cast<int>(rows.rows()), labels.data(), pointers.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = 0.3;
    parameter.C = 2;
    parameter.cache_size = 10;
    parameter.eps = 1e-6;
    for (const int probability : {0, 1}) {
        parameter.probability = probability;
        const LibsvmModel trained(svm_train(&problem, &parameter));
        const std::string text = text_of(*trained);
        const LibsvmModel theirs = loaded(text); // its numbers have 8 digits in the file
        const Classifier model = from_libsvm(text, "m");
        EXPECT_EQ(model.is_calibrated(), probability == 1);
        expect_same_values(model, *theirs, 1e-12);
        if (probability == 1) expect_same_probabilities(model, *theirs);
    }
}

std::string message(const std::function<void()> &action) {
    try {
        action();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "nothing";
}

/// A model file, JSON and a second import say so, and verify refuses.
TEST_F(Libsvm, TrainingByAnotherProgramStaysUnknown) {
    for (const bool calibrated : {false, true})
        for (const auto &classes : {std::vector<std::string>{"-1", "1"}, {"3", "-1", "12"}}) {
            Classifier model = classifier_with(LinearKernel{}, classes);
            if (!calibrated)
                for (Pair &pair : model.pairs) pair.calibration.emplace<std::monostate>();
            const Classifier imported = from_libsvm(to_libsvm(model), "m");
            const std::string text = to_text(imported);
            EXPECT_TRUE(text.starts_with("hinge0-model 2\n"));
            EXPECT_EQ(parse_classifier(text, "m").training_rows, 0);
            EXPECT_EQ(to_text(parse_classifier(text, "m")), text);
            EXPECT_EQ(to_text(from_json(to_json(imported), "m")), text);
        }
    const Classifier two = from_libsvm(to_libsvm(classifier_with(LinearKernel{}, {"0", "1"})), "m");
    std::vector<std::string> labels(static_cast<std::size_t>(unseen.rows()), "0");
    labels[0] = "1";
    const Dataset data(Samples(unseen), labels);
    EXPECT_NE(
        message([&] { static_cast<void>(verify(model_of(two, 0), data)); }).find("another program"),
        std::string::npos);
}

TEST_F(Libsvm, FeaturesThatNoSupportVectorHas) {
    for (const bool sparse : {false, true}) {
        Classifier model = classifier_with(RbfKernel{0.2}, {"0", "1", "2"});
        if (sparse) model = from_libsvm(to_libsvm(model), "m");
        const Matrix h = decision_values(model, Samples(unseen));
        widen(model, 4);
        widen(model, 6);
        EXPECT_EQ(model.features, 6);
        validate(model);
        DenseRows wide = DenseRows::Zero(unseen.rows(), 6);
        wide.leftCols(4) = unseen;
        EXPECT_TRUE(decision_values(model, Samples(wide)).isApprox(h, 1e-14));
        EXPECT_EQ(message([&] { widen(model, 5); }), "a model of 6 features cannot have 5");
        widen(model, std::numeric_limits<std::int32_t>::max()); // takes no memory
        validate(model);
    }
    Classifier scaled = classifier_of(scaled_model());
    EXPECT_EQ(message([&] { widen(scaled, 3); }), "a model of 2 features cannot have 3");
    Classifier precomputed = classifier_of(precomputed_model());
    EXPECT_EQ(message([&] { widen(precomputed, 11); }), "a model of 10 features cannot have 11");
}

/// Decision values of turned pairs have the other sign; what is said of a class stays its own.
TEST_F(Libsvm, ClassesInAnotherOrder) {
    Classifier model = classifier_with(RbfKernel{0.2}, {"3", "-1", "12", "7"});
    const std::vector<Index> order{1, 0, 3, 2};
    for (const bool isotonic : {false, true}) {
        if (isotonic)
            for (Pair &pair : model.pairs)
                pair.calibration =
                    Isotonic{.at = Vector{{-1, 0.5, 1}}, .value = Vector{{0, 0.25, 0.875}}};
        const Classifier other = with_classes_in_order(model, order);
        validate(other);
        EXPECT_EQ(other.classes, (std::vector<std::string>{"-1", "3", "7", "12"}));
        const Matrix h = decision_values(model, Samples(unseen)),
                     turned = decision_values(other, Samples(unseen));
        const Matrix p = probabilities(model, h), q = probabilities(other, turned);
        EXPECT_TRUE(q.isApprox(p(Eigen::all, order), 1e-12));
        EXPECT_TRUE(
            class_values(other, turned).isApprox(class_values(model, h)(Eigen::all, order)));
        EXPECT_EQ(turned.col(0), -h.col(0));
        EXPECT_EQ(to_text(with_classes_in_order(other, order)), to_text(model));
    }
    for (const std::vector<Index> &wrong : {std::vector<Index>{0, 1, 2}, {0, 1, 2, 2}})
        EXPECT_EQ(message([&] { static_cast<void>(with_classes_in_order(model, wrong)); }),
                  "the order must name each of 4 classes once");
}

TEST_F(Libsvm, OneAgainstTheRestInAnotherOrder) {
    Classifier model = classifier_with(RbfKernel{0.2}, {"3", "-1", "12"});
    model.scheme = Scheme::ovr;
    for (Index k = 0; k < 3; ++k)
        model.pairs[static_cast<std::size_t>(k)].classes = pair_classes(Scheme::ovr, 3, k);
    const std::vector<Index> order{2, 0, 1};
    const Classifier other = with_classes_in_order(model, order);
    validate(other);
    const Matrix h = decision_values(model, Samples(unseen));
    EXPECT_EQ(decision_values(other, Samples(unseen)), h(Eigen::all, order));
}

std::string refused(const std::string &from, const std::string &to) {
    const std::string text = to_libsvm(classifier_with(RbfKernel{0.2}, {"3", "-1", "12"}));
    return message([&] { static_cast<void>(from_libsvm(replaced(text, from, to), "m")); });
}

/// Messages name the line that is wrong, not where reading stopped.
TEST_F(Libsvm, WrongLinesOfTheHeadAreNamed) {
    EXPECT_EQ(refused("c_svc", "epsilon_svr"),
              "svm_type 'epsilon_svr' is no classifier that hinge0 has: m:1");
    EXPECT_EQ(refused("gamma 0.20000000000000001", "gamma -1"),
              "kernel gamma must be a positive number, got -1: m:3");
    EXPECT_EQ(refused("label 3 -1 12", "label 3 -1.5 12"),
              "label '-1.5' is not a whole number: m:7");
    EXPECT_EQ(refused("label 3 -1 12", "label 3 -1 3"), "two classes have the same label: m:7");
    EXPECT_EQ(refused("label 3 -1 12", "label 3 -1"), "label must have 3 values, got 2: m:7");
    EXPECT_EQ(refused("probA -", "probA "),
              "probabilities that fall where the decision value rises: remove the lines probA and "
              "probB to import the model without them: m:8");
    EXPECT_EQ(refused("probB", "probC"), "the line probB is missing: m:11");
}

} // namespace
} // namespace hinge0::testing
