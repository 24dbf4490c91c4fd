#pragma once
/// A model of two or more classes: two-class problems, whose support vectors are held once.
#include <array>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "hinge0/model.hpp"

namespace hinge0 {

/// Which two-class problems several classes are made of.
enum class Scheme {
    ovo, ///< one for every two classes, in the order (0, 1), (0, 2), ..., (1, 2), ...; they vote
    ovr, ///< one for each class against the rest; the highest decision value wins
};
/// "ovo", "ovr".
[[nodiscard]] std::string_view name(Scheme scheme);

/// How many two-class problems so many classes have; two classes are one problem in any scheme.
[[nodiscard]] Index pair_count(Scheme scheme, Index classes);

/// What turns a decision value into the probability of h > 0's class.
struct Sigmoid {
    double slope = -1, offset = 0; ///< 1 / (1 + exp(slope h + offset)); slope <= 0
};
struct Isotonic {
    Vector at, value; ///< rising; linear in between, constant outside
};
using Calibration = std::variant<std::monostate, Sigmoid, Isotonic>;
/// "none", "sigmoid", "isotonic".
[[nodiscard]] std::string_view name(const Calibration &calibration);

/// One of the two-class problems: two classes, or a class and the rest. h(x) = sum_k coefficients_k
/// k(support vector_k, x) + bias.
struct Pair {
    static constexpr Index rest = -1;   ///< all other classes
    std::array<Index, 2> classes{0, 1}; ///< where h <= 0, and where h > 0; the first may be `rest`
    double bias = 0;
    Vector coefficients{};        ///< none zero
    std::vector<Index> support{}; ///< their places among the support vectors of all, rising
    Status status = Status::converged;
    double objective = 0;
    Calibration calibration{}; ///< of all pairs of a classifier, or of none
};

struct Classifier {
    Kernel kernel;
    std::vector<std::string> classes; ///< at least two, all different
    Scheme scheme = Scheme::ovo;
    Index features = 0;      ///< columns that prediction expects (precomputed: training rows)
    Scaling scaling;         ///< applied to samples before the kernel; may be empty
    Samples support;         ///< the support vectors of all pairs, already scaled
    std::vector<Index> rows; ///< which training row each of them is, from 0, rising
    std::vector<Pair> pairs; ///< in the order of the scheme

    // How it was trained, for `verify` and `info`.
    Loss loss = L0Loss{};
    double C = 1.0;
    std::vector<double> class_weight; ///< one per class
    Index training_rows = 0;          ///< 0: not known, it was trained by another program

    [[nodiscard]] bool is_binary() const noexcept { return classes.size() == 2; }
    [[nodiscard]] bool is_calibrated() const noexcept {
        return !pairs.empty() && pairs[0].calibration.index() > 0;
    }
};

/// The classes of pair k; two classes are {0, 1}.
[[nodiscard]] std::array<Index, 2> pair_classes(Scheme scheme, Index classes, Index k);

/// Throws InvalidInput unless the parts fit each other and are in range.
void validate(const Classifier &classifier);

/// A two-class model as a classifier of one pair.
[[nodiscard]] Classifier classifier_of(Model model);
/// Pair k as a model of its own, whose rows are those of all training rows.
[[nodiscard]] Model model_of(const Classifier &classifier, Index k);

/// Features that are 0 in all support vectors, up to so many. Throws InvalidInput if there are more
/// already, or the classifier cannot have others (scaling, precomputed kernel).
void widen(Classifier &classifier, Index features);
/// The same classifier with its classes in another order: order[k] is the old place of class k. The
/// first of equal votes may be another one.
[[nodiscard]] Classifier with_classes_in_order(const Classifier &classifier,
                                               const std::vector<Index> &order);

/// h of every row (rows) and pair (columns).
[[nodiscard]] Matrix decision_values(const Classifier &classifier, const Samples &samples,
                                     int threads = 0);
/// The class, as an index, that decision values mean: votes of ovo, of equal ones the first class;
/// the highest value of ovr.
[[nodiscard]] std::vector<Index> classes_of(const Classifier &classifier, const Matrix &decisions);
/// One value per class, whose highest is the class that has most votes, ties broken by how sure the
/// pairs are: scikit-learn's decision_function_shape="ovr".
[[nodiscard]] Matrix class_values(const Classifier &classifier, const Matrix &decisions);
/// The class of every row, as an index.
[[nodiscard]] std::vector<Index> predict_classes(const Classifier &classifier,
                                                 const Samples &samples, int threads = 0);

/// The probability of every class (columns) for decision values (rows); pairs are coupled by the
/// second method of Wu, Lin and Weng (2004). Throws InvalidInput if the classifier is not
/// calibrated.
[[nodiscard]] Matrix probabilities(const Classifier &classifier, const Matrix &decisions);

/// Format 1 for two classes that are not calibrated, else format 2 (docs/model-format.md);
/// otherwise as for a Model.
void save(const Classifier &classifier, const std::filesystem::path &file);
/// A model file of any format.
[[nodiscard]] Classifier load_classifier(const std::filesystem::path &file);

} // namespace hinge0
