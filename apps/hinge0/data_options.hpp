#pragma once
/// The options that say what a DATA argument is, shared by the commands that read data.
#include <CLI/CLI.hpp>
#include <string>

#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0::cli {

struct DataOptions {
    std::string file;
    std::string format = "detect";
    ReadOptions read;

    void add_to(CLI::App &app);
    /// Reads the data; a bare name is also looked up in the folders of $HINGE0_DATA.
    [[nodiscard]] Table load();
};

/// The file that a DATA argument means.
[[nodiscard]] std::string find_data(const std::string &name);

/// Runs a step on the data of a file. What the library says about values does not name the file;
/// what is thrown on does.
template <class Step> auto naming(const std::string &file, const Step &step) {
    const std::string where = file == "-" ? "standard input" : file;
    try {
        return step();
    } catch (const InvalidInput &e) {
        throw InvalidInput(e.what(), where);
    } catch (const NumericalError &e) {
        throw NumericalError(e.what(), where);
    }
}

} // namespace hinge0::cli
