/// Model -> text.
#include <fmt/format.h>

#include <iterator>

#include "hinge0/error.hpp"
#include "model/model_file.hpp"
#include "model/model_format.hpp"

namespace hinge0 {
namespace model_format {

std::string escape(std::string_view text) {
    if (text.empty()) return "%";
    std::string word;
    for (const char byte : text) {
        if (must_escape(byte))
            fmt::format_to(std::back_inserter(word), "%{:02X}", static_cast<unsigned char>(byte));
        else
            word += byte;
    }
    return word;
}

} // namespace model_format

namespace {

template <class... Args>
void print(std::string &out, fmt::format_string<Args...> f, Args &&...args) {
    fmt::format_to(std::back_inserter(out), f, std::forward<Args>(args)...);
}

/// 17 significant digits tell every double from its neighbours, so that loading is bit-exact.
void print_number(std::string &out, double value) { print(out, " {:.17g}", value); }
void print_number(std::string &out, int value) { print(out, " {}", value); }

void print_kernel(std::string &out, const Kernel &kernel) {
    print(out, "kernel {}\n", name(kernel));
    const auto print_parameter = [&](std::string_view key, const auto &value) {
        out += key;
        print_number(out, value);
        out += '\n';
    };
    for_each_parameter(kernel, print_parameter);
}

void print_vector(std::string &out, std::string_view key, const Vector &values) {
    out += key;
    for (const double value : values) print_number(out, value);
    out += '\n';
}

void print_row(std::string &out, const DenseRows &support, Index row) {
    for (Index column = 0; column < support.cols(); ++column)
        print_number(out, support(row, column));
}

void print_row(std::string &out, const SparseRows &support, Index row) {
    for (SparseRows::InnerIterator entry(support, row); entry; ++entry)
        print(out, " {}:{:.17g}", entry.col() + 1, entry.value());
}

/// Their rows; `coefficients` of those that have them, else empty.
void print_support(std::string &out, const Samples &samples, const std::vector<Index> &rows,
                   const Vector &coefficients) {
    print(out, "support_vectors {}\n", rows.size());
    print(out, "storage {}\n", std::holds_alternative<SparseRows>(samples) ? "sparse" : "dense");
    const auto print_rows = [&](const auto &support) {
        for (Index i = 0; i < support.rows(); ++i) {
            print(out, "{}", rows[static_cast<std::size_t>(i)] + 1);
            if (coefficients.size() > 0) print_number(out, coefficients[i]);
            print_row(out, support, i);
            out += '\n';
        }
    };
    std::visit(print_rows, samples);
}

void print_scaling(std::string &out, const Scaling &scaling) {
    print(out, "scaling {}\n", scaling.empty() ? "no" : "yes");
    if (scaling.empty()) return;
    print_vector(out, "mean", scaling.mean);
    print_vector(out, "scale", scaling.scale);
}

struct PrintCalibration {
    std::string &out;
    void operator()(std::monostate) const {}
    void operator()(const Sigmoid &sigmoid) const {
        print(out, " {:.17g} {:.17g}", sigmoid.slope, sigmoid.offset);
    }
    void operator()(const Isotonic &isotonic) const {
        print(out, " {}", isotonic.at.size());
        for (Index k = 0; k < isotonic.at.size(); ++k)
            print(out, " {:.17g} {:.17g}", isotonic.at(k), isotonic.value(k));
    }
};

void print_pair(std::string &out, const Pair &pair) {
    print(out, "pair {} {} {} {:.17g} {:.17g} {}", pair.classes[0] + 1, pair.classes[1] + 1,
          to_string(pair.status), pair.objective, pair.bias, pair.support.size());
    for (std::size_t k = 0; k < pair.support.size(); ++k)
        print(out, " {}:{:.17g}", pair.support[k] + 1, pair.coefficients(static_cast<Index>(k)));
    print(out, "\ncalibration {}", name(pair.calibration));
    std::visit(PrintCalibration{out}, pair.calibration);
    out += '\n';
}

void print_checksum(std::string &out) {
    print(out, "{}{:016x}\n", model_format::checksum_key, model_format::fnv1a64(out));
}

} // namespace

std::string to_text(const Model &model) {
    if (model.training_rows == 0) return to_text(classifier_of(model));
    const Index count = model.coefficients.size();
    if (row_count(model.support) != count || std::ssize(model.rows) != count)
        throw InvalidInput(fmt::format("a model needs as many coefficients as support vectors and "
                                       "rows, got {}, {} and {}",
                                       count, row_count(model.support), model.rows.size()));
    std::string out;
    print(out, "{}1\n", model_format::magic);
    print_kernel(out, model.kernel);
    print(out, "loss {}\n", name(model.loss));
    print(out, "C {:.17g}\n", model.C);
    print(out, "class_weight {:.17g} {:.17g}\n", model.class_weight[0], model.class_weight[1]);
    print(out, "classes {} {}\n", model_format::escape(model.classes[0]),
          model_format::escape(model.classes[1]));
    print(out, "features {}\n", model.features);
    print(out, "training_rows {}\n", model.training_rows);
    print(out, "status {}\n", to_string(model.status));
    print(out, "objective {:.17g}\n", model.objective);
    print_scaling(out, model.scaling);
    print(out, "bias {:.17g}\n", model.bias);
    print_support(out, model.support, model.rows, model.coefficients);
    print_checksum(out);
    return out;
}

std::string to_text(const Classifier &classifier) {
    if (classifier.is_binary() && !classifier.is_calibrated() && classifier.training_rows > 0)
        return to_text(model_of(classifier, 0));
    std::string out;
    print(out, "{}2\n", model_format::magic);
    print_kernel(out, classifier.kernel);
    print(out, "loss {}\n", name(classifier.loss));
    print(out, "C {:.17g}\n", classifier.C);
    print(out, "scheme {}\n", name(classifier.scheme));
    print(out, "classes {}", classifier.classes.size());
    for (const std::string &label : classifier.classes)
        print(out, " {}", model_format::escape(label));
    out += "\nclass_weight";
    for (const double weight : classifier.class_weight) print_number(out, weight);
    print(out, "\nfeatures {}\n", classifier.features);
    print(out, "training_rows {}\n", classifier.training_rows);
    print_scaling(out, classifier.scaling);
    print_support(out, classifier.support, classifier.rows, {});
    for (const Pair &pair : classifier.pairs) print_pair(out, pair);
    print_checksum(out);
    return out;
}

} // namespace hinge0
