/// Cross-validation in pieces, so that Python can put a scorer of its own between the decision
/// values and the choice.
#include "tune.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "hinge0/classes.hpp"
#include "hinge0/error.hpp"
#include "problem.hpp"
#include "report.hpp"
#include "watcher.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

using Table2 = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NumpyIndices = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using NumpyDoubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using NumpyTable = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
/// Rows to train on, rows to predict.
using SplitRows = std::pair<Integers, Integers>;
using Column = std::vector<double> Cell::*;

template <class Value> Value named(std::initializer_list<Value> values, const std::string &word) {
    for (const Value value : values)
        if (name(value) == word) return value;
    throw InvalidInput("there is no rule or metric '" + word + "'");
}

std::vector<double> values_of(const Doubles &array) {
    return {array.data(), array.data() + array.size()};
}

std::vector<Split> splits_of(const std::vector<SplitRows> &pairs) {
    std::vector<Split> splits;
    splits.reserve(pairs.size());
    for (const auto &[train, test] : pairs)
        splits.push_back({.train = {train.data(), train.data() + train.size()},
                          .test = {test.data(), test.data() + test.size()}});
    return splits;
}

/// A row for every cell, a column for every split.
NumpyTable table_of(const std::vector<Cell> &cells, Column column) {
    const std::size_t splits = (cells.front().*column).size();
    auto *const values = new double[cells.size() * splits];
    for (std::size_t k = 0; k < cells.size(); ++k)
        std::copy((cells[k].*column).begin(), (cells[k].*column).end(), values + k * splits);
    nb::capsule owner(values, [](void *p) noexcept { delete[] static_cast<double *>(p); });
    return {values, {cells.size(), splits}, owner};
}

/// Of each cell and split; None where there was no fit.
nb::list decisions_of(const std::vector<Cell> &cells) {
    nb::list all;
    for (const Cell &cell : cells) {
        nb::list of_splits;
        for (const Vector &decisions : cell.decisions)
            of_splits.append(decisions.size() > 0 ? nb::cast(to_numpy<double>(decisions))
                                                  : nb::none());
        all.append(of_splits);
    }
    return all;
}

Dict to_dict(const CrossValidation &tried, bool decisions) {
    Dict result;
    result["scores"] = table_of(tried.cells, &Cell::scores);
    result["support_vectors"] = table_of(tried.cells, &Cell::support_vectors);
    result["fit_seconds"] = table_of(tried.cells, &Cell::seconds);
    result["agreements"] = table_of(tried.cells, &Cell::agreements);
    std::vector<double> raised;
    raised.reserve(tried.cells.size());
    for (const Cell &cell : tried.cells) raised.push_back(cell.is_raised ? 1.0 : 0.0);
    result["raised"] = to_numpy<double>(raised);
    result["decisions"] = decisions ? decisions_of(tried.cells) : nb::list();
    const std::string_view status = to_string(tried.status);
    result["status"] = nb::str(status.data(), status.size());
    result["seconds"] = tried.seconds;
    return result;
}

/// Of two classes if there are two weights, else of many.
Dict try_grid(const Rows &X, const Integers &labels, const std::vector<double> &class_weight,
              const std::string &scheme, const KernelOptions &kernel, const Objective &objective,
              const Settings &settings, const Doubles &C, const Doubles &gamma,
              const std::vector<SplitRows> &splits, const std::string &metric, bool race,
              bool decisions, nb::object callback) {
    Watcher watcher(std::move(callback));
    CrossValidation tried;
    const TuneSettings tuning{
        .grid = {.C = values_of(C), .gamma = values_of(gamma)},
        .splits = splits_of(splits),
        .metric =
            named({Metric::accuracy, Metric::balanced_accuracy, Metric::f1, Metric::auc}, metric),
        .race = race};
    {
        const nb::gil_scoped_release released;
        const Recipe recipe{.kernel = kernel.name,
                            .parameters = kernel.parameters,
                            .objective = objective,
                            .settings = settings};
        LabelledData data =
            labelled(to_samples(X), labels, static_cast<Index>(class_weight.size()));
        if (class_weight.size() == 2)
            tried = cross_validate(Dataset(std::move(data)), recipe, tuning, std::ref(watcher));
        else
            tried = cross_validate(data, recipe,
                                   {.scheme = scheme == "ovr" ? Scheme::ovr : Scheme::ovo,
                                    .class_weight = class_weight},
                                   tuning, std::ref(watcher));
    }
    watcher.rethrow();
    return to_dict(tried, decisions);
}

/// Scores that may come from anywhere, as if a cross-validation had given them.
CrossValidation told_by(const Table2 &scores, const Table2 &agreements,
                        const Table2 &support_vectors, const Doubles &raised, const Doubles &C,
                        const Doubles &gamma) {
    CrossValidation tried{.grid = {.C = values_of(C), .gamma = values_of(gamma)}};
    const std::size_t cells = C.size() * std::max<std::size_t>(1, gamma.size());
    const std::size_t splits = scores.shape(1);
    const auto fits = [&](const Table2 &table) {
        return table.shape(0) == cells && table.shape(1) == splits;
    };
    if (cells == 0 || splits == 0 || !fits(scores) || !fits(agreements) || !fits(support_vectors) ||
        raised.size() != cells)
        throw InvalidInput("scores, agreements and support vectors must have a row for every cell "
                           "of the grid and a column for every split");
    for (std::size_t k = 0; k < cells; ++k) {
        const auto row = [&](const Table2 &table) {
            const double *const first = table.data() + k * splits;
            return std::vector<double>(first, first + splits);
        };
        tried.cells.push_back({.is_raised = raised.data()[k] != 0,
                               .scores = row(scores),
                               .support_vectors = row(support_vectors),
                               .agreements = row(agreements)});
    }
    return tried;
}

