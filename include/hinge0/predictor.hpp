#pragma once
/// A model made ready for one row at a time, as a server gets them: microseconds a row, and no
/// memory is taken and no thread started after the constructor.
#include <memory>
#include <span>
#include <string>

#include "hinge0/model.hpp"

namespace hinge0 {

class Predictor {
public:
    /// The model is not needed afterwards. Throws InvalidInput if it is not a valid one.
    explicit Predictor(const Model &model);
    ~Predictor();
    Predictor(Predictor &&) noexcept;
    Predictor &operator=(Predictor &&) noexcept;

    /// h(x), to the last digits what decision_function() finds. `row`: all features; of a
    /// precomputed kernel its values with all training rows. One thread at a time: every thread
    /// makes its own. Throws InvalidInput for a row of another length or values that are not
    /// finite.
    [[nodiscard]] double decision(std::span<const double> row);
    /// The class that h(x) stands for.
    [[nodiscard]] const std::string &label(std::span<const double> row);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace hinge0
