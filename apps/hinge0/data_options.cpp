/// Finds and reads DATA.
#include "data_options.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

namespace hinge0::cli {

namespace fs = std::filesystem;

void DataOptions::add_to(CLI::App &app) {
    app.add_option(
           "DATA", file,
           "LIBSVM text or CSV, plain or compressed (.xz .bz2 .gz); '-' is standard input;\n"
           "a bare name is also looked up in the folders of $HINGE0_DATA")
        ->required();
    app.add_option("--format", format, "libsvm, csv, or detect (by name and first line)")
        ->check(CLI::IsMember({"detect", "libsvm", "csv"}))
        ->capture_default_str();
    app.add_option("--label", read.label_column,
                   "CSV: name or number of the label column (default: the first)");
    app.add_option("--weight-column", read.weight_column,
                   "CSV: name or number of a column that says what its row weighs: 2 is the row\n"
                   "twice, 0 is no row");
}

Table DataOptions::load() {
    const std::map<std::string, Format> formats{
        {"detect", Format::detect}, {"libsvm", Format::libsvm}, {"csv", Format::csv}};
    read.format = formats.at(format);
    Table table = read_table(find_data(file), read);
    if (!read.weight_column.empty() && std::holds_alternative<SparseRows>(table.samples))
        throw InvalidInput("--weight-column is for CSV; LIBSVM text has --weights FILE", file);
    return table;
}

std::string find_data(const std::string &name) {
    std::error_code ignored;
    const char *folders = std::getenv("HINGE0_DATA");
    if (name == "-" || fs::exists(name, ignored) || folders == nullptr ||
        name.find('/') != std::string::npos)
        return name;
    std::istringstream list(folders);
    for (std::string folder; std::getline(list, folder, ':');)
        for (const char *kind : {"", ".libsvm", ".csv"})
            for (const char *packed : {"", ".xz", ".bz2", ".gz"})
                if (const fs::path file = fs::path(folder) / (name + kind + packed);
                    fs::is_regular_file(file, ignored))
                    return file;
    return name;
}

} // namespace hinge0::cli
