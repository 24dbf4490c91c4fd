/// One drawing code for both files, by cairo.
#include "figure.hpp"

#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "contour.hpp"
#include "hinge0/error.hpp"

namespace hinge0::paper {
namespace {

constexpr double panel_width = 330, panel_height = 300, gap = 18, heading = 40, legend_height = 40;
constexpr int per_line = 3, grid = 160;
constexpr double png_scale = 2;

struct Colour {
    double r, g, b;
};
/// Told apart by colour-blind readers too; the classes also differ in shape.
constexpr Colour blue{0.00, 0.35, 0.65}, orange{0.84, 0.37, 0.00}, red{0.80, 0.02, 0.15},
    ink{0.13, 0.13, 0.13}, pale_blue{0.88, 0.93, 0.98}, pale_orange{0.99, 0.93, 0.87},
    frame{0.6, 0.6, 0.6};

struct Free {
    void operator()(cairo_surface_t *surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t *context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Context = std::unique_ptr<cairo_t, Free>;

void set(cairo_t *c, const Colour &colour) {
    cairo_set_source_rgb(c, colour.r, colour.g, colour.b);
}

void text(cairo_t *c, double x, double y, double size, const std::string &words, bool bold) {
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, size);
    set(c, ink);
    cairo_move_to(c, x, y);
    cairo_show_text(c, words.c_str());
}

/// Discs for class +1, squares for class -1, drawn as the caps of lines without length: the
/// smallest drawing of a thousand points.
void marks(cairo_t *c, const Polyline &points, bool positive, double size) {
    cairo_new_path(c);
    for (const Point &at : points) {
        cairo_move_to(c, at.x, at.y);
        cairo_line_to(c, at.x, at.y);
    }
    set(c, positive ? blue : orange);
    cairo_set_line_cap(c, positive ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_SQUARE);
    cairo_set_line_width(c, positive ? 2 * size : 1.8 * size);
    cairo_stroke(c);
    cairo_set_line_cap(c, CAIRO_LINE_CAP_BUTT);
}

void ring(cairo_t *c, const Point &at) {
    cairo_new_path(c);
    cairo_arc(c, at.x, at.y, 5.2, 0, 2 * std::numbers::pi);
    set(c, red);
    cairo_set_line_width(c, 1.6);
    cairo_stroke(c);
}

void cross(cairo_t *c, const Point &at) {
    constexpr double s = 3.6;
    cairo_new_path(c);
    for (const double way : {-1.0, 1.0}) {
        cairo_move_to(c, at.x - s, at.y - way * s);
        cairo_line_to(c, at.x + s, at.y + way * s);
    }
    set(c, ink);
    cairo_set_line_width(c, 1.3);
    cairo_stroke(c);
}

void set_dash(cairo_t *c, bool dashed) {
    const std::array<double, 2> dash{5, 3};
    cairo_set_dash(c, dash.data(), dashed ? 2 : 0, 0);
}

/// From the plane of the data to the panel; the same scale both ways, so that circles are round.
class View {
public:
    explicit View(const DenseRows &samples) {
        const Eigen::RowVector2d low = samples.colwise().minCoeff();
        const Eigen::RowVector2d high = samples.colwise().maxCoeff();
        const Eigen::RowVector2d extent = 1.12 * (high - low);
        scale_ = std::min(panel_width / extent(0), panel_height / extent(1));
        middle_ = 0.5 * (low + high);
    }
    /// Rounded to an eighth of a pixel, which no eye sees and which halves the SVG.
    [[nodiscard]] Point operator()(double x, double y) const {
        const auto rounded = [](double pixels) { return std::round(8 * pixels) / 8; };
        return {rounded(panel_width / 2 + (x - middle_(0)) * scale_),
                rounded(panel_height / 2 - (y - middle_(1)) * scale_)};
    }
    /// The classifier's values on a grid over the whole panel.
    [[nodiscard]] Field field(const Model &model) const {
        Field f{.x0 = middle_(0) - panel_width / 2 / scale_,
                .y0 = middle_(1) - panel_height / 2 / scale_,
                .dx = panel_width / scale_ / grid,
                .dy = panel_height / scale_ / grid,
                .values = DenseRows(grid + 1, grid + 1)};
        DenseRows nodes((grid + 1) * (grid + 1), 2);
        for (Index j = 0; j <= grid; ++j)
            for (Index i = 0; i <= grid; ++i) {
                const Point p = f.at(i, j);
                nodes.row(j * (grid + 1) + i) << p.x, p.y;
            }
        f.values.reshaped<Eigen::RowMajor>() = decision_function(model, Samples(nodes));
        return f;
    }

private:
    double scale_ = 1;
    Eigen::RowVector2d middle_;
};

void trace(cairo_t *c, const View &view, const Polyline &line) {
    bool first = true;
    for (const Point &p : line) {
        const Point at = view(p.x, p.y);
        (first ? cairo_move_to : cairo_line_to)(c, at.x, at.y);
        first = false;
    }
}

void draw_classifier(cairo_t *c, const View &view, const Model &model) {
    const Field field = view.field(model);
    set(c, pale_orange);
    cairo_paint(c);
    cairo_new_path(c);
    for (const Polyline &polygon : region_above(field, 0)) {
        trace(c, view, polygon);
        cairo_close_path(c);
    }
    set(c, pale_blue);
    cairo_fill(c);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    for (const double level : {-1.0, 0.0, 1.0}) {
        cairo_new_path(c);
        for (const Polyline &line : level_lines(field, level)) trace(c, view, line);
        set(c, level == 0 ? ink : (level > 0 ? blue : orange));
        cairo_set_line_width(c, level == 0 ? 1.8 : 1.2);
        set_dash(c, level != 0);
        cairo_stroke(c);
    }
    set_dash(c, false);
}

void draw_panel(cairo_t *c, const Panel &panel) {
    text(c, 0, 15, 13, panel.title, true);
    text(c, 0, 31, 11, panel.subtitle, false);
    cairo_translate(c, 0, heading);
    cairo_rectangle(c, 0, 0, panel_width, panel_height);
    cairo_clip(c);
    const auto &samples = std::get<DenseRows>(panel.train.samples());
    const View view(samples);
    draw_classifier(c, view, panel.model);
    const auto at = [&](Index i) { return view(samples(i, 0), samples(i, 1)); };
    for (const bool positive : {false, true}) {
        Polyline points;
        for (Index i = 0; i < samples.rows(); ++i)
            if ((panel.train.signs()(i) > 0) == positive) points.push_back(at(i));
        marks(c, points, positive, 2.1);
    }
    for (Index i = 0; i < samples.rows(); ++i)
        if (panel.flipped[static_cast<std::size_t>(i)]) cross(c, at(i));
    for (const Index i : panel.model.rows) ring(c, at(i));
    cairo_reset_clip(c);
    cairo_rectangle(c, 0, 0, panel_width, panel_height);
    set(c, frame);
    cairo_set_line_width(c, 1);
    cairo_stroke(c);
}

void draw_line_sample(cairo_t *c, double x, const Colour &colour, double width, bool dashed) {
    cairo_new_path(c);
    cairo_move_to(c, x - 12, 0);
    cairo_line_to(c, x + 12, 0);
    set(c, colour);
    cairo_set_line_width(c, width);
    set_dash(c, dashed);
    cairo_stroke(c);
    set_dash(c, false);
}

void draw_legend(cairo_t *c) {
    constexpr double size = 12, base = 4;
    marks(c, {{8, 0}}, true, 3.5);
    text(c, 18, base, size, "class +1", false);
    marks(c, {{98, 0}}, false, 3.5);
    text(c, 108, base, size, "class -1", false);
    marks(c, {{190, 0}}, true, 2.1);
    ring(c, {190, 0});
    text(c, 202, base, size, "support vector", false);
    marks(c, {{318, 0}}, false, 2.1);
    cross(c, {318, 0});
    text(c, 330, base, size, "flipped label", false);
    draw_line_sample(c, 442, ink, 1.8, false);
    text(c, 460, base, size, "boundary, h = 0", false);
    draw_line_sample(c, 588, blue, 1.2, true);
    text(c, 606, base, size, "h = +1", false);
    draw_line_sample(c, 676, orange, 1.2, true);
    text(c, 694, base, size, "h = -1", false);
}

struct Size {
    double width, height;
};
Size size_of(std::size_t panels) {
    const std::size_t lines = (panels + per_line - 1) / per_line;
    return {gap + per_line * (panel_width + gap),
            gap + static_cast<double>(lines) * (heading + panel_height + gap) + legend_height};
}

void draw_all(cairo_t *c, const std::vector<Panel> &panels) {
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_paint(c);
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const std::size_t line = k / per_line, column = k % per_line;
        cairo_save(c);
        cairo_translate(c, gap + static_cast<double>(column) * (panel_width + gap),
                        gap + static_cast<double>(line) * (heading + panel_height + gap));
        draw_panel(c, panels[k]);
        cairo_restore(c);
    }
    cairo_translate(c, gap, size_of(panels.size()).height - legend_height / 2);
    draw_legend(c);
}

cairo_status_t append(void *bytes, const unsigned char *data, unsigned length) {
    static_cast<std::string *>(bytes)->append(reinterpret_cast<const char *>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error("drawing failed", cairo_status_to_string(status));
}

} // namespace

Picture draw(const std::vector<Panel> &panels) {
    const auto [width, height] = size_of(panels.size());
    Picture picture;
    {
        const Surface surface(
            cairo_svg_surface_create_for_stream(append, &picture.svg, width, height));
        const Context context(cairo_create(surface.get()));
        draw_all(context.get(), panels);
        cairo_surface_finish(surface.get());
        check(cairo_surface_status(surface.get()));
    }
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                     static_cast<int>(width * png_scale),
                                                     static_cast<int>(height * png_scale)));
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), png_scale, png_scale);
    draw_all(context.get(), panels);
    check(cairo_status(context.get()));
    check(cairo_surface_write_to_png_stream(surface.get(), append, &picture.png));
    return picture;
}

} // namespace hinge0::paper
