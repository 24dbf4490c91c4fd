#pragma once
/// What a fit says in words: notes in its report, and errors where there is nothing to report.
#include "core/watch.hpp"
#include "hinge0/report.hpp"
#include "hinge0/settings.hpp"

namespace hinge0 {

/// What a user should know about the constant classifier (fact 6) and about the certificate.
/// `wins_above`: a multiple of C.
void add_notes(const Settings &settings, const Objective &objective, double wins_above,
               Report &report);

/// A kernel whose values are nearly 0 needs coefficients without end: throws NumericalError.
void check_objective(double objective, double largest_diagonal);

/// Why a run that was stopped has no minimum: throws Interrupted, or Error if it was the time.
[[noreturn]] void throw_without_minimum(const Watch &watch);

} // namespace hinge0
