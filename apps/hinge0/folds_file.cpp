/// Splits from a text file.
#include "folds_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "hinge0/error.hpp"

namespace hinge0::cli {
namespace {

std::string trimmed(const std::string &line) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

} // namespace

std::vector<Split> read_splits(const std::string &file, Index rows) {
    std::ifstream in(file);
    if (!in) throw FileError("cannot open", file);
    std::map<std::string, std::size_t> number;
    std::vector<int> fold; // of each row, -1: never tested
    for (std::string line; std::getline(in, line);) {
        const std::string word = trimmed(line);
        const std::string where = fmt::format("{}:{}", file, fold.size() + 1);
        if (word.empty()) throw FileError("an empty line where a fold is expected", where);
        if (static_cast<Index>(fold.size()) == rows)
            throw FileError(fmt::format("more lines than the {} rows of the data", rows), where);
        fold.push_back(
            word == "-" ? -1 : static_cast<int>(number.emplace(word, number.size()).first->second));
    }
    if (in.bad()) throw FileError("cannot read", file);
    if (static_cast<Index>(fold.size()) < rows)
        throw FileError(fmt::format("{} lines for {} rows of data", fold.size(), rows), file);
    if (number.empty()) throw FileError("no row is ever tested", file);
    if (number.size() > 1000)
        throw FileError(fmt::format("{} folds, at most 1000", number.size()), file);
    std::vector<Split> splits(number.size());
    for (std::size_t s = 0; s < splits.size(); ++s)
        for (std::size_t i = 0; i < fold.size(); ++i)
            (fold[i] == static_cast<int>(s) ? splits[s].test : splits[s].train)
                .push_back(static_cast<Index>(i));
    return splits;
}

} // namespace hinge0::cli
