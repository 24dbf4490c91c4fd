#pragma once
/// Random training problems that are as unpleasant as users' data: duplicates, contradictions,
/// constant features, wild scales, single outliers. One seed makes one problem.
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/hinge0.hpp"

namespace hinge0::stress {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : generator_(seed) {}
    bool chance(double p) { return uniform(0, 1) < p; }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(generator_);
    }
    double normal() { return std::normal_distribution<double>()(generator_); }
    Index integer(Index low, Index high) {
        return std::uniform_int_distribution<Index>(low, high)(generator_);
    }
    /// Every power of ten between them is as likely as the next.
    double over_decades(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }

private:
    std::mt19937_64 generator_;
};

struct Case {
    DenseRows rows;
    std::vector<std::string> labels;
    bool sparse = false, standardise = false, gamma_from_data = false;
    std::string kernel;
    KernelParameters parameters;
    Objective objective;
    Settings settings;
};

/// Two clouds, on a grid now and then (ties), with some labels wrong.
inline void draw_clouds(Dice &dice, Case &c) {
    const Index m = dice.chance(0.01) ? 200 : dice.integer(4, 60), d = dice.integer(1, 20);
    const double apart = dice.uniform(0, 3), wrong = dice.chance(0.5) ? 0.1 : 0.0;
    const bool grid = dice.chance(0.2);
    c.rows.resize(m, d);
    for (Index i = 0; i < m; ++i) {
        bool positive = i == 0 || (i > 1 && dice.chance(0.5)); // both classes are there
        for (double &x : c.rows.row(i)) {
            x = dice.normal() + (positive ? apart : 0.0);
            if (grid) x = std::round(x);
        }
        if (i > 1 && dice.chance(wrong)) positive = !positive;
        c.labels.emplace_back(positive ? "1" : "-1");
    }
}

inline void spoil_rows(Dice &dice, Case &c) {
    const Index m = c.rows.rows(), d = c.rows.cols();
    if (dice.chance(0.3)) // duplicates, of which some contradict
        for (Index n = dice.integer(1, m / 2); n > 0 && m > 2; --n) {
            const Index from = dice.integer(0, m - 1), to = dice.integer(2, m - 1);
            c.rows.row(to) = Vector(c.rows.row(from)).transpose();
            if (dice.chance(0.7))
                c.labels[static_cast<std::size_t>(to)] = c.labels[static_cast<std::size_t>(from)];
        }
    if (dice.chance(0.2)) c.rows.col(dice.integer(0, d - 1)).setConstant(10 * dice.normal());
    if (dice.chance(0.3)) c.rows *= dice.over_decades(1e-8, 1e8);
    if (dice.chance(0.2))
        for (Index f = 0; f < d; ++f) c.rows.col(f) *= dice.over_decades(1e-8, 1e8);
    if (dice.chance(0.25))
        c.rows(dice.integer(0, m - 1), dice.integer(0, d - 1)) =
            (dice.chance(0.5) ? 1 : -1) * dice.over_decades(1, 1e16);
    if (dice.chance(0.4)) {
        c.sparse = true;
        const double zeros = dice.uniform(0, 0.9);
        for (double &x : c.rows.reshaped())
            if (dice.chance(zeros)) x = 0;
    }
    c.standardise = dice.chance(0.3);
}

inline void draw_kernel(Dice &dice, Case &c) {
    constexpr std::string_view kernels[] = {"linear", "poly",     "rbf",       "exponential",
                                            "imq",    "wendland", "laplacian", "precomputed"};
    c.kernel = kernels[dice.integer(0, 7)];
    c.gamma_from_data = dice.chance(0.4);
    c.parameters.gamma = dice.over_decades(1e-6, 1e4);
    c.parameters.coef0 = dice.chance(0.5) ? 1.0 : dice.over_decades(1e-3, 1e3);
    if (c.kernel == "poly" && dice.chance(0.3)) c.parameters.coef0 = 0;
    c.parameters.beta = dice.over_decades(0.05, 5);
    c.parameters.degree = static_cast<int>(dice.integer(1, dice.chance(0.2) ? 20 : 6));
    if (c.kernel == "precomputed") { // of the linear kernel: semidefinite up to rounding
        c.standardise = false;
        c.rows = DenseRows(c.rows * c.rows.transpose());
    }
}

inline void draw_objective(Dice &dice, Case &c) {
    const double which = dice.uniform(0, 1);
    c.objective.loss = make_loss(which < 0.6 ? "l0" : which < 0.8 ? "hinge" : "squared-hinge");
    c.objective.C = dice.over_decades(1e-6, 1e6);
    if (dice.chance(0.3))
        for (double &weight : c.objective.class_weight) weight = dice.over_decades(1e-2, 1e2);
    if (dice.chance(0.3)) {
        const double zero = dice.chance(0.5) ? 0.2 : 0.0;
        c.objective.sample_weight.resize(c.rows.rows());
        for (double &weight : c.objective.sample_weight)
            weight = dice.chance(zero)  ? 0.0
                     : dice.chance(0.5) ? static_cast<double>(dice.integer(1, 3))
                                        : dice.over_decades(1e-3, 1e3);
    }
}

inline void draw_settings(Dice &dice, Case &c, std::uint64_t seed) {
    c.settings.seed = seed;
    if (dice.chance(0.2)) c.settings.method = Method::admm;
    if (dice.chance(0.2)) c.settings.start = Start::admm;
    if (dice.chance(0.15)) c.settings.starts = static_cast<int>(dice.integer(2, 6));
    c.settings.max_iterations = static_cast<int>(dice.integer(1, 400));
    c.settings.sigma = dice.chance(0.5) ? 1.0 : dice.over_decades(1e-3, 1e3);
    c.settings.tolerance = dice.chance(0.5) ? 1e-3 : 1e-9; // the finer can be certified
    // Not by the dice: seeds that went wrong once keep their case.
    c.settings.search = seed % 3 == 0 ? SearchMode::none : SearchMode::full;
    if (dice.chance(0.3)) c.settings.keep_margin = dice.chance(0.5) ? 0.0 : 0.95;
    if (seed % 5 == 0 && !c.settings.searches()) c.settings.thin = seed % 2 == 0 ? 0.3 : 0.9;
}

inline Case random_case(std::uint64_t seed, int threads) {
    Dice dice(seed);
    Case c;
    draw_clouds(dice, c);
    spoil_rows(dice, c);
    draw_kernel(dice, c);
    draw_objective(dice, c);
    draw_settings(dice, c, seed);
    c.settings.threads = threads;
    return c;
}

} // namespace hinge0::stress
