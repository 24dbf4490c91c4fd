#pragma once
/// Decision values of an rbf model in single precision, each with a bound of its error: where it
/// is further from 0 than that, its sign is that of the value in double precision.
#include <vector>

#include "gram/row_set.hpp"
#include "hinge0/model.hpp"

namespace hinge0 {

class SingleRbf {
public:
    /// `support`: the support vectors of the model in `space`. Without those of an rbf kernel in
    /// dense rows, or with ones beyond single precision, it is not usable.
    SingleRbf(const Model &model, const FeatureSpace &space, const RightRows &support);
    [[nodiscard]] bool is_usable() const noexcept { return usable_; }

    struct Scratch {
        std::vector<float> panels, value, scale;
    };
    /// h of prepared rows and bounds of its errors, infinite where there is none.
    void estimate(const RowSet &rows, Scratch &scratch, VectorRef h, VectorRef error) const;

private:
    /// Rows around the mean of the support vectors, into panels; |x|^2 of each.
    void fill(const RowSet &rows, std::vector<float> &panels, VectorRef squares) const;

    bool usable_ = false;
    Index width_;
    double bias_, gamma_ = 0, total_ = 0; ///< total: the sum of |c|
    double farthest_ = 0;                 ///< largest |z|, as `relative_error` wants it
    Vector centre_;
    std::vector<float> support_, weight_;
};

} // namespace hinge0
