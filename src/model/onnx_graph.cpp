/// The numbers of fields are those of onnx.proto, version 1.8 (IR version 7, operator set 13).
#include "model/onnx_graph.hpp"

#include "hinge0/version.hpp"

namespace hinge0::onnx {
namespace {

constexpr int ir_version = 7, operator_set = 13;

Message attribute_of_graph(std::string_view name, const Message &graph) {
    constexpr int type_graph = 5;
    return Message().bytes(1, name).message(6, graph).integer(20, type_graph);
}

/// ValueInfoProto; `shape` of TensorShapeProto.
Message value_info(std::string_view name, Type type, const Message *shape) {
    Message tensor;
    tensor.integer(1, static_cast<int>(type));
    if (shape != nullptr) tensor.message(2, *shape);
    return Message().bytes(1, name).message(2, Message().message(1, tensor));
}

Message rows_and(Index columns) {
    Message shape;
    shape.message(1, Message().bytes(2, "rows"));
    if (columns >= 0) shape.message(1, Message().integer(1, columns));
    return shape;
}

} // namespace

Message attribute(std::string_view name, Index value) {
    constexpr int type_integer = 2;
    return Message().bytes(1, name).integer(3, value).integer(20, type_integer);
}

Value Graph::fresh() { return prefix_ + std::to_string(names_++); }

Value Graph::constant(Type type, std::initializer_list<Index> shape, Message content) {
    Value name = fresh();
    for (const Index dimension : shape) content.integer(1, dimension);
    content.integer(2, static_cast<int>(type)).bytes(8, name);
    parts_.message(5, content);
    return name;
}

Value Graph::number(double value) {
    std::string raw;
    protobuf::append_raw(raw, value);
    return constant(Type::float64, {}, Message().bytes(9, raw));
}

Value Graph::numbers(const DenseRows &values) {
    std::string raw;
    raw.reserve(8 * static_cast<std::size_t>(values.size()));
    for (Index i = 0; i < values.size(); ++i) protobuf::append_raw(raw, values.data()[i]);
    return constant(Type::float64, {values.rows(), values.cols()}, Message().bytes(9, raw));
}

Value Graph::integers(const std::vector<Index> &values) {
    std::string raw;
    for (const Index value : values) protobuf::append_raw(raw, value);
    return constant(Type::int64, {std::ssize(values)}, Message().bytes(9, raw));
}

Value Graph::texts(const std::vector<std::string> &values) {
    Message content;
    for (const std::string &value : values) content.bytes(6, value);
    return constant(Type::text, {std::ssize(values)}, content);
}

Value Graph::node(std::string_view op, std::initializer_list<Value> inputs,
                  std::initializer_list<Message> attributes) {
    Value result = fresh();
    Message node;
    for (const Value &input : inputs) node.bytes(1, input);
    node.bytes(2, result).bytes(3, result).bytes(4, op);
    for (const Message &one : attributes) node.message(5, one);
    parts_.message(1, node);
    return result;
}

Value Graph::cast(const Value &value, Type to) {
    return node("Cast", {value}, {attribute("to", static_cast<int>(to))});
}

Value Graph::unsqueezed(const Value &value, Index axis) {
    return node("Unsqueeze", {value, integers({axis})});
}

Value Graph::gathered(const Value &value, const Value &index, Index axis) {
    return node("Gather", {value, index}, {attribute("axis", axis)});
}

Value Graph::sum(const Value &value, Index axis, bool keep_axis) {
    return node("ReduceSum", {value, integers({axis})}, {attribute("keepdims", keep_axis ? 1 : 0)});
}

Value Graph::loop(Index rounds, const Value &start, const Body &body) {
    Graph inside(fresh() + "_");
    const Value round = inside.fresh(), goes_on = inside.fresh(), state = inside.fresh();
    const Message scalar;
    inside.parts_.message(11, value_info(round, Type::int64, &scalar));
    inside.parts_.message(11, value_info(goes_on, Type::boolean, &scalar));
    inside.parts_.message(11, value_info(state, Type::float64, nullptr));
    const Value after = body(inside, round, state);
    const Value still = inside.node("Identity", {goes_on});
    inside.parts_.message(12, value_info(still, Type::boolean, &scalar));
    inside.parts_.message(12, value_info(after, Type::float64, nullptr));
    inside.parts_.bytes(2, "round");
    const Value no_condition;
    return node("Loop", {integers({rounds}), no_condition, start},
                {attribute_of_graph("body", inside.parts_)});
}

void Graph::input(std::string_view name, Type type, Index columns) {
    const Message shape = rows_and(columns);
    parts_.message(11, value_info(name, type, &shape));
}

void Graph::output(std::string_view name, const Value &value, Type type, Index columns) {
    const Message shape = rows_and(columns);
    parts_.message(1, Message().bytes(1, value).bytes(2, name).bytes(3, name).bytes(4, "Identity"));
    parts_.message(12, value_info(name, type, &shape));
}

std::string Graph::file(std::string_view documentation) const {
    Message graph = parts_;
    graph.bytes(2, "hinge0").bytes(10, documentation);
    return Message()
        .integer(1, ir_version)
        .bytes(2, "hinge0")
        .bytes(3, version)
        .message(7, graph)
        .message(8, Message().bytes(1, "").integer(2, operator_set))
        .data();
}

} // namespace hinge0::onnx
