#pragma once
/// tune --html: one page that needs nothing else, to look at what was tried and what was chosen.
#include <string>

#include "hinge0/tune.hpp"

namespace hinge0::cli {

struct TunePage {
    std::string data;    ///< the data's name
    std::string command; ///< what repeats it
    const TuneSettings &settings;
    const CrossValidation &tried; ///< of the chosen kernel
    const std::vector<KernelScore> &kernels;
    std::size_t best; ///< the chosen cell
    double thin;      ///< of the fit with it
    Report report;    ///< of the fit with it
};

/// Written to a temporary name, synced, renamed. Throws FileError.
void write_page(const std::string &file, const TunePage &page);

} // namespace hinge0::cli
