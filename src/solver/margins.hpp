#pragma once
/// The margins y_i h(x_i) of all samples and what the solver asks of them as a whole: who is most
/// violated, who is below, what those that miss their margin cost. A back end whose rows are spread
/// over threads or machines has nothing else to reduce.
#include <vector>

#include "hinge0/report.hpp"
#include "hinge0/types.hpp"

namespace hinge0 {

/// One flag per sample.
using Flags = std::vector<char>;

class Margins {
public:
    Margins() = default;
    explicit Margins(Index samples) : values_(Vector::Zero(samples)) {}

    [[nodiscard]] Index size() const noexcept { return values_.size(); }
    [[nodiscard]] double operator()(Index i) const { return values_(i); }
    [[nodiscard]] const Vector &values() const noexcept { return values_; }

    /// y * (decisions + b)
    void set(const Vector &y, const Vector &decisions, double b) {
        values_ = y.array() * (decisions.array() + b);
    }
    /// Adds y * (change + b).
    void move(const Vector &y, const Vector &change, double b) {
        values_.array() += y.array() * (change.array() + b);
    }

    /// A deficit up to the tolerance counts as met.
    [[nodiscard]] static bool is_met(double margin) { return margin >= 1.0 - deficit_tolerance; }
    [[nodiscard]] bool is_met_by(Index i) const { return is_met(values_(i)); }
    /// The flagged sample with the smallest margin below `bound` that is not excepted; -1 if none.
    [[nodiscard]] Index most_violated(const Flags &flagged, const Flags &except,
                                      double bound) const {
        Index worst = -1;
        for (Index i = 0; i < values_.size(); ++i)
            if (values_(i) < bound && has(flagged, i) && !has(except, i)) {
                bound = values_(i);
                worst = i;
            }
        return worst;
    }
    /// All of these, rising.
    [[nodiscard]] std::vector<Index> below(const Flags &flagged, const Flags &except,
                                           double bound) const {
        std::vector<Index> samples;
        for (Index i = 0; i < values_.size(); ++i)
            if (values_(i) < bound && has(flagged, i) && !has(except, i)) samples.push_back(i);
        return samples;
    }
    /// The prices of those that miss their margin.
    [[nodiscard]] double missed_prices(const Vector &prices) const {
        double sum = 0;
        for (Index i = 0; i < values_.size(); ++i)
            if (!is_met_by(i)) sum += prices(i);
        return sum;
    }
    /// The same, of samples that are not flagged alone.
    [[nodiscard]] double missed_prices(const Vector &prices, const Flags &flagged) const {
        double sum = 0;
        for (Index i = 0; i < values_.size(); ++i)
            if (!has(flagged, i) && !is_met_by(i)) sum += prices(i);
        return sum;
    }

private:
    [[nodiscard]] static bool has(const Flags &flags, Index i) {
        return flags[static_cast<std::size_t>(i)] != 0;
    }

    Vector values_;
};

} // namespace hinge0
