/// What the model loader refuses, and in which words. The checksum is made right again after each
/// damage, so that every check is seen to work on its own.
#include <gtest/gtest.h>

#include "data/text.hpp"
#include "model_samples.hpp"

namespace hinge0::testing {
namespace {

std::string damaged(const Model &model, const std::string &from, const std::string &to) {
    return refusal(with_checksum(replaced(to_text(model), from, to)));
}

TEST(ModelRefusal, TruncationAtEveryByte) {
    for (const Model &model : {dense_model(), sparse_model(), scaled_model()}) {
        const std::string text = to_text(model);
        for (std::size_t size = 0; size < text.size(); ++size) {
            const std::string cut = text.substr(0, size);
            EXPECT_NE(refusal(cut), "accepted") << size;
            EXPECT_NE(refusal(cut, false), "accepted") << size;
        }
    }
}

TEST(ModelRefusal, EveryFlippedBit) {
    const std::string text = to_text(scaled_model());
    ASSERT_EQ(refusal(text), "accepted");
    for (std::size_t i = 0; i < text.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            std::string flipped = text;
            flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
            ASSERT_NE(refusal(flipped), "accepted") << i << " bit " << bit;
        }
}

TEST(ModelRefusal, EveryLineMissingOrTwice) {
    for (const Model &model : {dense_model(), sparse_model(), scaled_model()}) {
        const std::string text = to_text(model);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin) + 1;
            const std::string line = text.substr(begin, end - begin);
            std::string without = text, twice = text;
            EXPECT_NE(refusal(without.erase(begin, line.size()), false), "accepted") << line;
            EXPECT_NE(refusal(twice.insert(begin, line), false), "accepted") << line;
            begin = end;
        }
    }
}

TEST(ModelRefusal, FirstLine) {
    const Model model = dense_model();
    EXPECT_EQ(refusal(""), "not a hinge0 model: m:1");
    EXPECT_EQ(refusal("svm_type c_svc\n"), "not a hinge0 model: m:1");
    EXPECT_EQ(refusal("hinge0-model"), "not a hinge0 model: m:1");
    EXPECT_EQ(damaged(model, "model 1", "model 2"),
              "a model of several classes, with probabilities or of another program: this needs "
              "one of two classes that hinge0 has trained: m:1");
    EXPECT_EQ(damaged(model, "model 1", "model 3"),
              "written by a newer hinge0 (format 3); this one reads formats up to 2: m:1");
    EXPECT_EQ(damaged(model, "model 1", "model " + std::string(99, '9')),
              "written by a newer hinge0 (format 99999999999999999999); this one reads formats up "
              "to 2: m:1");
    EXPECT_EQ(damaged(model, "model 1", "model 0"), "bad format version '0': m:1");
    EXPECT_EQ(damaged(model, "model 1", "model 1 "), "bad format version '1 ': m:1");
    EXPECT_EQ(damaged(model, "model 1\n", "model 1\r\n"),
              "lines end in CR LF, a model's end in LF: copy it as a binary file: m:1");
}

TEST(ModelRefusal, LastLine) {
    const std::string text = to_text(dense_model());
    EXPECT_EQ(refusal(text.substr(0, text.size() - 1)), "the last line is cut off: m:19");
    const std::string no_sum = "no checksum on the last line, the file is cut off or damaged: m:";
    EXPECT_EQ(refusal(text.substr(0, text.rfind("checksum"))), no_sum + "18");
    EXPECT_EQ(refusal(text + "\n"), no_sum + "20");
    EXPECT_EQ(refusal(replaced(text, "fnv1a64", "crc32")), no_sum + "19");
    EXPECT_EQ(refusal("hinge0-model 1\n"), no_sum + "1");
    std::string upper = text.substr(0, text.size() - 17) + "000000000000000A\n";
    EXPECT_EQ(refusal(upper), no_sum + "19");
    EXPECT_EQ(refusal(text.substr(0, text.size() - 2) + "\n", false), no_sum + "19");
    EXPECT_EQ(refusal(text.substr(0, text.size() - 1) + "0\n", false), no_sum + "19");
    const std::string sum = text.substr(text.size() - 17, 16);
    EXPECT_EQ(refusal(text.substr(0, text.size() - 17) + "0123456789abcdef\n"),
              "the checksum says 0123456789abcdef but the text gives " + sum +
                  ", the file was changed: m:19");
    EXPECT_EQ(refusal(text.substr(0, text.size() - 17) + "0123456789abcdef\n", false), "accepted");
}