/// What the best cells by these scores predict together.
NumpyDoubles vote(const Table2 &scores, const std::vector<std::vector<std::optional<Doubles>>> &of,
                  const Doubles &raised, const std::vector<SplitRows> &pairs, const Signs &signs) {
    CrossValidation tried;
    for (std::size_t k = 0; k < scores.shape(0); ++k) {
        const double *const first = scores.data() + k * scores.shape(1);
        Cell &cell = tried.cells.emplace_back();
        cell.is_raised = raised.data()[k] != 0;
        cell.scores.assign(first, first + scores.shape(1));
        for (const std::optional<Doubles> &decisions : of.at(k))
            cell.decisions.push_back(decisions ? to_vector(*decisions) : Vector());
    }
    return to_numpy<double>(consensus(tried, splits_of(pairs), to_vector(signs)));
}

Dict rank(const Table2 &scores, const Table2 &agreements, const Table2 &support_vectors,
          const Doubles &raised, const Doubles &C, const Doubles &gamma, const std::string &rule) {
    const CrossValidation tried = told_by(scores, agreements, support_vectors, raised, C, gamma);
    const Rule chosen = named({Rule::smooth, Rule::consensus, Rule::best, Rule::one_se}, rule);
    Dict result;
    result["mean_scores"] = to_numpy<double>(tried.mean_scores());
    result["mean_support_vectors"] = to_numpy<double>(tried.mean_support_vectors());
    result["merits"] = to_numpy<double>(merits(tried, chosen));
    result["order"] = to_numpy<std::int64_t>(ranking(tried, chosen));
    return result;
}

std::vector<std::pair<NumpyIndices, NumpyIndices>>
deal_out(const Integers &labels, Index classes, int folds, int repeats, std::uint64_t seed) {
    const Samples none(DenseRows(DenseRows::Zero(static_cast<Index>(labels.size()), 1)));
    std::vector<std::pair<NumpyIndices, NumpyIndices>> result;
    for (const Split &split :
         stratified_splits(labelled(none, labels, classes), folds, repeats, seed))
        result.emplace_back(to_numpy<std::int64_t>(split.train),
                            to_numpy<std::int64_t>(split.test));
    return result;
}

std::pair<NumpyDoubles, NumpyDoubles> usual_grid(const Rows &X, const KernelOptions &kernel,
                                                 const Objective &objective) {
    const Grid grid = default_grid(
        {.kernel = kernel.name, .parameters = kernel.parameters, .objective = objective},
        to_samples(X));
    return {to_numpy<double>(grid.C), to_numpy<double>(grid.gamma)};
}

std::optional<double> gamma_on(const Rows &X, const KernelOptions &kernel,
                               const Objective &objective) {
    std::optional<double> found;
    const Kernel made =
        make_kernel(kernel.name, kernel.parameters, to_samples(X), objective.sample_weight);
    for_each_parameter(made, [&](std::string_view name, double value) {
        if (name == "gamma") found = value;
    });
    return found;
}

} // namespace

void add_tuning(nb::module_ &module) {
    module.def("cross_validate", &try_grid, "X"_a, "labels"_a, "class_weight"_a, "scheme"_a,
               "kernel"_a, "objective"_a, "settings"_a, nb::kw_only(), "C"_a, "gamma"_a, "splits"_a,
               "metric"_a, "race"_a, "decisions"_a, "callback"_a.none(),
               "Fit every cell of the grid on every split; the keys of the result are scores, "
               "agreements, support_vectors, fit_seconds (tables of cells by splits), decisions "
               "(if asked for), status and seconds.");
    module.def("consensus", &vote, "scores"_a, "decisions"_a, "raised"_a, "splits"_a, "signs"_a,
               "What the best cells predict together for every row, 1 or -1.");
    module.def("rank", &rank, "scores"_a, "agreements"_a, "support_vectors"_a, "raised"_a,
               nb::kw_only(), "C"_a, "gamma"_a, "rule"_a,
               "What a rule makes of scores; the keys of the result are mean_scores, "
               "mean_support_vectors, merits and order, the cells from the best to the worst.");
    module.def("stratified_splits", &deal_out, "labels"_a, "classes"_a, nb::kw_only(), "folds"_a,
               "repeats"_a, "seed"_a, "Rows to train on and rows to predict, for every fold.");
    module.def("default_grid", &usual_grid, "X"_a, "kernel"_a, "objective"_a,
               "C and gamma; no gamma if the kernel has none.");
    module.def("gamma_on", &gamma_on, "X"_a, "kernel"_a, "objective"_a,
               "The kernel's gamma on these rows as a number; None if it has none.");
}

} // namespace hinge0::python
