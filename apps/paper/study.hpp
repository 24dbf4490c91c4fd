#pragma once
/// Everything that is done with one row of the tables.
#include "fits.hpp"
#include "tuning.hpp"

namespace hinge0::paper {

struct Range {
    double median = 0, low = 0, high = 0;
};
/// One method on the same row from many seeds.
struct Spread {
    std::string method, over; ///< over: "starts" (on the paper's split) or "splits"
    double C = 0;
    int runs = 0;
    int certified = 0; ///< runs that ended at a certified local minimum; exact only
    Range train{}, test{}, support_vectors{};
};

struct Study {
    Row row;
    Index features = 0;
    double rho = 0;
    std::array<Index, 2> train_classes{}, test_classes{}; ///< rows of -1 and +1
    Split parts{};
    std::vector<Index> flipped{};
    std::vector<Outcome> outcomes{}; ///< the columns of Tables 1-3
    std::vector<Spread> spreads{};   ///< noisy and real rows only
    std::vector<Outcome> others{};   ///< the other losses
    Candidate tuned{};               ///< what cross-validation chose
};

/// What to do with a row.
struct Wanted {
    bool table = false, losses = false;
};

inline constexpr int spread_runs = 20;

[[nodiscard]] Study study(const Row &row, const Data &data, const Wanted &wanted, int threads);
/// Median and range of some numbers; of an even count the mean of the middle two.
[[nodiscard]] Range range_of(std::vector<double> numbers);
/// The outcome of a method; there must be one.
[[nodiscard]] const Outcome &outcome(const Study &study, const char *method);

} // namespace hinge0::paper
