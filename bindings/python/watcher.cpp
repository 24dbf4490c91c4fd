/// Signals, callback and trace of a fit.
#include "watcher.hpp"

#include <limits>

#include "arrays.hpp"

namespace hinge0::python {
namespace {

const char *to_string(Progress::Stage stage) {
    switch (stage) {
    case Progress::Stage::gram:
        return "gram";
    case Progress::Stage::factor:
        return "factor";
    case Progress::Stage::iterate:
        return "iterate";
    case Progress::Stage::search:
        return "search";
    case Progress::Stage::score:
        return "score";
    case Progress::Stage::pairs:
        return "pairs";
    case Progress::Stage::near:
        return "near";
    case Progress::Stage::tune:
        break;
    }
    return "tune";
}

nb::dict to_dict(const Progress &progress) {
    nb::dict told;
    told["stage"] = to_string(progress.stage);
    told["done"] = progress.done;
    told["iteration"] = progress.iteration;
    told["objective"] = progress.objective;
    told["support_vectors"] = progress.support_vectors;
    told["bias"] = progress.bias;
    if (progress.residuals != nullptr) told["worst_residual"] = progress.residuals->worst();
    return told;
}

} // namespace

bool Watcher::go_on(const Progress &progress) {
    const nb::gil_scoped_acquire gil;
    try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return callback_.is_none() || !nb::cast<bool>(nb::bool_(callback_(to_dict(progress))));
    } catch (const nb::python_error &) {
        raised_ = std::current_exception();
        return false;
    }
}

bool Watcher::operator()(const Progress &progress) {
    if (progress.iteration > 0) {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const Residuals *const r = progress.residuals;
        trace_.push_back({static_cast<double>(progress.iteration), progress.objective,
                          static_cast<double>(progress.support_vectors), progress.bias,
                          r != nullptr ? r->stationarity : none, r != nullptr ? r->balance : none,
                          r != nullptr ? r->feasibility : none, r != nullptr ? r->proximal : none});
    }
    if (stopped_) return false;
    const auto now = std::chrono::steady_clock::now();
    const bool tell = !callback_.is_none() && progress.iteration > 0;
    if (!tell && now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    stopped_ = !go_on(progress);
    return !stopped_;
}

void Watcher::rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
}

nb::dict Watcher::trace() const {
    constexpr const char *names[] = {"iteration",    "objective", "working_set", "bias",
                                     "stationarity", "balance",   "feasibility", "proximal"};
    nb::dict columns;
    std::vector<double> column(trace_.size());
    for (std::size_t k = 0; k < std::size(names); ++k) {
        for (std::size_t i = 0; i < trace_.size(); ++i) column[i] = trace_[i][k];
        columns[names[k]] = to_numpy<double>(column);
    }
    return columns;
}

} // namespace hinge0::python
