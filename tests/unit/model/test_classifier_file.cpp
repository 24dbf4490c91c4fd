/// Format 2: the way out and back, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model_samples.hpp"

namespace hinge0 {
namespace {

using namespace testing;

/// The example of docs/model-format.md.
std::string example() {
    std::ifstream in(std::filesystem::path(HINGE0_TEST_DATA).parent_path().parent_path() /
                     "docs/model-format.md");
    const std::string page(std::istreambuf_iterator<char>(in), {});
    const std::size_t begin = page.find("hinge0-model 2\n");
    return page.substr(begin, page.find("```", begin) - begin);
}

std::string refused(const std::string &text) {
    try {
        static_cast<void>(parse_classifier(text, "m"));
    } catch (const FileError &error) {
        return error.what();
    }
    return "loaded";
}

std::string damaged(const std::string &from, const std::string &to) {
    return refused(with_checksum(replaced(example(), from, to)));
}

TEST(ClassifierFile, ExampleOfTheDocumentationLoads) {
    const Classifier model = parse_classifier(example(), "docs/model-format.md");
    validate(model);
    EXPECT_EQ(to_text(model), example());
    EXPECT_EQ(model.classes, (std::vector<std::string>{"cat", "dog", "not sure"}));
    EXPECT_EQ(model.pairs[1].classes, (std::array<Index, 2>{0, 2}));
    EXPECT_EQ(model.pairs[1].support, (std::vector<Index>{0, 2}));
    EXPECT_EQ(model.pairs[2].coefficients.size(), 0);
    EXPECT_EQ(std::get<Sigmoid>(model.pairs[0].calibration).slope, -1.75);
    EXPECT_EQ(model.pairs[2].status, Status::max_iterations);
}

TEST(ClassifierFile, IsotonicSparsePrecomputedAndScaled) {
    Classifier model = parse_classifier(example(), "m");
    for (Pair &pair : model.pairs) {
        Isotonic steps{.at = Vector(3), .value = Vector(3)};
        steps.at << -1, 1e-300, 7;
        steps.value << 0, 0.3, 1;
        pair.calibration = steps;
    }
    model.support = SparseRows(std::get<DenseRows>(model.support).sparseView());
    const std::string text = to_text(model);
    EXPECT_EQ(to_text(parse_classifier(text, "m")), text);
    model.scaling = {.mean = Vector::Constant(2, 0.1), .scale = Vector::Constant(2, 3)};
    EXPECT_EQ(to_text(parse_classifier(to_text(model), "m")), to_text(model));
    model.scaling = {};
    model.kernel = PrecomputedKernel{};
    model.features = 9;
    model.support = DenseRows(3, 0);
    EXPECT_EQ(to_text(parse_classifier(to_text(model), "m")), to_text(model));
    for (Pair &pair : model.pairs) pair.calibration = {};
    model.scheme = Scheme::ovr;
    for (Index k = 0; k < 3; ++k)
        model.pairs[static_cast<std::size_t>(k)].classes = pair_classes(Scheme::ovr, 3, k);
    EXPECT_EQ(to_text(parse_classifier(to_text(model), "m")), to_text(model));
}

/// Two classes are format 1, unless they have probabilities.
TEST(ClassifierFile, TwoClasses) {
    const Model model = scaled_model();
    Classifier two = classifier_of(model);
    validate(two);
    EXPECT_EQ(to_text(two), to_text(model));
    EXPECT_EQ(to_text(parse_classifier(to_text(model), "m")), to_text(model));
    two.pairs[0].calibration = Sigmoid{-1, 0.5};
    EXPECT_TRUE(to_text(two).starts_with("hinge0-model 2\n"));
    EXPECT_EQ(to_text(parse_classifier(to_text(two), "m")), to_text(two));
}

TEST(ClassifierFile, WhatIsRefused) {
    EXPECT_EQ(damaged("scheme ovo", "scheme ova"), "unknown scheme 'ova': m:6");
    EXPECT_EQ(damaged("classes 3", "classes 4"), "classes says 4, 3 follow: m:7");
    EXPECT_EQ(damaged("classes 3 cat", "classes 3 dog"), "class label 'dog' occurs twice: m:7");
    EXPECT_EQ(damaged("class_weight 1 1 2", "class_weight 1 1 0"), "class_weight must be > 0: m:8");
    EXPECT_EQ(damaged("class_weight 1 1 2", "class_weight 1 1"),
              "class_weight must have 3 numbers, the line is too short: m:8");
    EXPECT_EQ(damaged("4 2 1", "1 2 1"), "rows must rise, got 1 after 1: m:15");
    EXPECT_EQ(damaged("pair 1 3", "pair 1 2"), "pair 2 is of class 3, got 2: m:19");
    EXPECT_EQ(damaged("1:-1.5", "4:-1.5"),
              "place must be a whole number from 1 to 3, got '4': m:17");
    EXPECT_EQ(damaged("1:-1.5 2:1.5", "2:-1.5 2:1.5"), "places must rise, got 2 after 2: m:17");
    EXPECT_EQ(damaged("1:-1.5", "1=-1.5"), "expected place:coefficient, found '1=-1.5': m:17");
    EXPECT_EQ(damaged("1:-1.5", "1:0"), "a coefficient must not be zero: m:17");
    EXPECT_EQ(damaged("-0.25 2 1:", "-0.25 200 1:"),
              "the pair says 200 support vectors, the line is too short: m:17");
    EXPECT_EQ(damaged("sigmoid -1.75", "sigmoid 1.75"),
              "the slope of a sigmoid must not be above 0: m:18");
    EXPECT_EQ(damaged("sigmoid -1.75 0.125", "tanh 1"), "unknown calibration 'tanh': m:18");
    EXPECT_EQ(damaged("sigmoid -2 0", "none"), "some pairs are calibrated and others not: m:20");
    EXPECT_EQ(damaged("sigmoid -1.75 0.125", "isotonic 2 0 0.5 1 0.25"),
              "points must rise, their probabilities too and be in [0, 1]: m:18");
    EXPECT_EQ(damaged("sigmoid -1.75 0.125", "isotonic 99 0 0.5"),
              "isotonic says 99 points, the line is too short: m:18");
    EXPECT_EQ(damaged("calibration sigmoid 0 -0.5\n", "calibration sigmoid 0 -0.5\nmore 1\n"),
              "lines after the last of 3 pairs: m:23");
    // any other change of a byte is told by the checksum
    std::string text = example();
    text[text.find("-0.25")] = '+';
    EXPECT_NE(refused(text).find("checksum"), std::string::npos);
}

/// Every prefix and every lost line ends in one message.
TEST(ClassifierFile, CutFilesAreTold) {
    const std::string text = example();
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_NE(refused(text.substr(0, size)), "loaded") << size;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        if (begin > 0 && end < text.size()) {
            EXPECT_NE(refused(with_checksum(text.substr(0, begin) + text.substr(end))), "loaded");
        }
        begin = end;
    }
}

} // namespace
} // namespace hinge0