/// The damages of LIBSVM models that crash svm-predict or are accepted by it.
TEST(ModelRefusal, WhatBreaksOthers) {
    const Model model = dense_model();
    EXPECT_EQ(damaged(model, "support_vectors 3", "support_vectors 2000000"),
              "support_vectors says 2000000, but there is room for 20 at most: m:15");
    EXPECT_EQ(damaged(model, "support_vectors 3", "support_vectors 9223372036854775807"),
              "support_vectors says 9223372036854775807, but there is room for 20 at most: m:15");
    EXPECT_EQ(damaged(model, "support_vectors 3\n", ""),
              "expected 'support_vectors', found 'storage': m:14");
    EXPECT_EQ(damaged(model, "classes -1 1\n", ""), "expected 'classes', found 'features': m:7");
    EXPECT_EQ(damaged(model, "bias -0.33333333333333331\n", ""),
              "expected 'bias', found 'support_vectors': m:13");
    EXPECT_EQ(damaged(model, "support_vectors 3", "support_vectors 4"),
              "support_vectors says 4, only 3 follow: m:19");
    EXPECT_EQ(damaged(model, "10 0.40000000000000002 1e+308 4.9406564584124654e-324\n", ""),
              "support_vectors says 3, only 2 follow: m:18");
    EXPECT_EQ(damaged(model, " 4.9406564584124654e-324\n", "\n"),
              "value is missing or incomplete: m:18");
    EXPECT_EQ(damaged(model, "0.69999999999999996", "nan"),
              "coefficient must be a finite number, got 'nan': m:16");
    EXPECT_EQ(damaged(model, "10 0.40000000000000002 1e+308 4.9406564584124654e-324\n", "\n"),
              "row is missing or incomplete: m:18");
    EXPECT_EQ(
        damaged(model, "support_vectors 3", "support_vectors -5"),
        "support_vectors must be a whole number from 0 to 9223372036854775807, got '-5': m:14");
}

TEST(ModelRefusal, Keys) {
    const Model model = dense_model();
    EXPECT_EQ(damaged(model, "gamma 0.1", "coef0 0.1"), "expected 'gamma', found 'coef0': m:3");
    EXPECT_EQ(damaged(model, "C 1\n", "C 1\nC 1\n"), "expected 'class_weight', found 'C': m:6");
    EXPECT_EQ(damaged(model, "C 1\n", "note x\nC 1\n"), "expected 'C', found 'note': m:5");
    EXPECT_EQ(damaged(model, "loss l0\nC 1\n", "C 1\nloss l0\n"),
              "expected 'loss', found 'C': m:4");
    EXPECT_EQ(damaged(model, "C 1\n", "\nC 1\n"), "expected 'C', found '': m:5");
    EXPECT_EQ(damaged(model, "C 1\n", "C\n"), "C is missing or incomplete: m:5");
    EXPECT_EQ(damaged(model, "C 1\n", "C  1\n"), "C is missing or incomplete: m:5");
    EXPECT_EQ(damaged(model, "C 1\n", " C 1\n"), "C is missing or incomplete: m:5");
    EXPECT_EQ(damaged(model, "C 1\n", "C 1 \n"), "'' is too much on this line: m:5");
    EXPECT_EQ(damaged(model, "C 1\n", "C 1 2 3\n"), "'2 3' is too much on this line: m:5");
    EXPECT_EQ(refusal("hinge0-model 1\nchecksum fnv1a64 0000000000000000\n", false),
              "expected 'kernel', found the end of the model: m:2");
    EXPECT_EQ(damaged(model, "checksum", "11 1 1 1\nchecksum"),
              "support_vectors says 3, but more lines follow: m:19");
    EXPECT_EQ(damaged(constant_model(), "checksum", "\nchecksum"),
              "support_vectors says 0, but more lines follow: m:16");
}

