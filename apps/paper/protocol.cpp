/// The data of a row, in the order of the authors' notebooks: generate, standardise, flip, split.
#include "protocol.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "../hinge0/data_options.hpp"
#include "data/random_state.hpp"
#include "hinge0/error.hpp"
#include "python_random.hpp"

namespace hinge0::paper {
namespace {

constexpr std::uint32_t flip_seed = 6;

Data unflipped(Table table, bool standardise) {
    const Dataset checked(std::move(table));
    const Scaling scaling = standard_scaling(checked.samples());
    // An empty sparse part would still have to be made dense, so both ways go through a scaling.
    const Scaling none{Vector::Zero(scaling.mean.size()), Vector::Ones(scaling.mean.size())};
    const Samples samples = scaled(standardise ? scaling : none, checked.samples());
    return {std::get<DenseRows>(samples), checked.signs(), {}};
}

std::optional<Table> table_of(const Row &row) {
    if (row.source == Source::circles) return make_circles(row.synthetic);
    if (row.source == Source::moons) return make_moons(row.synthetic);
    const std::string file = cli::find_data(row.id);
    if (!std::filesystem::is_regular_file(file)) return std::nullopt;
    return read_table(file);
}

} // namespace

std::optional<Data> load(const Row &row) {
    std::optional<Table> table = table_of(row);
    if (!table) return std::nullopt;
    Data data = unflipped(std::move(*table), row.standardise);
    if (row.flips > 0)
        data.flipped = PythonRandom(flip_seed).sample(static_cast<std::uint32_t>(data.signs.size()),
                                                      row.flips);
    for (const Index i : data.flipped) data.signs(i) = -data.signs(i);
    return data;
}

std::string where_to_get(const Row &row) {
    const char *const published =
        row.id == "breast_cancer"
            ? "scikit-learn's load_breast_cancer, written by dump_svmlight_file(zero_based=False)"
            : "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/";
    return fmt::format("{} is left out: no file of that name in the folders of $HINGE0_DATA; it is "
                       "published at {}; place it as {}.libsvm (.xz, .bz2, .gz) in such a folder",
                       row.id, published, row.id);
}

Split split(Index rows, std::uint32_t seed) {
    const std::vector<Index> order = RandomState(seed).permutation(rows);
    const auto tests = static_cast<std::ptrdiff_t>(std::ceil(0.4 * static_cast<double>(rows)));
    return {.train = {order.begin() + tests, order.end()},
            .test = {order.begin(), order.begin() + tests}};
}

Dataset subset(const Data &data, const std::vector<Index> &rows) {
    std::vector<std::string> labels;
    labels.reserve(rows.size());
    for (const Index i : rows) labels.emplace_back(data.signs(i) > 0 ? "1" : "-1");
    return {Samples(DenseRows(data.samples(rows, Eigen::all))), labels};
}

double rho(const Row &row, Index features) {
    return row.rho > 0 ? row.rho : 1.0 / static_cast<double>(features);
}

} // namespace hinge0::paper
