/// Cross-validation in pieces, so that Python can put a scorer of its own between the decision
/// values and the choice.
#include "tune.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "hinge0/classes.hpp"
#include "hinge0/error.hpp"
#include "hinge0/rounds.hpp"
#include "hinge0/small_enough.hpp"
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

Metric metric_named(const std::string &word) {
    return named(
        {Metric::accuracy, Metric::balanced_accuracy, Metric::f1, Metric::auc, Metric::brier},
        word);
}

Rule rule_named(const std::string &word) {
    return named({Rule::smooth, Rule::consensus, Rule::small, Rule::best, Rule::one_se}, word);
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

TuneSettings tuning_of(const Doubles &C, const Doubles &gamma, const std::vector<SplitRows> &splits,
                       const std::string &metric, bool race) {
    return {.grid = {.C = values_of(C), .gamma = values_of(gamma)},
            .splits = splits_of(splits),
            .metric = metric_named(metric),
            .race = race};
}

/// Of two classes if there are two weights, else of many.
Dict try_grid(const Rows &X, const Integers &labels, const std::vector<double> &class_weight,
              const std::string &scheme, const KernelOptions &kernel, const Objective &objective,
              const Settings &settings, const Doubles &C, const Doubles &gamma,
              const std::vector<SplitRows> &splits, const std::string &metric, bool race,
              bool decisions, nb::object callback) {
    Watcher watcher(std::move(callback));
    CrossValidation tried;
    const TuneSettings tuning = tuning_of(C, gamma, splits, metric, race);
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

/// Rounds whose walks Python has made elsewhere, each as a cross-validation of one split and gamma.
class WalksElsewhere {
public:
    WalksElsewhere(const Integers &labels, Index classes, const Doubles &C, const Doubles &gamma,
                   const std::vector<SplitRows> &splits, const std::string &metric, bool race)
        : rounds_(tuning_of(C, gamma, splits, metric, race),
                  {labels.data(), labels.data() + labels.size()}, classes) {}

    /// Of each walk: the split, gamma (none if the kernel has none) and C.
    std::vector<std::tuple<std::size_t, NumpyDoubles, NumpyDoubles>> next() {
        walks_ = rounds_.next();
        std::vector<std::tuple<std::size_t, NumpyDoubles, NumpyDoubles>> told;
        for (const Walk &walk : walks_) {
            std::vector<double> gamma;
            if (!std::isnan(walk.gamma)) gamma.push_back(walk.gamma);
            told.emplace_back(walk.split, to_numpy<double>(gamma), to_numpy<double>(walk.C));
        }
        return told;
    }
    void take(std::size_t number, const std::vector<std::vector<std::optional<Doubles>>> &decisions,
              const Table2 &support_vectors, const Doubles &raised, const Table2 &seconds) {
        const Walk &walk = walks_.at(number);
        const std::size_t fits = walk.C.size();
        if (decisions.size() != fits || support_vectors.shape(0) != fits ||
            support_vectors.shape(1) != 1 || raised.size() != fits || seconds.shape(0) != fits ||
            seconds.shape(1) != 1)
            throw InvalidInput("a walk that does not tell of every C");
        for (std::size_t k = 0; k < fits; ++k)
            if (decisions[k].size() == 1 && decisions[k][0])
                rounds_.take(walk, k,
                             {.decisions = to_vector(*decisions[k][0]),
                              .support_vectors = support_vectors.data()[k],
                              .is_raised = raised.data()[k] != 0,
                              .seconds = seconds.data()[k]});
    }
    Dict result(const std::string &status, double seconds, bool decisions) {
        for (const Status one : {Status::converged, Status::time_limit, Status::interrupted})
            if (to_string(one) == status)
                return to_dict(std::move(rounds_).result(one, seconds), decisions);
        throw InvalidInput("a cross-validation does not end as '" + status + "'");
    }

private:
    Rounds rounds_;
    std::vector<Walk> walks_;
};

/// Scores that may come from anywhere, as if a cross-validation had given them.
CrossValidation told_by(const Table2 &scores, const Table2 &agreements,
                        const Table2 &support_vectors, const Doubles &raised, const Doubles &C,
                        const Doubles &gamma, const std::string &metric, Index classes) {
    CrossValidation tried{.grid = {.C = values_of(C), .gamma = values_of(gamma)},
                          .metric = metric_named(metric),
                          .classes = classes};
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
          const Doubles &raised, const Doubles &C, const Doubles &gamma, const std::string &metric,
          Index classes, const std::string &rule) {
    const CrossValidation tried =
        told_by(scores, agreements, support_vectors, raised, C, gamma, metric, classes);
    const Rule chosen = rule_named(rule);
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

using CellAndThin = std::pair<std::size_t, std::optional<double>>;

std::optional<CellAndThin>
small_enough(const std::vector<std::size_t> &order, const Doubles &mean_support_vectors, Index most,
             const std::vector<double> &thinner,
             const std::function<std::optional<Index>(std::size_t, std::optional<double>)> &make) {
    const auto found =
        first_small_enough(order, to_vector(mean_support_vectors), most, thinner,
                           [&](const Attempt &one) { return make(one.cell, one.thin); });
    if (!found) return {};
    return CellAndThin{found->cell, found->thin};
}

} // namespace

void add_tuning(nb::module_ &module) {
    module.def("cross_validate", &try_grid, "X"_a, "labels"_a, "class_weight"_a, "scheme"_a,
               "kernel"_a, "objective"_a, "settings"_a, nb::kw_only(), "C"_a, "gamma"_a, "splits"_a,
               "metric"_a, "race"_a, "decisions"_a, "callback"_a.none(),
               "Fit every cell of the grid on every split; the keys of the result are scores, "
               "agreements, support_vectors, fit_seconds (tables of cells by splits), decisions "
               "(if asked for), status and seconds.");
    nb::class_<WalksElsewhere>(module, "Rounds")
        .def(nb::init<const Integers &, Index, const Doubles &, const Doubles &,
                      const std::vector<SplitRows> &, const std::string &, bool>(),
             "labels"_a, "classes"_a, nb::kw_only(), "C"_a, "gamma"_a, "splits"_a, "metric"_a,
             "race"_a)
        .def("next", &WalksElsewhere::next,
             "The walks of the next round: split, gamma and C of each; none: it is over.")
        .def("take", &WalksElsewhere::take, "walk"_a, nb::kw_only(), "decisions"_a,
             "support_vectors"_a, "raised"_a, "fit_seconds"_a,
             "What cross_validate told of a walk of this round.")
        .def("result", &WalksElsewhere::result, "status"_a, "seconds"_a, nb::kw_only(),
             "decisions"_a, "As of cross_validate; the last that is asked.");
    module.def("consensus", &vote, "scores"_a, "decisions"_a, "raised"_a, "splits"_a, "signs"_a,
               "What the best cells predict together for every row, 1 or -1.");
    module.def(
        "score",
        [](const std::string &metric, const Signs &signs, const Doubles &decisions) {
            if (signs.size() != decisions.size())
                throw InvalidInput("as many decision values are needed as there are signs");
            return score(metric_named(metric), to_vector(signs), to_vector(decisions));
        },
        "metric"_a, "signs"_a, "decisions"_a, "What a metric says of decision values.");
    module.def("rank", &rank, "scores"_a, "agreements"_a, "support_vectors"_a, "raised"_a,
               nb::kw_only(), "C"_a, "gamma"_a, "metric"_a, "classes"_a, "rule"_a,
               "What a rule makes of scores; the keys of the result are mean_scores, "
               "mean_support_vectors, merits and order, the cells from the best to the worst.");
    module.def(
        "kernel_ranking",
        [](const std::vector<std::vector<double>> &scores, const std::string &metric,
           const std::string &rule) {
            return kernel_ranking(scores, metric_named(metric), rule_named(rule));
        },
        "scores"_a, "metric"_a, "rule"_a,
        "Kernels from the one that is taken to the last, by the scores of their best cells on each "
        "split.");
    module.def("further_thinnings", &further_thinnings, "objective"_a, "settings"_a,
               "What thin is raised to until a classifier is small enough.");
    module.def("first_small_enough", &small_enough, "order"_a, "mean_support_vectors"_a, "most"_a,
               "thinner"_a, "make"_a,
               "The first cell, and its thin, whose classifier has at most `most` support vectors; "
               "make(cell, thin) tells how many it has. None: a fit was not brought to its end.");
    module.def("stratified_splits", &deal_out, "labels"_a, "classes"_a, nb::kw_only(), "folds"_a,
               "repeats"_a, "seed"_a, "Rows to train on and rows to predict, for every fold.");
    module.def("default_grid", &usual_grid, "X"_a, "kernel"_a, "objective"_a,
               "C and gamma; no gamma if the kernel has none.");
    module.def("gamma_on", &gamma_on, "X"_a, "kernel"_a, "objective"_a,
               "The kernel's gamma on these rows as a number; None if it has none.");
}

} // namespace hinge0::python
