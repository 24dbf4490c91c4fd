/// Field by field, into builtins that pickle and skops know.
#include "report.hpp"

#include <nanobind/stl/string.h>

namespace hinge0::python {
namespace {

nb::str text(std::string_view words) { return nb::str(words.data(), words.size()); }

nb::dict residuals(const Residuals &r) {
    nb::dict out;
    out["stationarity"] = r.stationarity;
    out["balance"] = r.balance;
    out["feasibility"] = r.feasibility;
    out["proximal"] = r.proximal;
    return out;
}

nb::dict certificate(const Certificate &c) {
    nb::dict out = residuals(c);
    out["worst_deficit"] = c.worst_deficit;
    out["gamma"] = c.gamma;
    out["local_minimum"] = c.local_minimum;
    return out;
}

} // namespace

nb::dict to_dict(const Kernel &kernel) {
    nb::dict out;
    out["name"] = text(name(kernel));
    for_each_parameter(kernel, [&](const char *key, auto value) { out[key] = value; });
    return out;
}

nb::dict to_dict(const Report &report) {
    nb::dict out, seconds;
    out["status"] = text(to_string(report.status));
    out["solver"] = report.solver;
    out["objective"] = report.objective;
    out["constant_objective"] = report.constant_objective;
    out["half_norm_squared"] = report.half_norm_squared;
    out["violators"] = report.violators;
    out["support_vectors"] = report.support_vectors;
    out["iterations"] = report.iterations;
    out["moves"] = report.moves;
    out["rows"] = report.rows;
    out["features"] = report.features;
    out["C"] = report.C;
    out["loss"] = report.loss;
    out["kernel"] = to_dict(report.kernel);
    out["bias"] = report.bias;
    out["train_accuracy"] = report.train_accuracy;
    out["search"] = text(report.searched ? "full" : "none");
    out["one_opt"] = report.one_opt;
    out["starts"] = report.starts;
    out["residuals"] = residuals(report.residuals);
    out["certificate"] = certificate(report.certificate);
    seconds["read"] = report.seconds.read;
    seconds["gram"] = report.seconds.gram;
    seconds["solve"] = report.seconds.solve;
    seconds["total"] = report.seconds.total;
    out["seconds"] = seconds;
    out["threads"] = report.threads;
    out["columns"] = report.columns;
    out["memory_estimate_bytes"] = report.memory_estimate_bytes;
    out["peak_memory_bytes"] = report.peak_memory_bytes;
    nb::list notes;
    for (const std::string &note : report.notes) notes.append(text(note));
    out["notes"] = notes;
    return out;
}

Dict to_dict(const Verification &found) {
    Dict out;
    out["objective"] = found.objective;
    out["constant_objective"] = found.constant_objective;
    out["half_norm_squared"] = found.half_norm_squared;
    out["violators"] = found.violators;
    out["support_vectors"] = found.support_vectors;
    out["train_accuracy"] = found.train_accuracy;
    out["local_minimum"] = found.certificate.local_minimum;
    out["certificate"] = certificate(found.certificate);
    return out;
}

} // namespace hinge0::python
