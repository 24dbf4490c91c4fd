#pragma once
/// Small models that the tests of model files start from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "hinge0/error.hpp"
#include "hinge0/model.hpp"
#include "model/model_file.hpp"
#include "model/model_format.hpp"

namespace hinge0::testing {

/// Two features, three dense support vectors of ten rows, numbers that decimal cannot hold.
inline Model dense_model() {
    Model model;
    model.kernel = RbfKernel{0.1};
    model.features = 2;
    model.training_rows = 10;
    model.objective = 7.0 / 3.0;
    model.bias = -1.0 / 3.0;
    model.coefficients = Vector{{0.7, -1.1, 0.4}};
    model.rows = {0, 4, 9};
    model.support = DenseRows{{0.1, 0.2}, {1.0 / 3.0, -0.0}, {1e308, 5e-324}};
    return model;
}

inline Model sparse_model() {
    Model model = dense_model();
    model.features = 5;
    SparseRows support(3, 5); // its second row is empty
    support.insert(0, 1) = 0.3;
    support.insert(0, 4) = -2.5;
    support.insert(2, 0) = 1e-310;
    support.makeCompressed();
    model.support = support;
    return model;
}

inline Model precomputed_model() {
    Model model = dense_model();
    model.kernel = PrecomputedKernel{};
    model.features = model.training_rows;
    model.support = DenseRows(3, 0);
    return model;
}

inline Model constant_model() {
    Model model = dense_model();
    model.coefficients = Vector();
    model.rows = {};
    model.support = DenseRows(0, 2);
    return model;
}

inline Model scaled_model() {
    Model model = dense_model();
    model.scaling = {Vector{{0.1, -3.0}}, Vector{{1e-300, 1.0}}};
    return model;
}

/// `text` with the checksum it ought to have, for damage that the checksum would hide.
inline std::string with_checksum(std::string text) {
    text.erase(text.rfind(model_format::checksum_key));
    return text +
           fmt::format("{}{:016x}\n", model_format::checksum_key, model_format::fnv1a64(text));
}

/// `text` with its first `from` replaced.
inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << "no '" << from << "' in\n" << text;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The message with which the text is refused; "accepted" if it is not.
inline std::string refusal(const std::string &text, bool check_sum = true) {
    try {
        static_cast<void>(parse_model(text, "m", check_sum));
    } catch (const FileError &error) {
        return error.what();
    }
    return "accepted";
}

} // namespace hinge0::testing
