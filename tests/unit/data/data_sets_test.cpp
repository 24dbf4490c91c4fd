/// The real data sets, where HINGE0_DATA (a list of folders, ':' between) has them: rows, features
/// and labels as their MANIFEST.tsv says.
#include <cstdlib>
#include <map>
#include <sstream>

#include "support.hpp"

namespace {

using namespace hinge0;
namespace fs = std::filesystem;

/// "-1:383 1:307", sorted as text.
std::string label_counts(const Table &table) {
    std::map<std::string, int> counts;
    for (const std::int32_t label : table.labels)
        ++counts[table.label_names.at(static_cast<std::size_t>(label))];
    std::string text;
    for (const auto &[name, count] : counts) text += name + ":" + std::to_string(count) + " ";
    return text;
}

std::string sorted_words(const std::string &text) {
    std::istringstream in(text);
    std::vector<std::string> words(std::istream_iterator<std::string>(in), {});
    std::ranges::sort(words, {}, [](const std::string &w) { return w.substr(0, w.find(':')); });
    std::string result;
    for (const std::string &word : words) result += word + " ";
    return result;
}

void check_folder(const fs::path &folder, int &checked) {
    std::ifstream manifest(folder / "MANIFEST.tsv");
    std::string line;
    std::getline(manifest, line); // names of the columns
    while (std::getline(manifest, line)) {
        std::istringstream fields(line);
        std::string file, rows, features, counts;
        std::getline(fields, file, '\t');
        std::getline(fields, rows, '\t');
        std::getline(fields, features, '\t');
        std::getline(fields, counts, '\t');
        SCOPED_TRACE(file);
        ReadOptions options;
        options.features = std::stol(features); // last columns may be zero in every row
        const Table table = read_table(folder / file, options);
        EXPECT_EQ(row_count(table.samples), std::stol(rows));
        EXPECT_EQ(feature_count(table.samples), std::stol(features));
        EXPECT_EQ(label_counts(table), sorted_words(counts));
        ++checked;
    }
}

TEST(DataSets, AreReadAsTheirManifestSays) {
    const char *const folders = std::getenv("HINGE0_DATA");
    if (folders == nullptr) GTEST_SKIP() << "HINGE0_DATA is not set: no data sets to read";
    std::istringstream list(folders);
    int checked = 0;
    for (std::string folder; std::getline(list, folder, ':');) check_folder(folder, checked);
    if (checked == 0) GTEST_SKIP() << "no MANIFEST.tsv in HINGE0_DATA=" << folders;
}

} // namespace
