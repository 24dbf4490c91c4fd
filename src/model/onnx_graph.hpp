#pragma once
/// Graphs of ONNX operators: what onnx.proto calls GraphProto and ModelProto, as far as needed.
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/types.hpp"
#include "model/protobuf.hpp"

namespace hinge0::onnx {

/// Of the elements of a tensor, as onnx.proto numbers them.
enum class Type { float32 = 1, int64 = 7, text = 8, boolean = 9, float64 = 11 };

/// What an operator or a constant gives, by name.
using Value = std::string;
using protobuf::Message;

/// An attribute of an operator.
[[nodiscard]] Message attribute(std::string_view name, Index value);

class Graph {
public:
    /// All names begin with `prefix`: those of a loop's body must differ from those around it.
    explicit Graph(std::string prefix = "v") : prefix_(std::move(prefix)) {}

    [[nodiscard]] Value number(double value);
    /// A tensor of two dimensions.
    [[nodiscard]] Value numbers(const DenseRows &values);
    /// A tensor of one dimension.
    [[nodiscard]] Value integers(const std::vector<Index> &values);
    [[nodiscard]] Value texts(const std::vector<std::string> &values);

    /// The result of an operator.
    [[nodiscard]] Value node(std::string_view op, std::initializer_list<Value> inputs,
                             std::initializer_list<Message> attributes = {});
    [[nodiscard]] Value cast(const Value &value, Type to);
    [[nodiscard]] Value unsqueezed(const Value &value, Index axis);
    /// The values at `index`, an integer or a tensor of them, along an axis.
    [[nodiscard]] Value gathered(const Value &value, const Value &index, Index axis);
    [[nodiscard]] Value sum(const Value &value, Index axis, bool keep_axis);

    /// state = body(graph of the body, number of the round, state), so many times.
    using Body = std::function<Value(Graph &body, const Value &round, const Value &state)>;
    [[nodiscard]] Value loop(Index rounds, const Value &start, const Body &body);

    /// Shapes: any number of rows, then `columns`; -1: rows alone.
    void input(std::string_view name, Type type, Index columns);
    void output(std::string_view name, const Value &value, Type type, Index columns);

    /// The whole file.
    [[nodiscard]] std::string file(std::string_view documentation) const;

private:
    [[nodiscard]] Value fresh();
    [[nodiscard]] Value constant(Type type, std::initializer_list<Index> shape, Message content);

    std::string prefix_;
    int names_ = 0;
    Message parts_; ///< of GraphProto
};

} // namespace hinge0::onnx
