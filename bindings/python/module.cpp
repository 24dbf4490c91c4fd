/// hinge0._core: fit, decision_function and verify for Python; tune.cpp has the choice of C and
/// gamma. Only converts; python/hinge0 validates, the library computes.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <omp.h>

#include <optional>

#include "arrays.hpp"
#include "classes.hpp"
#include "files.hpp"
#include "hinge0/hinge0.hpp"
#include "partitions.hpp"
#include "problem.hpp"
#include "report.hpp"
#include "suspects.hpp"
#include "tune.hpp"
#include "watcher.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

/// A model from the attributes of a fitted estimator, checked once and for all: they may have been
/// changed, or come from a file.
Model model_of(const KernelOptions &kernel, const std::string &loss, double C,
               std::array<double, 2> class_weight, const Rows &support, const Integers &rows,
               const Doubles &coefficients, double bias, Index features, Index training_rows) {
    Model model;
    model.kernel = make_kernel(kernel.name, kernel.parameters, features);
    model.features = features;
    model.bias = bias;
    model.coefficients = to_vector(coefficients);
    model.support = to_samples(support);
    model.rows.assign(rows.data(), rows.data() + rows.size());
    model.loss = make_loss(loss);
    model.C = C;
    model.class_weight = class_weight;
    model.training_rows = training_rows;
    validate(model);
    return model;
}

Dict fit(const Rows &X, const Signs &signs, const KernelOptions &kernel_options,
         const Objective &objective, const Settings &settings, const std::optional<Doubles> &start,
         nb::object callback) {
    Watcher watcher(std::move(callback));
    Solution solution;
    try {
        const nb::gil_scoped_release released;
        Samples samples = to_samples(X);
        const Kernel kernel = make_kernel(kernel_options.name, kernel_options.parameters, samples,
                                          objective.sample_weight);
        std::optional<Vector> values;
        if (start) values = to_vector(*start);
        const Solver solver(std::move(samples), kernel);
        solution = solver.solve(to_vector(signs), objective, settings, std::ref(watcher), values);
    } catch (const Interrupted &) {
        watcher.rethrow();
        throw;
    }
    watcher.rethrow();
    std::vector<std::int64_t> rows;
    std::vector<double> coefficients;
    for (Index i = 0; i < solution.coefficients.size(); ++i)
        if (solution.coefficients(i) != 0.0) {
            rows.push_back(i);
            coefficients.push_back(solution.coefficients(i));
        }
    Dict result;
    result["rows"] = to_numpy<std::int64_t>(rows);
    result["coefficients"] = to_numpy<double>(coefficients);
    result["bias"] = solution.bias;
    result["violators"] = to_numpy<std::int64_t>(solution.violators);
    result["report"] = to_dict(solution.report);
    result["trace"] = watcher.trace();
    return result;
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> decide(const Rows &X, const Model &model, int threads) {
    Vector values;
    {
        const nb::gil_scoped_release released;
        values = decision_function(model, to_samples(X), threads);
    }
    return to_numpy<double>(values);
}

nb::ndarray<nb::numpy, bool, nb::ndim<1>> side(const Rows &X, const Model &model, int threads) {
    Sides values;
    {
        const nb::gil_scoped_release released;
        values = positive_sides(model, to_samples(X), threads);
    }
    return to_numpy<bool>(values);
}

Dict check(const Rows &X, const Signs &signs, const Model &model,
           const std::optional<Doubles> &sample_weight) {
    Verification found;
    {
        const nb::gil_scoped_release released;
        const Vector weight = sample_weight ? to_vector(*sample_weight) : Vector{};
        found = verify(model, dataset_of(to_samples(X), signs), weight);
    }
    return to_dict(found);
}

Objective objective_of(const std::string &loss, double C, std::array<double, 2> class_weight,
                       const std::optional<Doubles> &sample_weight) {
    Objective objective{.loss = make_loss(loss), .C = C, .class_weight = class_weight};
    if (sample_weight) objective.sample_weight = to_vector(*sample_weight);
    return objective;
}

Settings settings_of(const std::string &solver, const std::string &start, const std::string &search,
                     double hinge_share, double keep_margin, double thin, Index working_set,
                     int starts, double sigma, double iota, double tolerance, int max_iterations,
                     double time_limit, std::uint64_t seed, int threads, double memory_limit) {
    return {.method = solver == "admm" ? Method::admm : Method::exact,
            .start = start == "admm" ? Start::admm : Start::hinge,
            .search = search == "full" ? SearchMode::full : SearchMode::none,
            .hinge_share = hinge_share,
            .keep_margin = keep_margin,
            .thin = thin,
            .working_set = working_set,
            .starts = starts,
            .sigma = sigma,
            .iota = iota,
            .tolerance = tolerance,
            .max_iterations = max_iterations,
            .time_limit = time_limit,
            .seed = seed,
            .threads = threads,
            .memory_limit = memory_limit};
}

void translate(const std::exception_ptr &error, void *) {
    try {
        std::rethrow_exception(error);
    } catch (const InvalidInput &e) {
        PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const NumericalError &e) {
        PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const FileError &e) {
        PyErr_SetString(PyExc_OSError, e.what());
    } catch (const OutOfMemory &e) {
        PyErr_SetString(PyExc_MemoryError, e.what());
    }
}

} // namespace

