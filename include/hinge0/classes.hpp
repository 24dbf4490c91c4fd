#pragma once
/// Many classes: two-class problems solved side by side, one classifier.
#include <functional>
#include <vector>

#include "hinge0/classifier.hpp"
#include "hinge0/train.hpp"
#include "hinge0/tune.hpp"
#include "hinge0/verify.hpp"

namespace hinge0 {

struct ClassFit {
    Classifier classifier;
    std::vector<Report> reports;  ///< of each pair
    std::vector<Index> violators; ///< rows that miss their margin in some pair, rising
    Seconds seconds;
    int threads = 1;
    double train_accuracy = 0; ///< of the classifier, weights apart

    /// Of all pairs: the worst status and certificate, sums of objective and violators, distinct
    /// support vectors.
    [[nodiscard]] Report summary() const;
};

/// What several classes need besides a Recipe, whose class_weight is for two.
struct ClassOptions {
    Scheme scheme = Scheme::ovo;
    std::vector<double> class_weight{}; ///< one per class; > 0; empty: all 1
};

/// The whole road for two or more classes: scaling, one kernel for all, the pairs, the classifier.
/// Pairs are solved on several threads, with the same bits for any number of them. Stopped before
/// every pair is solved, it throws Interrupted, or Error if the time is over.
[[nodiscard]] ClassFit train(LabelledData data, const Recipe &recipe, const ClassOptions &options,
                             const Observer &observer = {});

enum class CalibrationKind { sigmoid, isotonic };
struct CalibrationSettings {
    CalibrationKind kind = CalibrationKind::sigmoid;
    int folds = 5;
    int repeats = 0; ///< as of stratified_splits: the fewer rows, the more
};
/// Gives every pair of a fit its calibration, from decision values of rows that were not trained
/// on. `data`, `recipe` and `options` as in training. Throws InvalidInput if a class has fewer rows
/// than there are folds.
void calibrate(ClassFit &fit, LabelledData data, const Recipe &recipe, const ClassOptions &options,
               const CalibrationSettings &settings, const Observer &observer = {});

/// As for two classes; every fold has the classes' shares.
[[nodiscard]] std::vector<Split> stratified_splits(const LabelledData &data, int folds, int repeats,
                                                   std::uint64_t seed);

/// Fits every cell on every split, all pairs with the same C and gamma. Decisions are classes, as
/// numbers. The metrics f1 and auc and the rule `consensus` are for two classes: InvalidInput.
[[nodiscard]] CrossValidation cross_validate(const LabelledData &data, const Recipe &recipe,
                                             const ClassOptions &options,
                                             const TuneSettings &settings,
                                             const Observer &observer = {});

using ClassTuned = TunedFit<ClassFit>;
/// Cross-validation, choice, fit.
[[nodiscard]] ClassTuned tune(LabelledData data, const Recipe &recipe, const ClassOptions &options,
                              const TuneSettings &settings, const Observer &observer = {});

/// A second opinion on every pair; `data` and `sample_weight` as in training.
[[nodiscard]] std::vector<Verification> verify(const Classifier &classifier,
                                               const LabelledData &data,
                                               const Vector &sample_weight = {},
                                               const std::function<bool()> &should_stop = {});

/// "balanced": the weight of a class is inverse to its share of the rows.
[[nodiscard]] std::vector<double> balanced_weights(const LabelledData &data,
                                                   const Vector &sample_weight = {});

} // namespace hinge0
