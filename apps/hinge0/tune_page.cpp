/// Surfaces over the grid, accuracy against support vectors, the best cells, timings: as HTML with
/// pictures in SVG.
#include "tune_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/atomic_file.hpp"
#include "core/printable.hpp"
#include "hinge0/version.hpp"
#include "report_text.hpp"

namespace hinge0::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr const char *style = R"(
:root { --ink: #1d232b; --soft: #5b6673; --line: #d9dee5; --paper: #fff; --tint: #f4f6f9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #9aa5b3; --line: #36404c; --paper: #14181e; --tint: #1c222a; } }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem; background: var(--paper);
       color: var(--ink);
       font: 16px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.row { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; }
figcaption, .soft { color: var(--soft); font-size: .9rem; max-width: 34rem; }
svg text { fill: var(--ink); font-size: 12px; } svg .axis { stroke: var(--soft); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid var(--line); }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; border-radius: 8px; }
)";

std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : printable(text)) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

/// From dark blue over green to yellow, for a share in [0, 1].
std::string colour(double share) {
    constexpr std::array<std::array<double, 3>, 5> stops{
        {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
    const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
    const auto k = std::min<std::size_t>(static_cast<std::size_t>(at), stops.size() - 2);
    const double t = at - static_cast<double>(k);
    const auto mix = [&](std::size_t i) {
        return std::lround((1 - t) * stops[k][i] + t * stops[k + 1][i]);
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

/// "2^3" for powers of two, also where rounding has touched them, else the number.
std::string short_number(double value) {
    const double exponent = std::round(std::log2(value));
    if (std::abs(value / std::exp2(exponent) - 1.0) < 1e-9)
        return fmt::format("2^{:.0f}", exponent);
    return fmt::format("{:.3g}", value);
}

struct Surface {
    std::string title;
    Vector values;
    bool logarithmic = false;
    std::function<std::string(double)> words;
};

class Page {
public:
    explicit Page(const TunePage &page)
        : page_(page), tried_(page.tried), scores_(tried_.mean_scores()),
          support_(tried_.mean_support_vectors()), best_(static_cast<Index>(page.best)),
          cols_(std::max<Index>(1, static_cast<Index>(tried_.grid.gamma.size()))) {}

    [[nodiscard]] std::string html() const {
        std::string out =
            fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                        "<title>hinge0 tune: "
                        "{0}</title><style>{1}</style></head><body>\n<h1>hinge0 tune: {0}</h1>\n",
                        escaped(page_.data), style);
        out += summary();
        out += "<h2>What was tried</h2><div class=\"row\">" +
               surface({metric_words(), scores_, false,
                        [](double v) { return fmt::format("{:.4f}", v); }});
        out += surface({"support vectors (mean of the folds)", support_, true,
                        [](double v) { return fmt::format("{:.1f}", v); }});
        out += "</div>\n<h2>" + metric_words() + " against support vectors</h2>" + tradeoff();
        out += "<h2>The ten best cells</h2>" + best_cells() + "<h2>Timings</h2>" + timings();
        out += fmt::format(
            "<h2>How to repeat it</h2><pre>{}</pre><p class=\"soft\">hinge0 {}. The same data, "
            "options and seed give the same choice and the same model, for any number of "
            "threads.</p>\n</body></html>\n",
            escaped(page_.command), version);
        return out;
    }

private:
    [[nodiscard]] std::string metric_words() const {
        return "cross-validated " + std::string(name(page_.settings.metric));
    }
    [[nodiscard]] std::string gamma_words(const Cell &cell) const {
        return std::isnan(cell.gamma) ? "" : fmt::format(", gamma = {:.6g}", cell.gamma);
    }
    [[nodiscard]] std::string kernel_words() const {
        if (page_.kernels.size() < 2) return {};
        double seconds = 0;
        for (const KernelScore &one : page_.kernels) seconds += one.seconds;
        return fmt::format(" Tried in {:.3f} s were the {}; what follows is of the chosen one.",
                           seconds, in_words(page_.kernels));
    }
    [[nodiscard]] std::string thin_words() const {
        return page_.thin == automatic_thin ? "" : fmt::format(" with --thin {:g}", page_.thin);
    }
    [[nodiscard]] std::string summary() const {
        const Cell &cell = tried_.cells[page_.best];
        const Report &report = page_.report;
        return fmt::format(
            "<p>Chosen by the rule <b>{}</b>: <b>C = {:.6g}{}</b> of the {} kernel, {} {:.4f}. The "
            "model, trained on all {} rows{}, has <b>{} support vectors</b>, gives up {} rows, and "
            "is {} as a local minimum.{}</p>\n",
            name(page_.settings.rule), cell.C, gamma_words(cell), name(report.kernel),
            metric_words(), scores_(best_), report.rows, thin_words(), report.support_vectors,
            report.violators, report.certificate.local_minimum ? "certified" : "not certified",
            kernel_words());
    }
    /// Least and greatest of the known values, never equal.
    [[nodiscard]] static std::pair<double, double> range(const Vector &values) {
        double low = infinity, high = -infinity;
        for (const double value : values)
            if (!std::isnan(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        return {low, high > low ? high : low + 1e-9};
    }
    [[nodiscard]] std::string surface(const Surface &s) const {
        constexpr double left = 60, top = 10, size = 38;
        const Vector shown = s.logarithmic ? Vector((s.values.array() + 1.0).log()) : s.values;
        const auto [low, high] = range(shown);
        const auto rows = static_cast<Index>(tried_.grid.C.size());
        const double width = left + size * static_cast<double>(cols_) + 20;
        const double bottom = top + size * static_cast<double>(rows);
        std::string out =
            fmt::format("<figure><svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                        "role=\"img\" aria-label=\"{2}\">",
                        width, bottom + 64, s.title);
        for (Index i = 0; i < rows; ++i) {
            const double y = bottom - size * static_cast<double>(i + 1);
            out += fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", left - 6,
                               y + size / 2 + 4,
                               short_number(tried_.grid.C[static_cast<std::size_t>(i)]));
            for (Index j = 0; j < cols_; ++j) {
                const Index k = i * cols_ + j;
                const Cell &cell = tried_.cells[static_cast<std::size_t>(k)];
                const double x = left + size * static_cast<double>(j);
                const bool known = !std::isnan(shown(k));
                out +=
                    fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                                "fill=\"{}\"{}><title>C = {:.6g}{}: {}</title></rect>",
                                x + 1, y + 1, size - 2, size - 2,
                                known ? colour((shown(k) - low) / (high - low)) : "none",
                                k == best_ ? R"( stroke="#e6252b" stroke-width="4")" : "", cell.C,
                                gamma_words(cell), known ? s.words(s.values(k)) : "no fit");
            }
        }
        for (Index j = 0; j < cols_ && !tried_.grid.gamma.empty(); ++j)
            out += fmt::format(
                "<text transform=\"translate({} {}) rotate(-40)\" text-anchor=\"end\">{}</text>",
                left + size * (static_cast<double>(j) + 0.6), bottom + 14,
                short_number(tried_.grid.gamma[static_cast<std::size_t>(j)]));
        const auto [least, greatest] = range(s.values);
        out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text x=\"12\" "
                           "y=\"{}\">C</text>"
                           "</svg><figcaption>{}: from {} (dark) to {} (bright); red: "
                           "chosen.</figcaption></figure>",
                           left + size * static_cast<double>(cols_) / 2, bottom + 56,
                           tried_.grid.gamma.empty() ? "" : "gamma", top + 12, s.title,
                           s.words(least), s.words(greatest));
        return out;
    }
    /// All cells, and the line of those that nothing smaller beats.
    [[nodiscard]] std::string tradeoff() const {
        constexpr double width = 620, height = 320, left = 60, bottom = 270, right = 600, top = 20;
        const auto [low, high] = range(scores_);
        const auto [few, many] = range(Vector((support_.array() + 1.0).log()));
        const auto x = [&, few = few, many = many](Index k) {
            return left + (right - left) * (std::log(support_(k) + 1.0) - few) / (many - few);
        };
        const auto y = [&, low = low, high = high](Index k) {
            return bottom - (bottom - top) * (scores_(k) - low) / (high - low);
        };
        std::vector<Index> order;
        for (Index k = 0; k < scores_.size(); ++k)
            if (!std::isnan(scores_(k)) && !std::isnan(support_(k))) order.push_back(k);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
            return support_(a) != support_(b) ? support_(a) < support_(b) : scores_(a) > scores_(b);
        });
        std::string dots, line;
        double reached = -infinity;
        for (const Index k : order) {
            if (scores_(k) > reached) {
                line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x(k), y(k));
                reached = scores_(k);
            }
            const Cell &cell = tried_.cells[static_cast<std::size_t>(k)];
            dots +=
                fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>C = "
                            "{:.6g}{}: {:.4f}, {:.1f} "
                            "support vectors</title></circle>",
                            x(k), y(k), k == best_ ? 7 : 3.5, k == best_ ? "#e6252b" : "#3b7dd8",
                            cell.C, gamma_words(cell), scores_(k), support_(k));
        }
        const auto [least, greatest] = range(support_);
        return fmt::format(
            "<figure><svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
            "aria-label=\"trade-off\">"
            "<path class=\"axis\" fill=\"none\" d=\"M{2} {3}V{4}H{5}\"/><polyline fill=\"none\" "
            "stroke=\"#e69f00\" "
            "stroke-width=\"2\" points=\"{6}\"/>{7}<text x=\"{8}\" y=\"{9}\" "
            "text-anchor=\"end\">{10:.4f}</text>"
            "<text x=\"{8}\" y=\"{4}\" text-anchor=\"end\">{11:.4f}</text><text x=\"{2}\" "
            "y=\"{12}\">{13:.0f}</text>"
            "<text x=\"{5}\" y=\"{12}\" text-anchor=\"end\">{14:.0f} support vectors (log "
            "scale)</text></svg>"
            "<figcaption>One dot a cell; red: chosen; line: cells that no smaller one beats. "
            "--max-support-vectors N takes the best cell that has at most N, or has when it is "
            "thinned out.</figcaption></figure>\n",
            width, height, left, top, bottom, right, line, dots, left - 6, top + 10, high, low,
            bottom + 20, least, greatest);
    }
    [[nodiscard]] std::string best_cells() const {
        std::string out =
            "<table><tr><th>C</th><th>gamma</th><th>score</th><th>what the rule compares</th>"
            "<th>support vectors</th></tr>\n";
        const Vector merit = merits(tried_, page_.settings.rule);
        const std::vector<std::size_t> order = ranking(tried_, page_.settings.rule);
        for (std::size_t r = 0; r < std::min<std::size_t>(10, order.size()); ++r) {
            const auto k = static_cast<Index>(order[r]);
            const Cell &cell = tried_.cells[order[r]];
            out +=
                fmt::format("<tr><td>{:.6g}</td><td>{}</td><td>{:.4f}</td><td>{:.4f}</"
                            "td><td>{:.1f}</td></tr>\n",
                            cell.C, std::isnan(cell.gamma) ? "" : fmt::format("{:.6g}", cell.gamma),
                            scores_(k), merit(k), support_(k));
        }
        return out + "</table>\n";
    }
    [[nodiscard]] std::string timings() const {
        const Seconds &seconds = page_.report.seconds;
        return fmt::format("<table><tr><td>reading</td><td>{:.3f} "
                           "s</td></tr><tr><td>cross-validation: {} fits of {} cells on {} "
                           "splits</td><td>{:.3f} s</td></tr><tr><td>fit on all rows: kernel and "
                           "solution</td><td>{:.3f} s</td></tr>"
                           "<tr><td>all, {} threads</td><td>{:.3f} s</td></tr></table>\n",
                           seconds.read, fit_count(tried_), tried_.cells.size(),
                           page_.settings.splits.size(), tried_.seconds,
                           seconds.gram + seconds.solve, page_.report.threads, seconds.total);
    }

    const TunePage &page_;
    const CrossValidation &tried_;
    Vector scores_, support_;
    Index best_, cols_;
};

} // namespace

void write_page(const std::string &file, const TunePage &page) {
    AtomicFile out(file);
    out.write(Page(page).html());
    out.commit();
}

} // namespace hinge0::cli
