#pragma once
/// The page: findings, figures, tables, what differs from the paper, and how to run it again.
#include "document.hpp"
#include "figure.hpp"
#include "tables.hpp"

namespace hinge0::paper {

struct NamedPicture {
    int figure = 1;
    Picture picture;
};

struct Run {
    std::string command; ///< that makes this page again
    int threads = 1;
    double seconds = 0;
    std::vector<std::string> left_out{}; ///< one line a row that had no data
    Studies studies{};
    std::vector<NamedPicture> pictures{};
};

[[nodiscard]] Document report(const Run &run);
/// "images/paper-figure1" without its ending.
[[nodiscard]] std::string picture_name(int figure);

} // namespace hinge0::paper
