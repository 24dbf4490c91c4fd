/// Exports read back, refusals of imports, and the fuzzer's corpus of imports in every build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "hinge0/export.hpp"
#include "model/protobuf.hpp"
#include "model_samples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace hinge0::testing {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The example of a page of the documentation that begins so.
std::string example(const std::string &name, const std::string &start) {
    const fs::path root = fs::path(HINGE0_TEST_DATA).parent_path().parent_path();
    const std::string page = text_of(root / "docs" / name);
    const std::size_t begin = page.find(start);
    return page.substr(begin, page.find("```", begin) - begin);
}

/// Three classes, sigmoids.
Classifier many_classes() {
    return parse_classifier(example("model-format.md", "hinge0-model 2\n"), "m");
}

void expect_same_bits(const Classifier &model) {
    EXPECT_EQ(to_text(from_json(to_json(model), "m")), to_text(model));
}

TEST(Json, ExampleOfTheDocumentationLoads) {
    const std::string text = example("export.md", "{\n  \"format\"");
    EXPECT_EQ(to_json(from_json(text, "docs/export.md")), text);
}

TEST(Json, ReadsBackToTheSameBits) {
    for (const Model &model :
         {dense_model(), sparse_model(), precomputed_model(), constant_model(), scaled_model()})
        expect_same_bits(classifier_of(model));
    for (const Kernel &kernel :
         {Kernel(LinearKernel{}), Kernel(PolynomialKernel{0.1, 0.3, 7}), Kernel(RbfKernel{1e-300}),
          Kernel(ExponentialKernel{1.0 / 3}), Kernel(InverseMultiquadricKernel{0.7, 0.1}),
          Kernel(WendlandKernel{0.1, 17}), Kernel(LaplacianKernel{5e-324})}) {
        Model model = dense_model();
        model.kernel = kernel;
        expect_same_bits(classifier_of(model));
    }
    Model odd = sparse_model();
    odd.classes = {"", "a \"\\\xC3\xA4\xE2\x82\xAC"};
    odd.loss = SquaredHingeLoss{};
    odd.status = Status::interrupted;
    odd.class_weight = {0.1, 1e300};
    std::get<SparseRows>(odd.support).coeffRef(0, 1) = 0; // stored all the same
    expect_same_bits(classifier_of(odd));
}

TEST(Json, ManyClassesAndCalibrations) {
    Classifier model = many_classes();
    expect_same_bits(model);
    for (Pair &pair : model.pairs) {
        Isotonic steps{.at = Vector(3), .value = Vector(3)};
        steps.at << -1, 1e-300, 7;
        steps.value << 0, 0.3, 1;
        pair.calibration = steps;
    }
    model.scheme = Scheme::ovr;
    for (Index k = 0; k < 3; ++k)
        model.pairs[static_cast<std::size_t>(k)].classes = pair_classes(Scheme::ovr, 3, k);
    expect_same_bits(model);
    Classifier two = classifier_of(scaled_model());
    two.scheme = Scheme::ovr;
    two.pairs[0].calibration = Sigmoid{-1.0 / 3, -0.0};
    expect_same_bits(two);
}

std::string refused(const std::string &text) {
    try {
        static_cast<void>(from_json(text, "m"));
    } catch (const FileError &error) {
        return error.what();
    }
    return "accepted";
}

std::string damaged(const std::string &from, const std::string &to) {
    return refused(replaced(to_json(many_classes()), from, to));
}

