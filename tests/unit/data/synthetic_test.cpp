/// The synthetic sets against values recorded from scikit-learn 1.9.1 (numpy's RandomState).
#include <cmath>

#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

struct Recorded {
    Table (*make)(const Synthetic &);
    Index samples;
    double noise, factor;
    std::uint32_t seed;
    std::array<double, 6> rows; ///< the first, the middle, the last
    std::array<double, 3> sums; ///< sum_i i x_i, per column, and of the signs
    std::string_view signs;     ///< of the first rows
};

const Recorded recorded[] = {
    {make_moons,
     500,
     0.1,
     0.1,
     3,
     {-0.2028179342209323, 1.0296339382637676, 1.9339834370718632, 0.12732887495185002,
      0.8100051772057674, -0.3370019668002908},
     {67051.9019858822, 29224.458744110052, 3690},
     "-+---++--+---++-"},
    {make_moons,
     1000,
     0.2,
     0.1,
     0,
     {2.086143994488623, 0.5740140074958984, 0.4317579726677162, -0.04859711140780634,
      0.4856156208034468, -0.5328439850239372},
     {257738.0123516455, 119845.59080524807, 3086},
     "++-+++---+-++-+-"},
    {make_moons,
     7,
     0.05,
     0.1,
     11,
     {-1.0242282566110572, -0.13266592796307383, 2.0210525358127738, 0.4467198509775582,
      -0.06527742548902897, 0.9440262369200191},
     {17.00706181651589, 8.997041658991659, 0},
     "-++++--"},
    {make_circles,
     500,
     0.1,
     0.1,
     3,
     {-1.1255957047473286, -0.09329259420991129, 0.08833222771566701, -0.033785837416407484,
      -0.12764714423452814, 0.18268185283626545},
     {671.7159619148849, -1103.0894903571611, 3690},
     "-+---++--+---++-"},
    {make_circles,
     1501,
     0.1,
     0.1,
     3,
     {0.08149344535473191, 0.23851707287369472, 0.41801389150478274, -0.6982244349473912,
      0.049654034011096915, -0.16844688991223955},
     {-18967.79332868438, -6829.18193877924, 6935},
     "++++-+-+-+--++--"},
    {make_circles,
     5,
     0.0,
     0.5,
     4294967295U,
     {-0.2500000000000002, -0.4330127018922192, 1.0, 0.0, -0.2499999999999999, 0.43301270189221935},
     {1.5000000000000004, 1.7320508075688779, 5},
     "+--++"},
};

Vector signs_of(const Table &table) {
    Vector signs(static_cast<Index>(table.labels.size()));
    for (Index i = 0; i < signs.size(); ++i)
        signs[i] = std::stod(table.label_names.at(
            static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])));
    return signs;
}

TEST(Synthetic, EqualsScikitLearn) {
    for (const Recorded &known : recorded) {
        const Table table = known.make({.samples = known.samples,
                                        .noise = known.noise,
                                        .factor = known.factor,
                                        .seed = known.seed});
        const DenseRows rows = dense(table.samples);
        ASSERT_EQ(rows.rows(), known.samples);
        const Index picked[] = {0, known.samples / 2, known.samples - 1};
        for (std::size_t k = 0; k < 6; ++k)
            EXPECT_NEAR(rows(picked[k / 2], static_cast<Index>(k % 2)), known.rows[k], 1e-12);
        const Vector weights = Vector::LinSpaced(rows.rows(), 1, static_cast<double>(rows.rows()));
        EXPECT_NEAR(rows.col(0).dot(weights), known.sums[0], 1e-7);
        EXPECT_NEAR(rows.col(1).dot(weights), known.sums[1], 1e-7);
        const Vector signs = signs_of(table);
        EXPECT_EQ(signs.dot(weights), known.sums[2]);
        for (std::size_t i = 0; i < known.signs.size(); ++i)
            EXPECT_EQ(signs[static_cast<Index>(i)] > 0 ? '+' : '-', known.signs[i]);
    }
}

TEST(Synthetic, FlipsSoManyLabelsAndNothingElse) {
    const Synthetic plain{.samples = 501, .seed = 7};
    Synthetic flipped = plain;
    flipped.flip = 0.25;
    const Table before = make_circles(plain), after = make_circles(flipped);
    EXPECT_EQ(dense(before.samples), dense(after.samples));
    EXPECT_EQ((signs_of(before) - signs_of(after)).cwiseAbs().sum(), 2 * 125);
    flipped.flip = 1;
    EXPECT_EQ(signs_of(before), -signs_of(make_circles(flipped)));
}

TEST(Synthetic, LabelNamesAreInOrderOfAppearance) {
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        const Table table = make_moons({.samples = 10, .flip = 0.5, .seed = seed});
        EXPECT_EQ(table.labels.front(), 0);
        EXPECT_EQ(table.label_names.size(),
                  static_cast<std::size_t>(*std::ranges::max_element(table.labels)) + 1);
    }
}

TEST(Synthetic, RefusesOptionsOutOfRange) {
    const auto refusal = [](const Synthetic &options) {
        return message_of<InvalidInput>([&] { static_cast<void>(make_circles(options)); });
    };
    EXPECT_EQ(refusal({.samples = 1}), "samples must be >= 2, not 1");
    EXPECT_EQ(refusal({.noise = -0.5}), "noise must be in [0, 1e300], not -0.5");
    EXPECT_EQ(refusal({.noise = NAN}), "noise must be in [0, 1e300], not nan");
    EXPECT_EQ(refusal({.noise = INFINITY}), "noise must be in [0, 1e300], not inf");
    EXPECT_EQ(refusal({.noise = 1e308}), "noise must be in [0, 1e300], not 1e+308");
    EXPECT_EQ(refusal({.factor = 1}), "factor must be in [0, 1), not 1");
    EXPECT_EQ(refusal({.flip = 1.5}), "flip must be in [0, 1], not 1.5");
    EXPECT_EQ(refusal({.flip = NAN}), "flip must be in [0, 1], not nan");
    const std::string message = message_of<OutOfMemory>(
        [] { static_cast<void>(make_moons({.samples = 1'000'000'000'000'000})); });
    EXPECT_TRUE(message.starts_with("making the samples needs ")) << message;
}

} // namespace
