#pragma once
/// What the fits of a cross-validation are: of two classes, or of many.
#include <functional>
#include <span>

#include "hinge0/rounds.hpp"

namespace hinge0 {

class FoldFits {
public:
    virtual ~FoldFits() = default;

    /// The fits of one split for some prices C, rising, all with the kernel of `solver`, whose rows
    /// are all rows. done(k, fit) is called for each; a price without a fit is left out, and its
    /// exception is kept in `failure`. Ends early where go_on is false.
    virtual void walk(const Solver &solver, const Recipe &recipe, const Split &split,
                      std::span<const double> prices, const std::function<bool()> &go_on,
                      const std::function<void(std::size_t, FoldFit)> &done,
                      std::exception_ptr &failure) const = 0;
};

/// As the public function, for any fits.
[[nodiscard]] CrossValidation cross_validate(const Samples &samples, const FoldFits &fits,
                                             const Recipe &recipe, Rounds &rounds,
                                             const Observer &observer);
/// Throws InvalidInput if the grid is not as it should be.
void validate_grid(const TuneSettings &settings);
/// Throws InvalidInput unless every split trains on all of so many classes, and tests something.
void validate_splits(const std::vector<Split> &splits, const std::vector<std::int32_t> &labels,
                     Index classes);
/// As the public function, for any number of classes.
[[nodiscard]] std::vector<Split> stratified_splits(const std::vector<std::int32_t> &labels,
                                                   const std::vector<std::string> &classes,
                                                   int folds, int repeats, std::uint64_t seed);
/// The rows dealt out once, class by class, at random. A class may be missing in some part.
[[nodiscard]] std::vector<std::vector<Index>>
stratified_parts(const std::vector<std::int32_t> &labels, std::size_t classes, int parts,
                 std::uint64_t seed);

} // namespace hinge0
