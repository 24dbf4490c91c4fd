/// A classifier as an ONNX model of plain operators, which compute in double precision.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/memory.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"
#include "model/onnx_graph.hpp"
#include "model/plain_labels.hpp"
#include "model/votes.hpp"

namespace hinge0 {
namespace {

using onnx::attribute, onnx::Graph, onnx::Type, onnx::Value;

/// The labels as integers, if all of them are.
std::optional<std::vector<Index>> whole_labels(const std::vector<std::string> &labels) {
    std::vector<Index> result;
    for (const std::string &label : labels) {
        Index value = 0;
        (void)std::from_chars(label.data(), label.data() + label.size(), value);
        if (std::to_string(value) != label) return std::nullopt;
        result.push_back(value);
    }
    return result;
}

/// The kernel matrix [rows, vectors] between x and the support vectors.
struct KernelMatrix {
    Graph &graph;
    const Value &x;
    const DenseRows &support;

    /// factor x.z. The factor goes into the table: onnxruntime makes one operator of a product of
    /// matrices and a number, and keeps the number in single precision.
    [[nodiscard]] Value product(double factor) const {
        return graph.node("MatMul", {x, graph.numbers(factor * support.transpose())});
    }
    /// |x|^2 + |z|^2 - 2 x.z, counted from the middle of the support vectors: what cancels is
    /// small.
    [[nodiscard]] Value squared_distance() const {
        const Eigen::RowVectorXd middle = support.colwise().mean();
        const DenseRows z = support.rowwise() - middle;
        const Value moved = graph.node("Sub", {x, graph.numbers(middle)});
        const Value xx = graph.sum(graph.node("Mul", {moved, moved}), 1, true);
        const Value zz = graph.numbers(z.rowwise().squaredNorm().transpose());
        const Value xz = graph.node("MatMul", {moved, graph.numbers(-2 * z.transpose())});
        const Value sum = graph.node("Add", {graph.node("Add", {xx, zz}), xz});
        return graph.node("Max", {sum, graph.number(0)});
    }
    [[nodiscard]] Value distance() const { return graph.node("Sqrt", {squared_distance()}); }
    /// Feature by feature, as there is no operator for it.
    [[nodiscard]] Value manhattan() const {
        const Value first = graph.gathered(x, graph.integers({0}), 1);
        const Value none =
            graph.node("Mul", {first, graph.numbers(DenseRows::Zero(1, support.rows()))});
        const Value z = graph.numbers(support.transpose());
        return graph.loop(
            support.cols(), none, [&](Graph &body, const Value &feature, const Value &sum) {
                const Value of_x = body.unsqueezed(body.gathered(x, feature, 1), 1);
                const Value of_z = body.gathered(z, feature, 0);
                return body.node("Add", {sum, body.node("Abs", {body.node("Sub", {of_x, of_z})})});
            });
    }
    [[nodiscard]] Value times(const Value &value, double factor) const {
        return graph.node("Mul", {value, graph.number(factor)});
    }
    [[nodiscard]] Value plus(const Value &value, double term) const {
        return graph.node("Add", {value, graph.number(term)});
    }
    [[nodiscard]] Value power(const Value &value, double exponent) const {
        return graph.node("Pow", {value, graph.number(exponent)});
    }
    [[nodiscard]] Value exponential(const Value &value) const { return graph.node("Exp", {value}); }

    Value operator()(const LinearKernel &) const { return product(1); }
    Value operator()(const PolynomialKernel &k) const {
        return power(plus(product(k.gamma), k.coef0), k.degree);
    }
    Value operator()(const RbfKernel &k) const {
        return exponential(times(squared_distance(), -k.gamma));
    }
    Value operator()(const ExponentialKernel &k) const {
        return exponential(times(distance(), -k.gamma));
    }
    Value operator()(const LaplacianKernel &k) const {
        return exponential(times(manhattan(), -k.gamma));
    }
    Value operator()(const InverseMultiquadricKernel &k) const {
        return power(plus(squared_distance(), k.coef0 * k.coef0), -k.beta);
    }
    Value operator()(const WendlandKernel &k) const {
        const int exponent = k.dimension / 2 + 3;
        const Value r = times(distance(), k.gamma);
        const Value left = graph.node("Max", {plus(times(r, -1), 1), graph.number(0)});
        return graph.node("Mul", {power(left, exponent), plus(times(r, exponent), 1)});
    }
    Value operator()(const PrecomputedKernel &) const {
        throw InvalidInput("a precomputed kernel has no features to export");
    }
};

class OnnxWriter {
public:
    explicit OnnxWriter(const Classifier &classifier)
        : model_(classifier), classes_(std::ssize(classifier.classes)),
          pairs_(std::ssize(classifier.pairs)) {}

