#pragma once
/// The folder that `hinge0 paper` leaves.
#include <filesystem>

#include "report.hpp"

namespace hinge0::paper {

/// Makes the folder and sees that it can be written, before hours of work go into it. Throws
/// FileError.
void prepare_folder(const std::filesystem::path &folder);
/// Writes tables, pictures and pages of what was run; the names of the files, in order.
std::vector<std::string> write_all(const Run &run, const std::filesystem::path &folder);

} // namespace hinge0::paper
