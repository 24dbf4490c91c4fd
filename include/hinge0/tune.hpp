#pragma once
/// C and gamma chosen by cross-validation, and a fit with them.
#include <vector>

#include "hinge0/train.hpp"

namespace hinge0 {

/// What a split is judged by; all are better when higher.
enum class Metric { accuracy, balanced_accuracy, f1, auc, brier };
/// "accuracy", "balanced-accuracy", "f1" (of the second class), "auc", "brier".
[[nodiscard]] std::string_view name(Metric metric);
/// Of the Brier score the negative, by the sigmoid that suits these rows best.
[[nodiscard]] double score(Metric metric, const Vector &signs, const Vector &decisions);

/// How the choice is made from the mean scores (docs/choosing.md).
enum class Rule {
    smooth, ///< the highest mean of a cell and its neighbours in the grid; small models preferred
    consensus, ///< scores against the labels and what the best cells predict; small ones preferred
    small,     ///< the fewest support vectors within 0.2 points of the highest such mean
    best,      ///< the highest; of equal ones the smallest C, then the smallest gamma
    one_se,    ///< the fewest support vectors within one standard error of the highest
};
/// "smooth", "consensus", "small", "best", "1se".
[[nodiscard]] std::string_view name(Rule rule);

/// Rows that are trained on, and rows that are then predicted.
struct Split {
    std::vector<Index> train, test;
};
/// `repeats` times: the rows dealt out to `folds` folds, class by class, at random. 0 repeats: so
/// many that 2,000 rows are tested, at most 10. Throws InvalidInput if a class has fewer rows than
/// there are folds.
[[nodiscard]] std::vector<Split> stratified_splits(const Vector &signs, int folds, int repeats,
                                                   std::uint64_t seed);

struct Grid {
    std::vector<double> C;
    std::vector<double> gamma; ///< empty: the recipe's kernel as it is
};
/// C from 2^-1 to 2^9; gamma, for kernels that have one, from 2^-7 to 2^3 times s = 1 / (d var X).
/// Where it does not multiply squares: exponential and wendland, from 2^-5 to 2^3 times sqrt(s);
/// laplacian, from 2^-7 to 2^3 times sqrt(s / d).
[[nodiscard]] Grid default_grid(const Recipe &recipe, const Samples &samples);

/// Another kernel, and what is tried with it.
struct KernelGrid {
    std::string kernel;
    Grid grid;
};

struct TuneSettings {
    Grid grid; ///< rising values, at least one C
    /// Kernels that are tried besides the recipe's: see kernel_ranking.
    std::vector<KernelGrid> others{};
    std::vector<Split> splits; ///< at least one
    Metric metric = Metric::accuracy;
    Rule rule = Rule::smooth;
    /// Of the model; 0: any number. Where that is too few for a cell, more are given up there
    /// (small_enough.hpp) before another cell is taken.
    Index max_support_vectors = 0;
    /// Whether cells that are clearly less accurate than the best so far are given up; only where
    /// accuracy or probabilities are what counts.
    bool race = true;
};

/// One point of the grid and what the splits say of it. NaN: not tried, or there was no fit.
struct Cell {
    double C = 0, gamma = 0; ///< gamma: NaN if the kernel has none
    /// On some split C was too small for a classifier that is not constant, and the fit took a
    /// larger one: only the rule `best` chooses such a cell while there are others.
    bool is_raised = false;
    std::vector<double> scores{};          ///< of each split
    std::vector<double> support_vectors{}; ///< in each split
    std::vector<double> seconds{};         ///< of each split, prediction included
    std::vector<double> agreements{};      ///< of each split, with the consensus for labels
    std::vector<Vector> decisions{};       ///< of each split's test rows; empty: there was no fit
};

struct CrossValidation {
    Grid grid;
    Metric metric = Metric::accuracy;
    Index classes = 2;         ///< of more, neighbours in the grid count less (docs/choosing.md)
    std::vector<Cell> cells{}; ///< C by C, and gamma by gamma for each C
    Status status = Status::converged;
    double seconds = 0;

    /// Mean over the splits; where some are missing, as if the cell differed there from others by
    /// as much as where it was tried. NaN: never tried.
    [[nodiscard]] Vector mean_scores() const;
    [[nodiscard]] Vector mean_support_vectors() const;
    /// As mean_scores; all NaN where no consensus was asked for.
    [[nodiscard]] Vector mean_agreements() const;
};

/// Fits every cell on every split. Which fits are made does not depend on the threads.
[[nodiscard]] CrossValidation cross_validate(const Dataset &data, const Recipe &recipe,
                                             const TuneSettings &settings,
                                             const Observer &observer = {});

/// What the best sixth of the cells, by their mean scores, predict together for every row when it
/// is tested: 1 or -1. Where they are divided, or nobody tested the row, its own sign. Wrong labels
/// are outvoted there, so that it judges cells with less noise than the labels do.
[[nodiscard]] Vector consensus(const CrossValidation &tried, const std::vector<Split> &splits,
                               const Vector &signs);

/// What a rule compares, one number per cell; the highest is chosen.
[[nodiscard]] Vector merits(const CrossValidation &tried, Rule rule);
/// The cells from the best to the worst; never tried ones are left out.
[[nodiscard]] std::vector<std::size_t> ranking(const CrossValidation &tried, Rule rule);

/// What the best cell of a kernel's grid has, by the rule; NaN: none was tried.
struct KernelScore {
    std::string kernel;
    double score = 0, support_vectors = 0;
    double seconds = 0; ///< of all cells
};
/// The kernels from the one that is taken to the last, by the scores of each one's best cell on
/// each split (NaN: not tried; empty: no cell was). The first one is taken, unless the mean of
/// another is clearly higher on the splits that the first one has (docs/choosing.md), by the rule
/// `best` higher at all. The others follow by their means; those never tried are left out.
[[nodiscard]] std::vector<std::size_t>
kernel_ranking(const std::vector<std::vector<double>> &scores, Metric metric, Rule rule);

template <class AnyFit> struct TunedFit {
    CrossValidation tried{}; ///< of the chosen kernel
    std::string kernel{};
    std::vector<KernelScore> kernels{}; ///< of all that were tried
    std::size_t best = 0;               ///< the chosen cell
    double thin = automatic_thin;       ///< of the fit
    AnyFit fit{};                       ///< with it, on all rows
};
using Tuned = TunedFit<Fit>;

/// Cross-validation, choice, fit. Stopped on the way, it chooses from what was tried.
[[nodiscard]] Tuned tune(Dataset data, const Recipe &recipe, const TuneSettings &settings,
                         const Observer &observer = {});

} // namespace hinge0
