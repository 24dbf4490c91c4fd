#pragma once
/// The two-class problems that several classes are made of.
#include "hinge0/classes.hpp"

namespace hinge0 {

/// One problem on rows that several share: sign 0 is a row that is not part of it.
struct PairProblem {
    std::array<Index, 2> classes;
    Vector signs;
    Objective objective;
};

class PairProblems {
public:
    /// `objective`: its class_weight is not looked at.
    PairProblems(const LabelledData &data, Objective objective, const ClassOptions &options);

    [[nodiscard]] Index count() const noexcept { return count_; }
    [[nodiscard]] std::array<Index, 2> classes(Index k) const {
        return pair_classes(scheme_, static_cast<Index>(data_.classes().size()), k);
    }
    [[nodiscard]] PairProblem problem(Index k) const;

private:
    const LabelledData &data_;
    Objective objective_;
    Scheme scheme_;
    std::vector<double> class_weight_;
    Index count_;
};

/// Its support is given by training rows.
[[nodiscard]] Pair pair_of(const std::array<Index, 2> &classes, const Solution &solution);

/// Puts together what was found for the pairs; every pair's support is given by training rows.
[[nodiscard]] Classifier join_pairs(const Samples &samples, const Kernel &kernel,
                                    std::vector<Pair> pairs);

} // namespace hinge0
