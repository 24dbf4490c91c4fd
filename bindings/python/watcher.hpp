#pragma once
/// The observer of a fit that Python started: keeps the trace, lets Ctrl-C and the caller's
/// callback through, and remembers what either raised.
#include <nanobind/nanobind.h>

#include <array>
#include <chrono>
#include <exception>
#include <vector>

#include "hinge0/solver.hpp"

namespace hinge0::python {

namespace nb = nanobind;

class Watcher {
public:
    /// `callback(progress)`, or None; a true result asks the fit to stop.
    explicit Watcher(nb::object callback) : callback_(std::move(callback)) {}

    /// Called without the GIL; takes it for the callback and, at most every 50 ms, for signals.
    [[nodiscard]] bool operator()(const Progress &progress);
    /// Raises what a signal or the callback raised during the fit. Needs the GIL.
    void rethrow() const;
    /// One array per column of the command line's --trace.
    [[nodiscard]] nb::dict trace() const;

private:
    [[nodiscard]] bool go_on(const Progress &progress);

    nb::object callback_;
    std::vector<std::array<double, 8>> trace_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::exception_ptr raised_;
    bool stopped_ = false;
};

} // namespace hinge0::python
