#pragma once
/// Figures 1 and 2 of the paper: classifiers in the plane.
#include <string>
#include <vector>

#include "hinge0/dataset.hpp"
#include "hinge0/model.hpp"

namespace hinge0::paper {

struct Panel {
    std::string title, subtitle;
    Model model;
    Dataset train;             ///< two features
    std::vector<bool> flipped; ///< per training row: its label was flipped
};

struct Picture {
    std::string svg, png; ///< the bytes of the two files
};

/// The panels in rows of three, with a legend below: boundary h = 0, canonical hyperplanes
/// h = +-1, ringed support vectors, crossed flipped labels.
[[nodiscard]] Picture draw(const std::vector<Panel> &panels);

} // namespace hinge0::paper
