/// Field by field, into builtins that pickle and skops know.
#include "report.hpp"

#include <nanobind/stl/string.h>

namespace hinge0::python {
namespace {

struct ParametersOf {
    nb::dict &out;

    void operator()(const LinearKernel &) const {}
    void operator()(const PrecomputedKernel &) const {}
    void operator()(const PolynomialKernel &k) const {
        out["gamma"] = k.gamma;
        out["coef0"] = k.coef0;
        out["degree"] = k.degree;
    }
    void operator()(const RbfKernel &k) const { out["gamma"] = k.gamma; }
    void operator()(const ExponentialKernel &k) const { out["gamma"] = k.gamma; }
    void operator()(const LaplacianKernel &k) const { out["gamma"] = k.gamma; }
    void operator()(const InverseMultiquadricKernel &k) const {
        out["coef0"] = k.coef0;
        out["beta"] = k.beta;
    }
    void operator()(const WendlandKernel &k) const {
        out["gamma"] = k.gamma;
        out["dimension"] = k.dimension;
    }
};

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
    std::visit(ParametersOf{out}, kernel);
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
    out["bias"] = report.bias;
    out["train_accuracy"] = report.train_accuracy;
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