TEST(ModelRefusal, Kernels) {
    Model model = dense_model();
    EXPECT_EQ(damaged(model, "kernel rbf", "kernel RBF"), "unknown kernel 'RBF': m:2");
    EXPECT_EQ(damaged(model, "kernel rbf", "kernel linear"), "expected 'loss', found 'gamma': m:3");
    EXPECT_EQ(damaged(model, "kernel rbf", "kernel rbf 2"), "'2' is too much on this line: m:2");
    EXPECT_EQ(damaged(model, "gamma 0.10000000000000001", "gamma -1"),
              "kernel gamma must be a positive number, got -1: m:3");
    EXPECT_EQ(damaged(model, "gamma 0.10000000000000001", "gamma inf"),
              "gamma must be a finite number, got 'inf': m:3");
    model.kernel = PolynomialKernel{};
    EXPECT_EQ(damaged(model, "gamma 1", "gamma 0"),
              "kernel gamma must be a positive number, got 0: m:3");
    EXPECT_EQ(damaged(model, "degree 3", "degree 0"),
              "kernel degree must be in [1, 100], got 0: m:5");
    EXPECT_EQ(damaged(model, "degree 3", "degree 2.5"),
              "degree must be a whole number from 0 to 2147483647, got '2.5': m:5");
    EXPECT_EQ(damaged(model, "degree 3", "degree 4294967299"),
              "degree must be a whole number from 0 to 2147483647, got '4294967299': m:5");
    model.kernel = InverseMultiquadricKernel{};
    EXPECT_EQ(damaged(model, "coef0 1", "coef0 0"),
              "kernel coef0 must be a positive number, got 0: m:3");
    EXPECT_EQ(damaged(model, "beta 0.5", "beta -0.5"),
              "kernel beta must be a positive number, got -0.5: m:4");
    model.kernel = WendlandKernel{};
    EXPECT_EQ(damaged(model, "dimension 1", "dimension 0"),
              "kernel dimension must be at least 1, got 0: m:4");
}

TEST(ModelRefusal, Training) {
    const Model model = dense_model();
    EXPECT_EQ(damaged(model, "loss l0", "loss l1"), "unknown loss 'l1': m:4");
    EXPECT_EQ(damaged(model, "C 1", "C 0"), "C must be > 0, got '0': m:5");
    EXPECT_EQ(damaged(model, "C 1", "C 1e999"), "C must be a finite number, got '1e999': m:5");
    EXPECT_EQ(damaged(model, "C 1", "C +1"), "C must be a finite number, got '+1': m:5");
    EXPECT_EQ(damaged(model, "C 1", "C 0x1"), "C must be a finite number, got '0x1': m:5");
    EXPECT_EQ(damaged(model, "weight 1 1", "weight 1 -1"),
              "class_weight must be > 0, got '-1': m:6");
    EXPECT_EQ(damaged(model, "weight 1 1", "weight 1"),
              "class_weight is missing or incomplete: m:6");
    EXPECT_EQ(damaged(model, "classes -1 1", "classes 1 1"),
              "the two class labels are equal, both '1': m:7");
    EXPECT_EQ(damaged(model, "classes -1 1", "classes 1 %31"),
              "the two class labels are equal, both '1': m:7");
    EXPECT_EQ(damaged(model, "classes -1 1", "classes 1"),
              "class label is missing or incomplete: m:7");
    for (const std::string label : {"a%", "a%2", "a%zz", "%-1", "a\tb", "a\x01", "a\x7f"})
        EXPECT_EQ(damaged(model, "classes -1 1", "classes 1 " + label),
                  "bad escape in class label " + in_quotes(label) + ": m:7");
    for (const std::string byte : {"00", "0a", "0d", "1b", "7f"}) // two lines, or a terminal's
        EXPECT_EQ(damaged(model, "classes -1 1", "classes 1 a%" + byte),
                  "control byte in class label 'a\\x" + byte + "': m:7");
    const std::string range = "features must be a whole number from 1 to 2147483647, got ";
    EXPECT_EQ(damaged(model, "features 2", "features 0"), range + "'0': m:8");
    EXPECT_EQ(damaged(model, "features 2", "features 2147483648"), range + "'2147483648': m:8");
    EXPECT_EQ(damaged(model, "training_rows 10", "training_rows 0"),
              "training_rows must be a whole number from 1 to 9223372036854775807, got '0': m:9");
    EXPECT_EQ(damaged(model, "converged", "done"), "unknown status 'done': m:10");
    EXPECT_EQ(damaged(model, "objective 2.3333333333333335", "objective -inf"),
              "objective must be a finite number, got '-inf': m:11");
    EXPECT_EQ(damaged(precomputed_model(), "features 10", "features 9"),
              "a precomputed kernel needs features equal to training_rows, got 9 and 10: m:8");
}

