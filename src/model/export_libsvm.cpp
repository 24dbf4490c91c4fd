/// LIBSVM's model text. Its decision values speak for the first class of a pair, ours for the
/// second: coefficients change their sign, and rho is our bias.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"

namespace hinge0 {
namespace {

template <class... Args>
void print(std::string &out, fmt::format_string<Args...> f, Args &&...args) {
    fmt::format_to(std::back_inserter(out), f, std::forward<Args>(args)...);
}

struct PrintKernel {
    std::string &out;
    void operator()(const LinearKernel &) const { out += "kernel_type linear\n"; }
    void operator()(const PrecomputedKernel &) const { out += "kernel_type precomputed\n"; }
    void operator()(const RbfKernel &k) const {
        print(out, "kernel_type rbf\ngamma {:.17g}\n", k.gamma);
    }
    void operator()(const PolynomialKernel &k) const {
        print(out, "kernel_type polynomial\ndegree {}\ngamma {:.17g}\ncoef0 {:.17g}\n", k.degree,
              k.gamma, k.coef0);
    }
    template <class Other> void operator()(const Other &kernel) const {
        throw InvalidInput(fmt::format("LIBSVM has no kernel {}", name(Kernel(kernel))),
                           "it has linear, poly, rbf and precomputed");
    }
};

bool is_whole(const std::string &label) {
    const bool sign = label.starts_with('-');
    return label.size() > (sign ? 1U : 0U) && label.size() < 10 &&
           std::all_of(label.begin() + (sign ? 1 : 0), label.end(), is_digit);
}

void check(const Classifier &classifier) {
    if (classifier.scheme == Scheme::ovr && !classifier.is_binary())
        throw InvalidInput("LIBSVM has no one-vs-rest", "train with --multi-class ovo");
    for (const std::string &label : classifier.classes)
        if (!is_whole(label))
            throw InvalidInput(
                fmt::format("LIBSVM's labels are whole numbers, {} is none", in_quotes(label)));
}

/// The class that a support vector is of: the one that all its pairs have in common; of a single
/// pair the one that its coefficient speaks for.
std::vector<Index> class_of_support(const Classifier &classifier) {
    std::vector<std::map<Index, Index>> seen(classifier.rows.size()); // classes, and how often
    std::vector<Index> uses(seen.size(), 0), result(seen.size(), 0);
    for (const Pair &pair : classifier.pairs)
        for (std::size_t k = 0; k < pair.support.size(); ++k) {
            const auto vector = static_cast<std::size_t>(pair.support[k]);
            for (const Index label : pair.classes) ++seen[vector][label];
            ++uses[vector];
            result[vector] = pair.classes[pair.coefficients(static_cast<Index>(k)) > 0 ? 1 : 0];
        }
    for (std::size_t v = 0; v < seen.size(); ++v) {
        if (uses[v] < 2) continue;
        const auto common =
            std::ranges::find_if(seen[v], [&](const auto &one) { return one.second == uses[v]; });
        if (common == seen[v].end())
            throw InvalidInput(fmt::format("support vector {} is of no single class", v + 1));
        result[v] = common->first;
    }
    return result;
}

/// Of each support vector its coefficient against every other class, in their order.
Matrix coefficients(const Classifier &classifier, const std::vector<Index> &of) {
    Matrix result = Matrix::Zero(static_cast<Index>(classifier.rows.size()),
                                 static_cast<Index>(classifier.classes.size()) - 1);
    for (const Pair &pair : classifier.pairs)
        for (std::size_t k = 0; k < pair.support.size(); ++k) {
            const Index vector = pair.support[k];
            const auto [low, high] = pair.classes;
            const bool first = of[static_cast<std::size_t>(vector)] == low;
            result(vector, first ? high - 1 : low) = -pair.coefficients(static_cast<Index>(k));
        }
    return result;
}

/// What svm-predict -b 1 wants: of every pair the probability of its first class, which is 1 /
/// (1 + exp(A decision + B)) with decision = -h. An isotonic calibration has no place there.
void print_probabilities(std::string &out, const Classifier &classifier) {
    if (!std::holds_alternative<Sigmoid>(classifier.pairs[0].calibration)) return;
    out += "\nprobA";
    for (const Pair &pair : classifier.pairs)
        print(out, " {:.17g}", std::get<Sigmoid>(pair.calibration).slope);
    out += "\nprobB";
    for (const Pair &pair : classifier.pairs)
        print(out, " {:.17g}", -std::get<Sigmoid>(pair.calibration).offset);
}

void print_row(std::string &out, const Classifier &classifier, Index row) {
    if (std::holds_alternative<PrecomputedKernel>(classifier.kernel)) {
        print(out, "0:{} ", classifier.rows[static_cast<std::size_t>(row)] + 1);
        return;
    }
    if (const auto *sparse = std::get_if<SparseRows>(&classifier.support)) {
        for (SparseRows::InnerIterator it(*sparse, row); it; ++it)
            print(out, "{}:{:.17g} ", it.col() + 1, it.value());
        return;
    }
    const auto &dense = std::get<DenseRows>(classifier.support);
    for (Index f = 0; f < dense.cols(); ++f)
        if (dense(row, f) != 0) print(out, "{}:{:.17g} ", f + 1, dense(row, f));
}

} // namespace

std::string to_libsvm(const Classifier &classifier) {
    check(classifier);
    const std::vector<Index> of = class_of_support(classifier);
    const Matrix values = coefficients(classifier, of);
    const auto classes = static_cast<Index>(classifier.classes.size());
    std::string out = "svm_type c_svc\n";
    std::visit(PrintKernel{out}, classifier.kernel);
    print(out, "nr_class {}\ntotal_sv {}\nrho", classes, classifier.rows.size());
    for (const Pair &pair : classifier.pairs) print(out, " {:.17g}", pair.bias);
    out += "\nlabel";
    for (const std::string &label : classifier.classes) print(out, " {}", label);
    print_probabilities(out, classifier);
    out += "\nnr_sv";
    for (Index c = 0; c < classes; ++c) print(out, " {}", std::ranges::count(of, c));
    out += "\nSV\n";
    for (Index c = 0; c < classes; ++c) // class by class, as LIBSVM wants them
        for (Index row = 0; row < values.rows(); ++row) {
            if (of[static_cast<std::size_t>(row)] != c) continue;
            for (Index k = 0; k < values.cols(); ++k) print(out, "{:.17g} ", values(row, k));
            print_row(out, classifier, row);
            out += '\n';
        }
    return out;
}

std::string libsvm_range(const Classifier &classifier) {
    const auto &[mean, scale] = classifier.scaling;
    if (mean.size() == 0) throw InvalidInput("the model does not scale its features");
    std::string out = "x\n-1 1\n"; // mean - scale becomes -1, mean + scale becomes 1
    for (Index f = 0; f < mean.size(); ++f)
        print(out, "{} {:.17g} {:.17g}\n", f + 1, mean(f) - scale(f), mean(f) + scale(f));
    return out;
}

} // namespace hinge0