NB_MODULE(_core, module) {
    module.doc() = "The C++ library hinge0, for the package hinge0.";
    module.attr("version") = version;
    nb::register_exception_translator(translate);

    nb::class_<KernelOptions>(module, "Kernel")
        .def(nb::init<std::string, Gamma, int, double, double>(), "name"_a, "gamma"_a, "degree"_a,
             "coef0"_a, "beta"_a);
    nb::class_<Objective>(module, "Objective")
        .def(nb::new_(&objective_of), nb::kw_only(), "loss"_a, "C"_a, "class_weight"_a,
             "sample_weight"_a.none());
    nb::class_<Settings>(module, "Settings")
        .def(nb::new_(&settings_of), nb::kw_only(), "solver"_a, "start"_a, "search"_a,
             "hinge_share"_a, "keep_margin"_a, "thin"_a, "working_set"_a, "starts"_a, "sigma"_a,
             "iota"_a, "tolerance"_a, "max_iterations"_a, "time_limit"_a, "seed"_a, "threads"_a,
             "memory_limit"_a);
    nb::class_<Model>(module, "Model")
        .def(nb::new_(&model_of), nb::kw_only(), "kernel"_a, "loss"_a, "C"_a, "class_weight"_a,
             "support"_a, "rows"_a.noconvert(), "coefficients"_a.noconvert(), "bias"_a,
             "features"_a, "training_rows"_a)
        .def_prop_ro(
            "kernel", [](const Model &model) { return Dict(to_dict(model.kernel)); },
            "Name and parameters.");

    module.def("fit", &fit, "X"_a, "signs"_a, "kernel"_a, "objective"_a, "settings"_a,
               nb::kw_only(), "start"_a.none(), "callback"_a.none(),
               "Train; the keys of the result are rows, coefficients, bias, violators, report "
               "and trace.");
    module.def("decision_function", &decide, "X"_a, "model"_a, "threads"_a, "h(x) of every row.");
    module.def("positive_sides", &side, "X"_a, "model"_a, "threads"_a,
               "Whether h(x) > 0, for every row.");
    module.def("verify", &check, "X"_a, "signs"_a, "model"_a, "sample_weight"_a.none(),
               "Objective and certificate by separate code.");
    add_classes(module);
    add_files(module);
    add_partitions(module);
    add_tuning(module);
    add_suspects(module);
    module.def("set_threads", &omp_set_num_threads, "count"_a,
               "How many threads 'all' means in the calling thread.");
}

} // namespace hinge0::python
