/// One row against the support vectors, by the loops that make blocks of kernel values.
#include "hinge0/predictor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/memory.hpp"
#include "gram/loops/loops.hpp"
#include "gram/row_set.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// Support vectors whose values are made together.
constexpr Index together = 32 * panel_rows;

Index whole_panels(Index count) { return (count + panel_rows - 1) / panel_rows * panel_rows; }

} // namespace

struct Predictor::State {
    Kernel kernel;
    std::array<std::string, 2> classes;
    Index features;
    double bias;
    Scaling scaling;
    std::vector<Index> rows; ///< precomputed: the columns that count
    RowSet support;          ///< in panels, as wide as a row
    Vector coefficients;     ///< zeros at the end, for whole panels
    Vector row, values;      ///< scratch

    explicit State(const Model &model)
        : kernel(model.kernel), classes(model.classes), features(model.features), bias(model.bias),
          scaling(model.scaling), rows(model.rows),
          coefficients(Vector::Zero(whole_panels(model.coefficients.size()))), row(model.features),
          values(together) {
        coefficients.head(model.coefficients.size()) = model.coefficients;
        if (std::holds_alternative<PrecomputedKernel>(kernel)) return;
        require_memory(16.0 * static_cast<double>(coefficients.size() + 1) *
                           static_cast<double>(features),
                       0, fmt::format("a predictor of {} features", features),
                       "use decision_function, which holds few values of many features sparse");
        DenseRows wide = DenseRows::Zero(model.coefficients.size(), features);
        std::visit([&](const auto &held) { wide.leftCols(held.cols()) = held; }, model.support);
        support = FeatureSpace(kernel, wide).prepare(wide, 0, wide.rows());
    }

    [[nodiscard]] double sum_given(std::span<const double> given) const {
        double sum = bias;
        for (std::size_t k = 0; k < rows.size(); ++k)
            sum += coefficients(static_cast<Index>(k)) * given[static_cast<std::size_t>(rows[k])];
        return sum;
    }
    [[nodiscard]] double decide(const double *x) {
        double h = bias;
        for (Index first = 0; first < coefficients.size(); first += together) {
            const Index count = std::min(together, coefficients.size() - first);
            const Tile tile{values.data(), count, 1, together};
            sum_over_features(sum_of(kernel), support.panels.data() + first * features, x, features,
                              tile);
            map_tile(kernel, tile);
            h += values.head(count).dot(coefficients.segment(first, count));
        }
        return h;
    }
};

Predictor::Predictor(const Model &model) {
    validate(model);
    state_ = std::make_unique<State>(model);
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor &&) noexcept = default;
Predictor &Predictor::operator=(Predictor &&) noexcept = default;

double Predictor::decision(std::span<const double> row) {
    State &s = *state_;
    if (static_cast<Index>(row.size()) != s.features)
        throw InvalidInput(fmt::format("the row has {} features, but the model expects {}",
                                       row.size(), s.features));
    const double *x = row.data();
    if (!s.scaling.empty()) {
        const Eigen::Map<const Vector> given(x, s.features);
        s.row = (given - s.scaling.mean).cwiseQuotient(s.scaling.scale);
        x = s.row.data();
    }
    const bool given = std::holds_alternative<PrecomputedKernel>(s.kernel);
    const double h = given ? s.sum_given(row) : s.decide(x);
    if (!std::isfinite(h)) throw InvalidInput("the decision value of the row is not finite");
    return h;
}

const std::string &Predictor::label(std::span<const double> row) {
    return state_->classes[decision(row) > 0.0 ? 1 : 0];
}

} // namespace hinge0
