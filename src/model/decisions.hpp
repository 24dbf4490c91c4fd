#pragma once
/// A model made ready for many rows, a tile of them at a time.
#include "gram/loops/loops.hpp"
#include "gram/row_set.hpp"
#include "hinge0/model.hpp"

namespace hinge0 {

/// Decision values of tiles. A value depends on its row alone, to the last bit.
class Decisions {
public:
    static constexpr Index tile = 256; ///< rows, and support vectors, at once

    /// The model must live as long. Throws InvalidInput if the samples do not fit it.
    Decisions(const Model &model, const Samples &samples);
    Decisions(const Decisions &) = delete;
    Decisions &operator=(const Decisions &) = delete;

    [[nodiscard]] const Model &model() const noexcept { return model_; }
    [[nodiscard]] const FeatureSpace &space() const noexcept { return space_; }
    [[nodiscard]] const RightRows &support() const noexcept { return support_; }
    [[nodiscard]] Index tiles() const noexcept;
    /// The first row of a tile, and how many it has.
    [[nodiscard]] Index first(Index t) const noexcept { return t * tile; }
    [[nodiscard]] Index count(Index t) const noexcept;

    /// The rows of a tile, scaled as the model wants them.
    [[nodiscard]] RowSet prepare(Index t) const;
    /// h of prepared rows, which messages count on from `first`; `values` has room for one tile.
    void decide(const RowSet &rows, Index first, Matrix &values, VectorRef out) const;

private:
    const Model &model_;
    const Samples &samples_;
    FeatureSpace space_;
    RowSet set_;
    RightRows support_;
};

} // namespace hinge0