    std::string write() {
        graph_.input("X", Type::float32, model_.features);
        const Value h = decisions(scaled(graph_.cast("X", Type::float64)));
        write_label(code(h));
        graph_.output("scores", h, Type::float64, pairs_);
        if (model_.is_calibrated())
            graph_.output("probabilities", probabilities(h), Type::float64, classes_);
        return graph_.file(fmt::format("{} classes, {} support vectors, {} kernel", classes_,
                                       model_.rows.size(), name(model_.kernel)));
    }

private:
    Value scaled(const Value &x) {
        if (model_.scaling.empty()) return x;
        const Value moved =
            graph_.node("Sub", {x, graph_.numbers(model_.scaling.mean.transpose())});
        return graph_.node("Div", {moved, graph_.numbers(model_.scaling.scale.transpose())});
    }
    /// h [rows, pairs]
    Value decisions(const Value &x) {
        Eigen::RowVectorXd bias(pairs_);
        DenseRows coefficients = DenseRows::Zero(std::ssize(model_.rows), pairs_);
        for (Index k = 0; k < pairs_; ++k) {
            const Pair &pair = model_.pairs[static_cast<std::size_t>(k)];
            bias(k) = pair.bias;
            for (std::size_t p = 0; p < pair.support.size(); ++p)
                coefficients(pair.support[p], k) = pair.coefficients(static_cast<Index>(p));
        }
        if (coefficients.rows() == 0) { // as many rows as x has
            const Value first = graph_.gathered(x, graph_.integers({0}), 1);
            const Value none = graph_.node("Mul", {first, graph_.number(0)});
            return graph_.node("Add", {none, graph_.numbers(bias)});
        }
        const DenseRows support =
            std::visit([](const auto &rows) { return DenseRows(rows); }, model_.support);
        const Value kernel = std::visit(KernelMatrix{graph_, x, support}, model_.kernel);
        const Value sums = graph_.node("MatMul", {kernel, graph_.numbers(coefficients)});
        return graph_.node("Add", {sums, graph_.numbers(bias)});
    }

    /// Of one value for each pair, [rows, classes, classes]: of the pair of i and j the value at
    /// (i, j) if i is its second class, 1 - value if it is the first; 0 on the diagonal.
    Value by_classes(const Value &of_pairs) {
        std::vector<Index> place(static_cast<std::size_t>(classes_ * classes_), 2 * pairs_);
        for (Index k = 0; k < pairs_; ++k) {
            const auto [low, high] = pair_classes(Scheme::ovo, classes_, k);
            place[static_cast<std::size_t>(high * classes_ + low)] = k;
            place[static_cast<std::size_t>(low * classes_ + high)] = pairs_ + k;
        }
        const Value others = graph_.node("Sub", {graph_.number(1), of_pairs});
        const Value first = graph_.gathered(of_pairs, graph_.integers({0}), 1);
        const Value zero = graph_.node("Mul", {first, graph_.number(0)});
        const Value all = graph_.node("Concat", {of_pairs, others, zero}, {attribute("axis", 1)});
        return graph_.node("Reshape", {graph_.gathered(all, graph_.integers(place), 1),
                                       graph_.integers({-1, classes_, classes_})});
    }
    /// The class, as an index: as classes_of() has it.
    Value code(const Value &h) {
        const auto highest = [&](const Value &of_classes) {
            return graph_.node("ArgMax", {of_classes}, // the first of equal ones
                               {attribute("axis", 1), attribute("keepdims", 0)});
        };
        if (!model_.is_binary() && model_.scheme == Scheme::ovr) return highest(h);
        const Value second = graph_.node("Greater", {h, graph_.number(0)});
        if (model_.is_binary())
            return graph_.node("Squeeze", {graph_.cast(second, Type::int64), graph_.integers({1})});
        return highest(graph_.sum(by_classes(graph_.cast(second, Type::float64)), 2, false));
    }
    void write_label(const Value &code) {
        const auto whole = whole_labels(model_.classes);
        const Value labels = whole ? graph_.integers(*whole) : graph_.texts(model_.classes);
        graph_.output("label", graph_.gathered(labels, code, 0), whole ? Type::int64 : Type::text,
                      -1);
    }

