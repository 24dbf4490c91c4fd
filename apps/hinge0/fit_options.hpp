#pragma once
/// The options of a fit, shared by the commands that train.
#include <string>
#include <vector>

#include "data_options.hpp"
#include "hinge0/classes.hpp"

namespace hinge0::cli {

class Deadline;

struct FitOptions {
    DataOptions data;
    Recipe recipe;
    std::string positive, loss = "l0", gamma = "scale", solver = "exact", start = "hinge",
                          search = "none";
    std::vector<std::string> weights;
    std::string multi_class = "ovo", weights_file;
    ClassOptions classes;    ///< for more than two
    std::string calibration; ///< sigmoid, isotonic; empty: none

    void add_to(CLI::App &app);
    /// Brings the words into the recipe. Throws UsageError.
    void check();
    /// Reads the data, and what depends on its labels into the recipe; the solver gets the time
    /// that is left.
    [[nodiscard]] LabelledData read(const Deadline &deadline);
    /// --start names a model file, rather than a way to start.
    [[nodiscard]] bool starts_from_model() const { return start != "hinge" && start != "admm"; }
};

} // namespace hinge0::cli