TEST(ModelRefusal, Scaling) {
    const Model model = scaled_model();
    EXPECT_EQ(damaged(model, "scaling yes", "scaling maybe"),
              "scaling must be yes or no, got 'maybe': m:12");
    EXPECT_EQ(damaged(model, "scaling yes", "scaling no"), "expected 'bias', found 'mean': m:13");
    EXPECT_EQ(damaged(model, "mean 0.10000000000000001 -3", "mean 0.10000000000000001"),
              "mean is missing or incomplete: m:13");
    EXPECT_EQ(damaged(model, "mean 0.10000000000000001 -3", "mean 1 2 3"),
              "'3' is too much on this line: m:13");
    EXPECT_EQ(damaged(model, "mean 0.10000000000000001 -3", "mean 1"),
              "mean must have 2 numbers, the line is too short: m:13");
    EXPECT_EQ(damaged(model, "features 2", "features 2147483647"),
              "mean must have 2147483647 numbers, the line is too short: m:13");
    EXPECT_EQ(damaged(model, "scale 1e-300 1", "scale 1 0"), "scale must be > 0, got 0: m:14");
    EXPECT_EQ(damaged(model, "scale 1e-300 1", "scale 1 nan"),
              "scale must be a finite number, got 'nan': m:14");
    EXPECT_EQ(damaged(precomputed_model(), "scaling no", "scaling yes"),
              "a precomputed kernel takes no scaling: m:11");
}

TEST(ModelRefusal, Support) {
    const Model model = dense_model();
    EXPECT_EQ(damaged(model, "dense", "binary"),
              "storage must be dense or sparse, got 'binary': m:15");
    EXPECT_EQ(damaged(model, "dense", "sparse"),
              "expected index:value, found '0.10000000000000001': m:16");
    EXPECT_EQ(damaged(model, "features 2", "features 2147483647"),
              "support_vectors says 3, but there is room for 0 at most: m:15");
    const std::string range = "row must be a whole number from 1 to 10, got ";
    EXPECT_EQ(damaged(model, "10 0.4", "11 0.4"), range + "'11': m:18");
    EXPECT_EQ(damaged(model, "\n1 0.6", "\n0 0.6"), range + "'0': m:16");
    EXPECT_EQ(damaged(model, "10 0.4", "5 0.4"), "rows must rise, got 5 after 5: m:18");
    EXPECT_EQ(damaged(model, "10 0.4", "2 0.4"), "rows must rise, got 2 after 5: m:18");
    EXPECT_EQ(damaged(model, "10 0.40000000000000002", "10 0"),
              "a coefficient must not be zero: m:18");
    EXPECT_EQ(damaged(model, "10 0.40000000000000002", "10 -0"),
              "a coefficient must not be zero: m:18");
    EXPECT_EQ(damaged(model, "4.9406564584124654e-324", "1e-400"),
              "value must be a finite number, got '1e-400': m:18");
    EXPECT_EQ(damaged(model, "4.9406564584124654e-324", "0 0"),
              "'0' is too much on this line: m:18");
    EXPECT_EQ(damaged(precomputed_model(), "10 0.40000000000000002", "10 1 1"),
              "'1' is too much on this line: m:17");
}

TEST(ModelRefusal, SparseSupport) {
    const Model model = sparse_model();
    const std::string range = "index must be a whole number from 1 to 5, got ";
    EXPECT_EQ(damaged(model, " 5:-2.5", " 6:-2.5"), range + "'6': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 0:-2.5"), range + "'0': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " :-2.5"), range + "'': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 4294967301:1"), range + "'4294967301': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 2:-2.5"), "indices must rise, got 2 after 2: m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 1:-2.5"), "indices must rise, got 1 after 2: m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 5:inf"),
              "value must be a finite number, got 'inf': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 5:"), "value must be a finite number, got '': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " 5:1:2"),
              "value must be a finite number, got '1:2': m:16");
    EXPECT_EQ(damaged(model, " 5:-2.5", " "), "index:value pair is missing or incomplete: m:16");
    Model precomputed = precomputed_model();
    precomputed.support = SparseRows(3, 0);
    EXPECT_EQ(damaged(precomputed, "10 0.40000000000000002", "10 1 1:1"),
              "index must be a whole number from 1 to 0, got '1': m:17");
}

TEST(ModelRefusal, LongAndUnprintableTextIsShortInMessages) {
    EXPECT_EQ(damaged(dense_model(), "C 1", "C " + std::string(1000, 'x')),
              "C must be a finite number, got '" + std::string(40, 'x') + "...': m:5");
    EXPECT_EQ(damaged(dense_model(), "loss l0", "loss \x1b[31m\r"),
              "unknown loss '\\x1b[31m\\x0d': m:4");
}

} // namespace
} // namespace hinge0::testing
