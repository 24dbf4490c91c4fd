/// The published tables and the settings behind each row.
#include "protocol.hpp"

namespace hinge0::paper {
namespace {

Synthetic points(Index samples) { return {.samples = samples, .seed = 3}; }

std::vector<Row> circles() {
    const auto row = [](std::string id, std::string title, Index samples, std::size_t flips,
                        double C, std::array<Published, 3> published) {
        return Row{.id = std::move(id),
                   .title = std::move(title),
                   .table = 1,
                   .source = Source::circles,
                   .synthetic = points(samples),
                   .flips = flips,
                   .C = C,
                   .hinge_C = 8,
                   .svc_C = 4,
                   .published = published};
    };
    return {
        row("circles-500", "m = 500, r = 0 %", 500, 0, 8,
            {{{100, 100, 11, 0.292, 300}, {100, 100, 19, 0.001, 31}, {100, 100, 11, 0.001, 2}}}),
        row("circles-1000", "m = 1000, r = 0 %", 1000, 0, 8,
            {{{100, 100, 10, 5.07, 600}, {100, 100, 12, 0.001, 43}, {100, 100, 10, 0.001, 2}}}),
        row("circles-1500", "m = 1500, r = 0 %", 1500, 0, 8,
            {{{100, 100, 9, 16.664, 900}, {100, 100, 14, 0.001, 29}, {100, 100, 10, 0.001, 2}}}),
        row("circles-r1", "m = 500, r = 1 %", 500, 10, 1,
            {{{98.33, 97.5, 16, 2.281, 2000},
              {98.33, 94.5, 29, 0.222, 77},
              {98.33, 97, 20, 0.001, 2}}}),
        row("circles-r5", "m = 500, r = 5 %", 500, 50, 0.5,
            {{{90.67, 89, 19, 2.208, 2000},
              {91, 88.5, 94, 0.215, 100},
              {90.67, 89, 73, 0.001, 2}}}),
        row("circles-r10", "m = 500, r = 10 %", 500, 100, 0.5,
            {{{79.33, 81, 18, 2.381, 2000},
              {79.67, 81, 179, 0.240, 100},
              {79.33, 81, 141, 0.003, 2}}}),
    };
}

/// The noisy moons were not standardised, and rho was 2.
Row noisy_moons(std::string id, std::string title, std::size_t flips, double C, double sigma,
                double hinge_C, std::array<Published, 3> published) {
    return {.id = std::move(id),
            .title = std::move(title),
            .table = 2,
            .source = Source::moons,
            .synthetic = points(500),
            .flips = flips,
            .standardise = false,
            .rho = 2,
            .C = C,
            .sigma = sigma,
            .hinge_C = hinge_C,
            .svc_C = 4,
            .published = published};
}

std::vector<Row> moons() {
    const auto clean = [](std::string id, std::string title, Synthetic synthetic, double hinge_C,
                          double svc_C, std::array<Published, 3> published) {
        return Row{.id = std::move(id),
                   .title = std::move(title),
                   .table = 2,
                   .source = Source::moons,
                   .synthetic = synthetic,
                   .C = 64,
                   .hinge_C = hinge_C,
                   .svc_C = svc_C,
                   .published = published};
    };
    return {
        clean(
            "moons-500", "m = 500, r = 0 %", points(500), 16, 64,
            {{{100, 99.5, 10, 0.394, 330}, {100, 99.5, 24, 0.219, 100}, {100, 100, 12, 0.001, 2}}}),
        clean("moons-1000", "m = 1000, r = 0 %", points(1000), 8, 16,
              {{{100, 99.5, 13, 5.405, 562},
                {100, 99.25, 26, 0.462, 100},
                {100, 99.75, 15, 0.004, 2}}}),
        clean(
            "moons-1500", "m = 1500, r = 0 %", {.samples = 1500, .seed = 43, .shuffle = false}, 8,
            64,
            {{{100, 100, 10, 14.845, 628}, {100, 100, 25, 0.684, 100}, {100, 100, 11, 0.004, 2}}}),
        noisy_moons("moons-r1", "m = 500, r = 1 %", 10, 1.4, 2.6, 1.7,
                    {{{98.33, 97.5, 23, 2.171, 2000},
                      {98.33, 97, 41, 0.062, 32},
                      {98.33, 97, 30, 0.004, 2}}}),
        noisy_moons("moons-r5", "m = 500, r = 5 %", 50, 3, 3, 1.7,
                    {{{90.33, 88.5, 16, 2.048, 2000},
                      {90.33, 88.5, 106, 0.156, 63},
                      {90.33, 88.5, 81, 0.005, 2}}}),
        noisy_moons("moons-r10", "m = 500, r = 10 %", 100, 1, 1.4, 2.3,
                    {{{79.33, 81, 27, 2.119, 2000},
                      {79.33, 80.5, 166, 0.219, 100},
                      {79.33, 81, 148, 0.015, 2}}}),
    };
}

std::vector<Row> real_sets() {
    const auto row = [](std::string id, std::string title, double C, double sigma, double hinge_C,
                        double svc_C, std::array<Published, 3> published) {
        return Row{.id = std::move(id),
                   .title = std::move(title),
                   .table = 3,
                   .C = C,
                   .sigma = sigma,
                   .hinge_C = hinge_C,
                   .svc_C = svc_C,
                   .published = published};
    };
    return {
        row("breast_cancer", "Breast Cancer", 16, 2, 1, 2,
            {{{92.38, 97.37, 79, 0.116, 17},
              {98.53, 98.68, 87, 0.294, 100},
              {99.12, 98.25, 83, 0.007, 2}}}),
        row("australian", "Australian", 1, 2, 1, 1,
            {{{88.41, 83.33, 105, 0.497, 45},
              {91.79, 83.33, 184, 0.250, 100},
              {91.79, 84.06, 188, 0.012, 2}}}),
        row("diabetes", "Diabetes", 1, 2, 1, 0.5,
            {{{79.13, 78.25, 98, 1.656, 191},
              {82.39, 75, 275, 0.197, 100},
              {81.52, 77.27, 287, 0.008, 2}}}),
        row("heart", "Heart", 1, 1, 2, 1,
            {{{88.88, 85.19, 76, 0.066, 58},
              {91.98, 82.41, 105, 0.016, 34},
              {91.98, 84.26, 97, 0.003, 2}}}),
        row("fourclass", "Fourclass", 32, 1, 4, 4,
            {{{100, 100, 85, 4.292, 301},
              {99.42, 99.71, 130, 0.375, 100},
              {98.07, 99.13, 151, 0.008, 2}}}),
        row("german.numer", "German.numer", 2, 2, 1, 0.5,
            {{{86.33, 77.25, 284, 10.418, 626},
              {94, 77, 379, 0.458, 100},
              {84.5, 77.25, 418, 0.025, 2}}}),
        row("svmguide1", "svmguide1", 1, 2, 8, 1,
            {{{94.82, 94.58, 171, 22.48, 118},
              {97.36, 96.85, 209, 0.966, 100},
              {97.25, 97.17, 293, 0.031, 2}}}),
    };
}

std::vector<Row> all_rows() {
    std::vector<Row> all = circles();
    for (const auto &part : {moons(), real_sets()}) all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

const std::vector<Row> &rows() {
    static const std::vector<Row> all = all_rows();
    return all;
}

} // namespace hinge0::paper
