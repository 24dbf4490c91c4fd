#pragma once
/// Cross-validation in pieces: which fits are made, round by round, and what becomes of their
/// scores. Who makes them is the caller's matter: threads here, or other machines.
#include <vector>

#include "hinge0/tune.hpp"

namespace hinge0 {

/// The fits of one split with one gamma, C by C: they share kernel columns and hinge starts.
struct Walk {
    std::size_t split = 0;
    double gamma = 0;                 ///< NaN if the kernel has none
    std::vector<double> C{};          ///< rising
    std::vector<std::size_t> cells{}; ///< for each C, its place in the table
};

/// One fit on the training rows of a split, and what it says of the rows that are tested.
struct FoldFit {
    Vector decisions; ///< two classes: decision values; many: the class, as a number
    double support_vectors = 0;
    bool is_raised = false; ///< as of Cell
    double seconds = 0;
};

/// The table of a cross-validation while it is filled. The result depends on the fits alone, not on
/// the order in which those of a round arrive.
class Rounds {
public:
    /// `labels`: of each row, the number of its class. Throws InvalidInput if the settings make no
    /// sense for them.
    Rounds(TuneSettings settings, std::vector<std::int32_t> labels, Index classes);

    /// The walks of the next round, when all of the last are done; none: it is over. Hopeless cells
    /// are left out.
    [[nodiscard]] std::vector<Walk> next();
    /// The fit for walk.C[k]. Threads may hand over different walks at the same time.
    void take(const Walk &walk, std::size_t k, FoldFit fit);
    [[nodiscard]] bool any_score() const;
    /// What was found, agreements with the consensus included if there are two classes.
    [[nodiscard]] CrossValidation result(Status status, double seconds) &&;
    [[nodiscard]] const TuneSettings &settings() const { return settings_; }

private:
    [[nodiscard]] Cell new_cell(double C, std::size_t gamma) const;
    [[nodiscard]] Vector signs() const;
    [[nodiscard]] double score(const std::vector<Index> &rows, const Vector &decisions) const;
    [[nodiscard]] double score_of_many(const std::vector<Index> &rows,
                                       const Vector &decisions) const;
    [[nodiscard]] bool is_right(Index row, double decision) const;
    [[nodiscard]] bool is_right(std::size_t cell, std::size_t split, std::size_t test) const;
    void give_up_hopeless();
    void score_by_one_sigmoid(Cell &cell) const;
    void ask_for_agreement();

    TuneSettings settings_;
    std::vector<std::int32_t> labels_;
    Index classes_;
    std::size_t gammas_;
    std::size_t tried_ = 0; ///< splits
    CrossValidation table_;
    std::vector<char> raised_; ///< of each cell and split
    std::vector<char> alive_;  ///< of each cell, whether it is still tried
};

} // namespace hinge0
