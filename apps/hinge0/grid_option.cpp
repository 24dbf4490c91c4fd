/// Values of a grid from text.
#include "grid_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "commands.hpp"
#include "data/text.hpp"

namespace hinge0::cli {
namespace {

/// More values than this are a slip of the fingers.
constexpr std::size_t most_values = 1000;

std::optional<int> exponent_of(const std::string &text) {
    if (text.rfind("2^", 0) != 0) return {};
    const std::optional<double> value = whole_number(text.substr(2));
    if (!value || *value != std::floor(*value) || std::abs(*value) > 1000) return {};
    return static_cast<int>(*value);
}

void add_item(const std::string &item, std::vector<double> &values) {
    if (const auto dots = item.find(".."); dots != std::string::npos) {
        const auto first = exponent_of(item.substr(0, dots)),
                   last = exponent_of(item.substr(dots + 2));
        if (first && last)
            for (int k = *first; k <= *last; ++k) values.push_back(std::ldexp(1.0, k));
        return;
    }
    if (const auto exponent = exponent_of(item))
        values.push_back(std::ldexp(1.0, *exponent));
    else if (const auto value = whole_number(item))
        values.push_back(*value);
}

/// Different names, in the order in which they are said.
std::vector<std::string> names(const std::string &text) {
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        result.push_back(text.substr(begin, end - begin));
        if (std::count(result.begin(), result.end(), result.back()) > 1)
            throw UsageError(fmt::format("--grid kernel: '{}' is said twice", result.back()));
        begin = end + 1;
    }
    return result;
}

} // namespace

std::vector<double> grid_values(const std::string &option, const std::string &text) {
    std::vector<double> values;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::size_t before = values.size();
        add_item(text.substr(begin, end - begin), values);
        if (values.size() == before || !(*std::min_element(values.begin(), values.end()) > 0) ||
            !std::isfinite(*std::max_element(values.begin(), values.end())))
            throw UsageError(fmt::format("{}: '{}' is neither a positive number nor a range such "
                                         "as 2^-3..2^5",
                                         option, text.substr(begin, end - begin)));
        begin = end + 1;
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() > most_values)
        throw UsageError(fmt::format("{}: {} values, at most {} make sense", option, values.size(),
                                     most_values));
    return values;
}

GridOption::GridOption(const std::vector<std::string> &words) {
    for (const std::string &word : words) {
        const auto split = word.find('=');
        const std::string name = word.substr(0, split);
        const bool is_known =
            name == "C" || name == "gamma" || name == "gamma/scale" || name == "kernel";
        if (split == std::string::npos || !is_known)
            throw UsageError(fmt::format("--grid must be C=VALUES, gamma=VALUES, "
                                         "gamma/scale=VALUES or kernel=NAMES, got '{}'",
                                         word));
        if (name == "kernel") {
            if (!kernels_.empty()) throw UsageError("--grid: kernel is said twice");
            kernels_ = names(word.substr(split + 1));
            continue;
        }
        std::vector<double> &values = name == "C" ? C_ : gamma_;
        if (!values.empty()) throw UsageError(fmt::format("--grid: {} is said twice", name));
        values = grid_values("--grid " + name, word.substr(split + 1));
        is_relative_ |= name == "gamma/scale";
    }
}

Grid GridOption::apply(Grid grid, const Recipe &recipe, const Samples &samples) const {
    if (says_C()) grid.C = C_;
    if (!says_gamma()) return grid;
    if (grid.gamma.empty())
        throw UsageError(fmt::format("--grid: the kernel {} has no gamma", recipe.kernel));
    grid.gamma = gamma_;
    const double unit = is_relative_ ? gamma_scale(samples, recipe.objective.sample_weight) : 1.0;
    for (double &value : grid.gamma) value *= unit;
    return grid;
}

} // namespace hinge0::cli
