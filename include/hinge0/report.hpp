#pragma once
/// How a solve ended, and the numbers that let a reader check it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/kernel.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

enum class Status { converged, max_iterations, time_limit, interrupted };
[[nodiscard]] std::string_view to_string(Status status);

/// The paper's residuals beta_1 .. beta_4 (Section 5) of a point (c, b, u, lambda).
struct Residuals {
    double stationarity = 0; ///< |c + y*lambda|               / (1 + |c| + |lambda|)
    double balance = 0;      ///< |y'lambda|                   / m
    double feasibility = 0;  ///< |u + y*(Kc) + b y - 1|       / sqrt(m)
    double proximal = 0;     ///< |u - prox(u - gamma lambda)| / (1 + |u|)

    [[nodiscard]] double worst() const {
        return std::max({stationarity, balance, feasibility, proximal});
    }
};

/// The residuals at the returned classifier (c, b), with the multipliers and slacks that it
/// implies: lambda_i = -y_i c_i where that sign is allowed, else 0; u_i = the deficit 1 - y_i
/// h(x_i), moved to where a sample with that multiplier must be (a support vector of the l0 loss to
/// 0). So stationarity measures coefficients of the wrong sign and feasibility support vectors off
/// their margin. See docs/certificate.md.
struct Certificate : Residuals {
    double gamma = 0;         ///< prox parameter of Theorem 3.13 under which the point is proximal
    double worst_deficit = 0; ///< largest single |u_i - (1 - y_i h(x_i))|
    bool local_minimum =
        false; ///< all residuals and worst_deficit within 1e-6 (KKT of the kept set)
};

struct Seconds {
    double read = 0, gram = 0, solve = 0, total = 0;
};

struct Report {
    Status status = Status::max_iterations;
    std::string solver;            ///< "exact" or "admm"
    int iterations = 0;            ///< of ADMM; exact: steps of the active set to the result
    int moves = 0;                 ///< exact: accepted moves of the search
    double objective = 0;          ///< F at the returned classifier; deficits over 1e-6 count
    double constant_objective = 0; ///< F of the better constant classifier, C min(n+, n-)
    double half_norm_squared = 0;  ///< c'Kc / 2
    double bias = 0;
    double train_accuracy = 0;
    Index violators = 0;       ///< deficits over 1e-6
    Index support_vectors = 0; ///< non-zero coefficients
    bool searched = false;     ///< exact: went on from its first minimum; else one_opt is unknown
    bool one_opt = false;      ///< exact: no move of a single sample lowers the objective
    int starts = 0;            ///< exact: starts that were tried, or --starts if that is more
    Residuals residuals;       ///< admm: of the iterate that was returned; smo: the certificate's
    Certificate certificate;   ///< of the returned classifier
    Index rows = 0;            ///< of the problem, those of weight 0 included
    Index features = 0;
    double C = 0;
    std::string loss;
    Kernel kernel;
    Seconds seconds;
    int threads = 1;
    Index columns = 0;                  ///< of the kernel matrix that were computed for this solve
    double memory_estimate_bytes = 0;   ///< what memory_estimate() said before
    std::int64_t peak_memory_bytes = 0; ///< the most that this process has held by then
    std::vector<std::string> notes;     ///< what a user should know, one sentence each

    /// Converged; and where the exact solver promises a local minimum, it is certified.
    [[nodiscard]] bool reached_its_goal() const {
        return status == Status::converged && (solver != "exact" || certificate.local_minimum);
    }
};

/// Deficits up to this count as met, in objective, violators and certificate alike.
inline constexpr double deficit_tolerance = 1e-6;
/// What local_minimum asks of every number of the certificate.
inline constexpr double certificate_tolerance = 1e-6;

} // namespace hinge0
