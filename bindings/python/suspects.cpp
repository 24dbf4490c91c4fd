/// Only converts, as module.cpp does.
#include "suspects.hpp"

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "hinge0/hinge0.hpp"
#include "problem.hpp"
#include "report.hpp"
#include "watcher.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

Dict find(const Rows &X, const Integers &labels, Index classes,
          const std::optional<Doubles> &sample_weight, bool standardize, std::uint64_t seed,
          int threads, double time_limit, double memory_limit, nb::object callback) {
    Watcher watcher(std::move(callback));
    Suspects found;
    try {
        const nb::gil_scoped_release released;
        found =
            find_suspects(labelled(to_samples(X), labels, classes),
                          {.standardize = standardize,
                           .sample_weight = sample_weight ? to_vector(*sample_weight) : Vector{},
                           .seed = seed,
                           .threads = threads,
                           .time_limit = time_limit,
                           .memory_limit = memory_limit},
                          std::ref(watcher));
    } catch (const Interrupted &) {
        watcher.rethrow();
        throw;
    }
    watcher.rethrow();
    Dict result;
    result["predicted"] = to_numpy<std::int64_t>(found.predicted);
    result["quality"] = to_numpy<double>(found.quality);
    result["is_issue"] = to_numpy<bool>(found.is_issue);
    result["ranking"] = to_numpy<std::int64_t>(found.ranking());
    return result;
}

} // namespace

void add_suspects(nb::module_ &module) {
    module.def("find_suspects", &find, "X"_a, "labels"_a, "classes"_a, nb::kw_only(),
               "sample_weight"_a.none(), "standardize"_a, "seed"_a, "threads"_a, "time_limit"_a,
               "memory_limit"_a, "callback"_a.none(),
               "Judge every label; the keys of the result are predicted, quality, is_issue and "
               "ranking, the rows from the worst to the best.");
}

} // namespace hinge0::python
