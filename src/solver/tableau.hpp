#pragma once
/// How a hard-margin solution responds to a change at one sample; exact while Gamma stays. Input i:
/// for a member of Gamma the margin that is asked of it, for any other sample a multiplier that is
/// given to it. Outputs: the multipliers of the members and the margins of all others.
/// Everything here is by position: the n members of Gamma come first, the other samples after them.
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

class Tableau {
public:
    /// The state must outlive the tableau and not change.
    explicit Tableau(const ActiveSet &state);

    [[nodiscard]] Index size() const noexcept { return outputs_.size(); }
    [[nodiscard]] Index members() const noexcept { return member_columns_.cols(); }
    [[nodiscard]] Index sample(Index position) const {
        return samples_[static_cast<std::size_t>(position)];
    }
    [[nodiscard]] Index position(Index sample) const {
        return positions_[static_cast<std::size_t>(sample)];
    }
    /// The outputs of the state itself.
    [[nodiscard]] const Vector &outputs() const noexcept { return outputs_; }
    /// K_jj of the sample there, with the constant that the factor adds to the kernel.
    [[nodiscard]] double own(Index position) const { return state_.own(sample(position)); }

    /// B(:, i): the outputs per unit of input i. Any thread may ask; computed once.
    [[nodiscard]] const double *column(Index position);
    /// Computes the columns of these positions by matrix products. Not yet asked for ones only;
    /// several threads may prepare different ones.
    void prepare(std::span<const Index> positions);

private:
    void compute(Index position);
    [[nodiscard]] double right_side(Index position, double *side) const;
    void store(Index position, const double *change, double bias, const double *rates);

    const ActiveSet &state_;
    std::vector<Index> samples_, positions_;
    Vector outputs_;
    Matrix member_columns_; ///< K(:, Gamma)
    std::vector<std::unique_ptr<double[]>> columns_;
    std::vector<std::atomic<const double *>> ready_; ///< the same, set once they are filled
    std::mutex computing_;                           ///< held by compute(), whose scratch follows
    Vector side_, rates_;
    BorderedFactor::Solution solution_;
};

} // namespace hinge0
