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

void print_support(std::string &out, const Model &model) {
    print(out, "support_vectors {}\n", model.coefficients.size());
    print(out, "storage {}\n",
          std::holds_alternative<SparseRows>(model.support) ? "sparse" : "dense");
    const auto print_rows = [&](const auto &support) {
        for (Index i = 0; i < model.coefficients.size(); ++i) {
            print(out, "{}", model.rows[static_cast<std::size_t>(i)] + 1);
            print_number(out, model.coefficients[i]);
            print_row(out, support, i);
            out += '\n';
        }
    };
    std::visit(print_rows, model.support);
}

} // namespace

std::string to_text(const Model &model) {
    const Index count = model.coefficients.size();
    if (row_count(model.support) != count || std::ssize(model.rows) != count)
        throw InvalidInput(fmt::format("a model needs as many coefficients as support vectors and "
                                       "rows, got {}, {} and {}",
                                       count, row_count(model.support), model.rows.size()));
    std::string out;
    print(out, "{}{}\n", model_format::magic, model_format::version);
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
    print(out, "scaling {}\n", model.scaling.empty() ? "no" : "yes");
    if (!model.scaling.empty()) {
        print_vector(out, "mean", model.scaling.mean);
        print_vector(out, "scale", model.scaling.scale);
    }
    print(out, "bias {:.17g}\n", model.bias);
    print_support(out, model);
    print(out, "{}{:016x}\n", model_format::checksum_key, model_format::fnv1a64(out));
    return out;
}

} // namespace hinge0
