/// Losses by name.
#include "hinge0/loss.hpp"

#include <fmt/format.h>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

struct NameOf {
    std::string_view operator()(const L0Loss &) const { return "l0"; }
    std::string_view operator()(const HingeLoss &) const { return "hinge"; }
    std::string_view operator()(const SquaredHingeLoss &) const { return "squared-hinge"; }
};

} // namespace

std::string_view name(const Loss &loss) { return std::visit(NameOf{}, loss); }

Loss make_loss(std::string_view name) {
    for (const Loss &loss : {Loss(L0Loss{}), Loss(HingeLoss{}), Loss(SquaredHingeLoss{})})
        if (hinge0::name(loss) == name) return loss;
    throw InvalidInput(fmt::format("unknown loss '{}', known are l0, hinge, squared-hinge", name));
}

} // namespace hinge0
