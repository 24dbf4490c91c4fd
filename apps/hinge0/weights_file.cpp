/// Weights from a text file.
#include "weights_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0::cli {

Vector read_weights(const std::string &file, Index rows) {
    std::ifstream in(file);
    if (!in) throw FileError("cannot open", file);
    std::vector<double> found;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        const std::string where = fmt::format("{}:{}", file, found.size() + 1);
        if (static_cast<Index>(found.size()) == rows)
            throw FileError(fmt::format("more lines than the {} rows of the data", rows), where);
        const std::optional<double> weight = whole_number(line);
        if (!weight || !std::isfinite(*weight) || *weight < 0)
            throw FileError(fmt::format("weight {} is not a number from 0", in_quotes(line)),
                            where);
        found.push_back(*weight);
    }
    if (in.bad()) throw FileError("cannot read", file);
    if (static_cast<Index>(found.size()) < rows)
        throw FileError(fmt::format("{} lines for {} rows of data", found.size(), rows), file);
    return Eigen::Map<const Vector>(found.data(), rows);
}

} // namespace hinge0::cli
