#pragma once
/// How a hard-margin solution responds to a change at one sample; exact while Gamma stays. Input i:
/// for a member of Gamma the margin that is asked of it, for any other sample a multiplier that is
/// given to it. Outputs: the multipliers of the members and the margins of all others.
/// Everything here is by position: the members of Gamma come first, then the violators, then the
/// rest.
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/active_set.hpp"

namespace hinge0 {

class Tableau {
public:
    /// Violators are those neither kept nor members. To be filled by prepare() or follow(). Later,
    /// only the kernel of `state` is used, which may have moved on.
    Tableau(const ActiveSet &state, const Flags &kept);

    /// Bytes that one takes, columns of movable samples included.
    [[nodiscard]] static double bytes(std::size_t movable, std::size_t members, std::size_t rows) {
        return sizeof(double) * static_cast<double>((movable + members) * rows);
    }
    [[nodiscard]] Index size() const noexcept { return outputs_.size(); }
    [[nodiscard]] Index members() const noexcept { return members_; }
    [[nodiscard]] Index violators() const noexcept { return violators_; }
    /// Members and violators: the samples that a move can flip.
    [[nodiscard]] Index movable() const noexcept { return members_ + violators_; }
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

    /// Computes the columns from `first` to before `end` by matrix products: of members, or once
    /// those of all members are there, of violators. Several threads may prepare different ones.
    void prepare(Index first, Index end);
    /// Computes the columns of all movable samples from an earlier tableau, of which only few
    /// members have changed. False, and nothing done, if that is not accurate.
    [[nodiscard]] bool follow(Tableau &before);
    /// B(:, i): the outputs per unit of input i. Any thread may ask once the members' are there.
    [[nodiscard]] const double *column(Index position) {
        const auto &ready = ready_[static_cast<std::size_t>(position)];
        const double *const column = ready.load(std::memory_order_acquire);
        return column != nullptr ? column : compute(position);
    }

private:
    [[nodiscard]] const double *compute(Index position);
    [[nodiscard]] double *prepared(Index position) const {
        return prepared_.get() + position * size();
    }
    [[nodiscard]] double respond(Index position, double *column) const;
    [[nodiscard]] double error() const;
    void finish(Index position, double *column, double bias);
    [[nodiscard]] double sign(Index position) const { return state_.signs()(sample(position)); }

    const ActiveSet &state_;
    Index members_, violators_ = 0;
    std::vector<Index> samples_, positions_;
    Vector outputs_;
    Matrix outside_; ///< Q(others, Gamma)
    Vector border_;  ///< the last column of M^-1
    double corner_ = 0;
    std::unique_ptr<double[]> prepared_; ///< the columns of movable samples
    std::vector<std::unique_ptr<double[]>> more_;
    std::vector<std::atomic<const double *>> ready_; ///< all columns, once they are filled
    std::mutex computing_;                           ///< held while one of `more_` is made
};

} // namespace hinge0