TEST(Json, WhatIsRefused) {
    EXPECT_EQ(refused(""), "not JSON, or cut off: m:1");
    EXPECT_EQ(refused("{\n\n]"), "not JSON, or cut off: m:3");
    EXPECT_EQ(refused("{\"a\": \"\xFF\"}"), "not JSON, or cut off: m:1");
    EXPECT_EQ(refused("[]"), "the model must be an object: m");
    EXPECT_EQ(refused("{}"), "the model has no \"format\": m");
    EXPECT_EQ(refused(std::string(1000000, '[')), "nested deeper than any model: m");
    EXPECT_EQ(refused("{\"a\": 1, \"a\": 2}"), "the key 'a' occurs twice: m");
    EXPECT_EQ(damaged("\"hinge0\"", "\"other\""), "the model is not of the format \"hinge0\": m");
    EXPECT_EQ(damaged("\"version\": 1", "\"version\": 2"),
              "the model has version 2; this hinge0 reads version 1: m");
    EXPECT_EQ(damaged("\"loss\"", "\"more\": 0, \"loss\""),
              "the model has an unknown key 'more': m");
    EXPECT_EQ(damaged("\"rbf\"", "\"rbg\""), "the model.kernel.name is unknown: 'rbg': m");
    EXPECT_EQ(damaged("\"gamma\": 0.5", "\"gamma\": \"x\""),
              "the model.kernel.gamma must be a number: m");
    EXPECT_EQ(damaged("\"gamma\": 0.5", "\"gamma\": 0"),
              "kernel gamma must be a positive number, got 0: m");
    EXPECT_EQ(damaged("\"gamma\": 0.5", "\"gamma\": 0.5, \"degree\": 3"),
              "the model.kernel has an unknown key 'degree': m");
    EXPECT_EQ(damaged("\"l0\"", "\"l1\""), "the model.loss is unknown: 'l1': m");
    EXPECT_EQ(damaged("\"C\": 4", "\"C\": NaN"), "not JSON, or cut off: m:6");
    EXPECT_EQ(damaged("\"C\": 4", "\"C\": 1e999"), "a number is too large for double precision: m");
    EXPECT_EQ(damaged("\"C\": 4", "\"C\": -4"), "C must be a positive number, got -4: m");
    EXPECT_EQ(damaged("\"ovo\"", "7"), "the model.multi_class must be text: m");
    EXPECT_EQ(damaged("\"cat\"", "\"dog\""), "two classes have the same label: m");
    EXPECT_EQ(damaged("\"cat\", \"dog\", \"not sure\"", "\"cat\""),
              "the model.classes must be 2 to 30000 labels, got 1: m");
    EXPECT_EQ(damaged("\"cat\"", "\"a\\nb\""), "the model.classes[0] holds control characters: m");
    EXPECT_EQ(damaged("[1, 1, 2]", "[1, 1]"),
              "the model.class_weight must have 3 numbers, got 2: m");
    EXPECT_EQ(damaged("\"features\": 2", "\"features\": 2000000000"),
              "the model.support_vectors.values[0] must have 2000000000 numbers, got 2: m");
    EXPECT_EQ(damaged("\"features\": 2", "\"features\": 18446744073709551615"),
              "the model.features must be a whole number from 1 to 2147483647: m");
    EXPECT_EQ(damaged("\"scaling\": null", "\"scaling\": {\"mean\": [0, 0], \"scale\": [1, 0]}"),
              "the scaling must have finite means and positive finite scales: m");
}

TEST(Json, PartsThatDoNotFitAreRefused) {
    EXPECT_EQ(damaged("[0, 3, 6]", "[0, 3, 3]"),
              "the model.support_vectors.rows[2] must be a whole number from 4 to 8: m");
    EXPECT_EQ(damaged("[0, 3, 6]", "[0, 3]"),
              "the model.support_vectors.values must have 2 lists, got 3: m");
    EXPECT_EQ(damaged("[0.5, -1]", "[0.5, null]"),
              "the model.support_vectors.values[0][1] must be a number: m");
    EXPECT_EQ(damaged("\"dense\"", "\"sparse\""),
              "the model.support_vectors has no \"indices\": m");
    EXPECT_EQ(damaged("\"classes\": [0, 2]", "\"classes\": [0, 1]"),
              "pair 1 has the classes 0 and 1: m");
    EXPECT_EQ(damaged("\"classes\": [0, 2]", "\"classes\": [0, 3]"),
              "the model.pairs[1].classes[1] must be a whole number from 0 to 2: m");
    EXPECT_EQ(damaged("\"converged\"", "\"done\""),
              "the model.pairs[0].status is unknown: 'done': m");
    EXPECT_EQ(damaged("\"support\": [0, 1]", "\"support\": [0, 3]"),
              "the model.pairs[0].support[1] must be a whole number from 1 to 2: m");
    EXPECT_EQ(damaged("[-1.5, 1.5]", "[-1.5]"),
              "the model.pairs[0].coefficients must have 2 numbers, got 1: m");
    EXPECT_EQ(damaged("[-1.5, 1.5]", "[-1.5, 0]"),
              "bias and coefficients of pair 0 must be finite, and these not 0: m");
    EXPECT_EQ(damaged("\"sigmoid\"", "\"tanh\""),
              "the model.pairs[0].calibration.name is unknown: 'tanh': m");
    EXPECT_EQ(damaged("{\"name\": \"sigmoid\", \"slope\": -2, \"offset\": 0}", "null"),
              "some pairs are calibrated and others not: m");
    const std::string text = to_json(many_classes());
    for (std::size_t size = 0; size + 2 < text.size(); ++size)
        EXPECT_NE(refused(text.substr(0, size)), "accepted") << size;
    Classifier bytes = classifier_of(dense_model());
    bytes.classes[0] = "\xFF";
    EXPECT_THROW((void)to_json(bytes), InvalidInput);
    EXPECT_THROW((void)to_onnx(bytes), InvalidInput);
}