    template <class Calibration> const Calibration &calibration(Index k) const {
        return std::get<Calibration>(model_.pairs[static_cast<std::size_t>(k)].calibration);
    }
    Value sigmoid(const Value &h) {
        Eigen::RowVectorXd slope(pairs_), offset(pairs_);
        for (Index k = 0; k < pairs_; ++k) {
            slope(k) = -calibration<Sigmoid>(k).slope;
            offset(k) = -calibration<Sigmoid>(k).offset;
        }
        const Value line = graph_.node("Mul", {h, graph_.numbers(slope)});
        return graph_.node("Sigmoid", {graph_.node("Add", {line, graph_.numbers(offset)})});
    }
    /// Segment by segment; pairs with fewer of them have some that do not rise.
    Value isotonic(const Value &h) {
        Index most = 0;
        for (Index k = 0; k < pairs_; ++k)
            most = std::max(most, calibration<Isotonic>(k).at.size() - 1);
        DenseRows from = DenseRows::Zero(most, pairs_), width = DenseRows::Ones(most, pairs_);
        DenseRows rise = DenseRows::Zero(most, pairs_), lowest(1, pairs_);
        for (Index k = 0; k < pairs_; ++k) {
            const auto &[at, value] = calibration<Isotonic>(k);
            const Index count = at.size() - 1;
            lowest(0, k) = value(0);
            from.col(k).head(count) = at.head(count);
            width.col(k).head(count) = at.tail(count) - at.head(count);
            rise.col(k).head(count) = value.tail(count) - value.head(count);
        }
        const Value none = graph_.node("Mul", {h, graph_.number(0)});
        Value start = graph_.node("Add", {none, graph_.numbers(lowest)});
        if (most == 0) return start;
        const Value froms = graph_.numbers(from), widths = graph_.numbers(width),
                    rises = graph_.numbers(rise);
        return graph_.loop(most, start, [&](Graph &body, const Value &k, const Value &sum) {
            const Value beyond = body.node("Sub", {h, body.gathered(froms, k, 0)});
            const Value share =
                body.node("Clip", {body.node("Div", {beyond, body.gathered(widths, k, 0)}),
                                   body.number(0), body.number(1)});
            return body.node("Add", {sum, body.node("Mul", {share, body.gathered(rises, k, 0)})});
        });
    }
    Value probabilities(const Value &h) {
        const bool smooth = std::holds_alternative<Sigmoid>(model_.pairs[0].calibration);
        const Value second = smooth ? sigmoid(h) : isotonic(h);
        if (model_.is_binary()) {
            const Value first = graph_.node("Sub", {graph_.number(1), second});
            return graph_.node("Concat", {first, second}, {attribute("axis", 1)});
        }
        const Value shares = model_.scheme == Scheme::ovr ? second : coupled(second);
        const Value sum = graph_.sum(shares, 1, true);
        const Value positive = graph_.node("Greater", {sum, graph_.number(0)});
        return graph_.node("Where", {positive, graph_.node("Div", {shares, sum}),
                                     graph_.number(1.0 / static_cast<double>(classes_))});
    }
    /// Wu, Lin and Weng: (Q + 1) p = 1 as in votes.cpp, by Gauss-Jordan elimination. The matrix is
    /// positive definite: no pivots need be looked for.
    Value coupled(const Value &of_pairs) {
        const Value sure = graph_.node(
            "Clip", {of_pairs, graph_.number(least_share), graph_.number(1 - least_share)});
        const Value r = by_classes(sure);
        const DenseRows unit = DenseRows::Identity(classes_, classes_);
        const Value one = graph_.numbers(unit);
        const Value across = graph_.node("Mul", {r, graph_.node("Sub", {graph_.number(1), r})});
        const Value squares =
            graph_.unsqueezed(graph_.sum(graph_.node("Mul", {r, r}), 1, false), 2);
        const Value diagonal = graph_.node("Mul", {squares, one});
        const Value Q = graph_.node("Sub", {diagonal, across});
        const Value ones =
            graph_.node("Add", {graph_.node("Mul", {squares, graph_.number(0)}), graph_.number(1)});
        const Value start = graph_.node("Concat", {graph_.node("Add", {Q, graph_.number(1)}), ones},
                                        {attribute("axis", 2)});
        const Value solved =
            graph_.loop(classes_, start, [&](Graph &body, const Value &k, const Value &A) {
                const Value row = body.gathered(A, k, 1), column = body.gathered(A, k, 2);
                const Value pivot = body.unsqueezed(body.gathered(row, k, 1), 1);
                const Value factors = body.node("Sub", {column, body.gathered(one, k, 0)});
                const Value change =
                    body.node("Mul", {body.unsqueezed(factors, 2),
                                      body.unsqueezed(body.node("Div", {row, pivot}), 1)});
                return body.node("Sub", {A, change});
            });
        const Value p =
            graph_.node("Squeeze", {graph_.gathered(solved, graph_.integers({classes_}), 2),
                                    graph_.integers({2})});
        return graph_.node("Max", {p, graph_.number(0)});
    }

    const Classifier &model_;
    Index classes_, pairs_;
    Graph graph_;
};

} // namespace

std::string to_onnx(const Classifier &classifier) {
    require_plain_labels(classifier, "ONNX");
    const auto vectors = static_cast<double>(classifier.rows.size());
    const double bytes =
        8 * vectors * static_cast<double>(classifier.features + std::ssize(classifier.pairs));
    if (bytes > 2e9) throw InvalidInput("the tables take over 2 GB, which no ONNX file can hold");
    require_memory(6 * bytes, 0, "writing the support vectors as a table",
                   "export to json, which holds zeros for nothing");
    return OnnxWriter(classifier).write();
}

} // namespace hinge0
