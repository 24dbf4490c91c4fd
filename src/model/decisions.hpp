#pragma once
/// A model made ready for many rows, a tile of them at a time.
#include "gram/loops/loops.hpp"
#include "gram/row_set.hpp"
#include "hinge0/classifier.hpp"

namespace hinge0 {

/// Functions of the same support vectors; what it refers to must live as long.
struct Expansions {
    struct Function {
        double bias;
        const Vector &coefficients;
        const std::vector<Index> *places; ///< of its support vectors, rising; null: all of them
    };
    const Kernel &kernel;
    Index features;
    const Scaling &scaling;
    const Samples &support;
    const std::vector<Index> &rows;
    std::vector<Function> functions;

    explicit Expansions(const Model &model);
    explicit Expansions(const Classifier &classifier);
};

/// Decision values of tiles. A value depends on its row alone, to the last bit.
class Decisions {
public:
    static constexpr Index tile = 256; ///< rows, and support vectors, at once

    /// Throws InvalidInput if the samples do not fit; they must live as long.
    Decisions(Expansions of, const Samples &samples);
    Decisions(const Decisions &) = delete;
    Decisions &operator=(const Decisions &) = delete;

    [[nodiscard]] const FeatureSpace &space() const noexcept { return space_; }
    [[nodiscard]] const RightRows &support() const noexcept { return support_; }
    [[nodiscard]] Index functions() const noexcept { return std::ssize(of_.functions); }
    [[nodiscard]] Index tiles() const noexcept;
    /// The first row of a tile, and how many it has.
    [[nodiscard]] Index first(Index t) const noexcept { return t * tile; }
    [[nodiscard]] Index count(Index t) const noexcept;

    /// The rows of a tile, scaled as the model wants them.
    [[nodiscard]] RowSet prepare(Index t) const;
    /// Values of prepared rows, which messages count on from `first`, a column for each function;
    /// `values` has room for one tile.
    void decide(const RowSet &rows, Index first, Matrix &values, Eigen::Ref<Matrix> out) const;

private:
    Expansions of_;
    const Samples &samples_;
    FeatureSpace space_;
    RowSet set_;
    RightRows support_;
};

} // namespace hinge0
