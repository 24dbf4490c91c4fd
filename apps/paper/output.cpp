/// Which files hold what.
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/atomic_file.hpp"
#include "hinge0/error.hpp"
#include "records.hpp"

namespace hinge0::paper {
namespace {

namespace fs = std::filesystem;

class Folder {
public:
    explicit Folder(fs::path folder) : folder_(std::move(folder)) {}
    void write(const std::string &name, std::string_view bytes) {
        AtomicFile file(folder_ / name);
        file.write(bytes);
        file.commit();
        names.push_back(name);
    }
    std::vector<std::string> names;

private:
    fs::path folder_;
};

void write_table(const Studies &studies, int which, Folder &folder) {
    const TextTable table = full_table(studies, which);
    if (table.rows.empty()) return;
    const std::string name = fmt::format("table{}", which);
    const TextTable spread = spread_table(studies, which);
    folder.write(name + ".md",
                 to_markdown(table) + (spread.rows.empty() ? "" : to_markdown(spread)));
    folder.write(name + ".csv", table_csv(studies, which));
    folder.write(name + ".json", table_json(studies, which));
}

} // namespace

void prepare_folder(const fs::path &folder) {
    std::error_code error;
    fs::create_directories(folder / "images", error);
    if (error)
        throw FileError(fmt::format("cannot make the folder ({})", error.message()),
                        folder.string());
    // a temporary that is never committed leaves nothing behind
    const AtomicFile probe(folder / "index.html");
}

std::vector<std::string> write_all(const Run &run, const fs::path &folder) {
    Folder files(folder);
    for (const int which : {1, 2, 3}) write_table(run.studies, which, files);
    if (std::ranges::any_of(run.studies, [](const Study &s) { return !s.others.empty(); })) {
        files.write("losses.md", to_markdown(losses_overview(run.studies)) +
                                     to_markdown(losses_table(run.studies)));
        files.write("losses.csv", losses_csv(run.studies));
        files.write("losses.json", losses_json(run.studies));
    }
    if (!run.studies.empty()) files.write("splits.json", splits_json(run.studies));
    for (const NamedPicture &named : run.pictures) {
        files.write(picture_name(named.figure) + ".svg", named.picture.svg);
        files.write(picture_name(named.figure) + ".png", named.picture.png);
    }
    const Document page = report(run);
    files.write("reproduction.md", to_markdown(page));
    files.write("index.html", to_html(page));
    return files.names;
}

} // namespace hinge0::paper