TEST(Onnx, FieldsOfProtocolBuffers) {
    protobuf::Message inner;
    inner.bytes(2, "abc");
    protobuf::Message message;
    message.integer(1, 300).integer(20, -1).message(7, inner);
    EXPECT_EQ(message.data(), std::string("\x08\xAC\x02") + // field 1, 300
                                  "\xA0\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" +
                                  "\x3A\x05\x12\x03" + "abc");
    std::string raw;
    protobuf::append_raw(raw, 1.0);
    EXPECT_EQ(raw, std::string("\0\0\0\0\0\0\xF0\x3F", 8));
}

/// What they compute is compared in tests/python/test_export.py; here sanitizers look on.
TEST(Onnx, EveryModelIsWritten) {
    for (const Kernel &kernel :
         {Kernel(LinearKernel{}), Kernel(PolynomialKernel{}), Kernel(RbfKernel{}),
          Kernel(ExponentialKernel{}), Kernel(InverseMultiquadricKernel{}),
          Kernel(WendlandKernel{}), Kernel(LaplacianKernel{})}) {
        Model model = sparse_model();
        model.kernel = kernel;
        const std::string file = to_onnx(classifier_of(model));
        EXPECT_EQ(file.find("probabilities"), std::string::npos);
        const bool by_feature = std::holds_alternative<LaplacianKernel>(kernel);
        EXPECT_EQ(file.find("Loop") != std::string::npos, by_feature);
    }
    EXPECT_NE(to_onnx(classifier_of(scaled_model())).find("Div"), std::string::npos);
    EXPECT_EQ(to_onnx(classifier_of(constant_model())).find("MatMul"), std::string::npos);
    Classifier many = many_classes();
    const std::string coupled = to_onnx(many);
    EXPECT_NE(coupled.find("probabilities"), std::string::npos);
    EXPECT_NE(coupled.find("Loop"), std::string::npos);
    EXPECT_NE(coupled.find("not sure"), std::string::npos);
    const Vector two{{0, 1}}, three{{-1, 0, 1}};
    many.pairs[0].calibration = Isotonic{.at = two.head(1), .value = two.head(1)};
    many.pairs[1].calibration = Isotonic{.at = two, .value = two};
    many.pairs[2].calibration = Isotonic{.at = three, .value = (three.array() + 1) / 2};
    EXPECT_NE(to_onnx(many).find("Clip"), std::string::npos);
    many.classes = {"-3", "0", "12"};
    EXPECT_EQ(to_onnx(many).find("-3"), std::string::npos); // they are integers then
    Classifier step = classifier_of(dense_model());
    step.pairs[0].calibration = Isotonic{.at = two.head(1), .value = two.tail(1)};
    EXPECT_NE(to_onnx(step).find("probabilities"), std::string::npos);
}

TEST(Onnx, WhatIsRefused) {
    EXPECT_THROW((void)to_onnx(classifier_of(precomputed_model())), InvalidInput);
    Model wide = sparse_model();
    wide.features = 2'000'000'000;
    std::get<SparseRows>(wide.support).conservativeResize(3, wide.features);
    EXPECT_THROW((void)to_onnx(classifier_of(wide)), InvalidInput);
    EXPECT_THROW((void)exported(classifier_of(dense_model()), "pmml"), InvalidInput);
}

/// Files named bad-* must be refused, all others are read.
TEST(ImportCorpus, Replay) {
    const fs::path folder = fs::path(HINGE0_TEST_DATA).parent_path() / "fuzz/corpus/import";
    int files = 0;
    for (const auto &entry : fs::directory_iterator(folder)) {
        SCOPED_TRACE(entry.path());
        const std::string text = text_of(entry.path());
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
        const bool bad = entry.path().filename().string().starts_with("bad-");
        if (bad) {
            EXPECT_THROW((void)import_model(entry.path()), FileError);
        } else {
            EXPECT_NO_THROW((void)import_model(entry.path()));
        }
        ++files;
    }
    EXPECT_GE(files, 10);
}

} // namespace
} // namespace hinge0::testing
