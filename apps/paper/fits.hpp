#pragma once
/// One fit of one row by one method, and the numbers that the tables show of it.
#include <optional>
#include <string>

#include "hinge0/model.hpp"
#include "hinge0/settings.hpp"
#include "protocol.hpp"

namespace hinge0::paper {

/// Training and test part of a row's data.
struct Problem {
    Dataset train, test;
    double rho = 1;
};
[[nodiscard]] Problem problem(const Row &row, const Data &data, const Split &parts);

/// Remark 4.1: the support vectors of an l0 fit lie on |h| = 1.
struct OnMargin {
    Index counted = 0;    ///< support vectors within `tolerance` of |h| = 1
    double tolerance = 0; ///< rounding for the exact solver, the stopping tolerance for Algorithm 1
    double farthest = 0;  ///< largest | |h| - 1 | of all support vectors
};

struct Outcome {
    std::string method;   ///< one of the keys below
    std::string kernel{}; ///< "rbf (gamma 0.5)"
    double C = 0;
    std::string status;
    double train = 0, test = 0; ///< accuracy, per cent
    Index support_vectors = 0;
    double seconds = 0;
    int iterations = 0;                       ///< exact: accepted moves; LIBSVM: unknown, 0
    std::optional<double> worst_beta{};       ///< Algorithm 1: the largest residual
    std::optional<double> objective{};        ///< of the method's own problem
    std::optional<Certificate> certificate{}; ///< l0 fits
    std::optional<OnMargin> on_margin{};      ///< l0 fits
    std::string note{};
};

/// The columns of Tables 1-3.
namespace method {
inline constexpr const char *as_written = "admm-C";          ///< Algorithm 1 at the paper's C
inline constexpr const char *as_run = "admm-C'";             ///< Algorithm 1 at C' = 2C^2/sigma
inline constexpr const char *as_stopped = "admm-C'-stopped"; ///< after the paper's iterations
inline constexpr const char *exact = "exact";
inline constexpr const char *exact_tuned = "exact-tuned";
inline constexpr const char *hinge = "hinge";
inline constexpr const char *hinge_libsvm = "hinge-libsvm";
inline constexpr const char *svc_libsvm = "svc-libsvm"; ///< the authors' "l2-KSVM"
inline constexpr const char *squared_hinge = "squared-hinge";
} // namespace method

/// Per cent of the rows of `data` that the model puts into their class.
[[nodiscard]] double accuracy(const Model &model, const Dataset &data);
[[nodiscard]] OnMargin on_margin(const Model &model, double tolerance);

/// A fit together with its classifier, which the figures draw.
struct Fitted {
    Outcome outcome;
    Model model;
};

[[nodiscard]] Fitted fit_l0_admm(const Problem &problem, const char *method, double C, double sigma,
                                 std::uint64_t seed, int threads);
/// The same from the seeds 0 .. runs-1, shared out to one-threaded workers, each with one kernel
/// matrix and factor for all its runs.
[[nodiscard]] std::vector<Outcome> fit_l0_starts(const Problem &problem, const char *method,
                                                 double C, double sigma, int runs, int workers);
/// The last iterate after so many iterations, whatever its residuals.
[[nodiscard]] Fitted fit_l0_stopped(const Problem &problem, double C, double sigma, int iterations,
                                    std::uint64_t seed, int threads);
[[nodiscard]] Fitted fit_exact(const Problem &problem, const char *method, double C, double rho,
                               int threads);
[[nodiscard]] Fitted fit_convex(const Problem &problem, const char *method, const Loss &loss,
                                double C, int threads);
/// LIBSVM's C-SVC, the peer.
[[nodiscard]] Outcome fit_libsvm(const Problem &problem, const char *method, double C);

} // namespace hinge0::paper
