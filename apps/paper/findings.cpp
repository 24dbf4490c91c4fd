/// Counts over the rows, and the rows that fall short.
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hinge0::paper {
namespace {

/// How far below the published test accuracy still counts as the same, in points.
constexpr double accuracy_slack = 1.0;

std::string deterministic_rows(const Studies &studies) {
    int rows = 0, equal = 0;
    for (const Study &s : studies)
        if (s.row.deterministic()) {
            ++rows;
            if (outcome(s, method::as_run).support_vectors == s.row.published[0].support_vectors)
                ++equal;
        }
    if (rows == 0) return {};
    return fmt::format("Algorithm 1 at C' has the paper's number of support vectors on {} of {} "
                       "noise-free rows.",
                       equal, rows);
}

std::string against_the_paper(const Studies &studies, const char *method) {
    int few = 0, both = 0, certified = 0;
    for (const Study &s : studies) {
        const Outcome &o = outcome(s, method);
        const Published &paper = s.row.published[0];
        const bool fewer = o.support_vectors <= paper.support_vectors;
        few += fewer ? 1 : 0;
        both += fewer && o.test >= paper.test - accuracy_slack ? 1 : 0;
        certified += o.certificate->local_minimum ? 1 : 0;
    }
    return fmt::format("{}: at most the paper's support vectors on {} of {} rows, on {} of them "
                       "with a test accuracy not more than {:g} point below the paper's; {} of {} "
                       "fits are certified local minima.",
                       title_of(method), few, studies.size(), both, accuracy_slack, certified,
                       studies.size());
}

std::string in_words(const Range &r) {
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", r.median, r.low, r.high);
}

/// Rows of the exact solver, at the paper's C, that are less accurate than published; and why.
std::vector<std::string> shortfalls(const Studies &studies) {
    std::vector<std::string> lines;
    for (const Study &s : studies) {
        const Outcome &o = outcome(s, method::exact);
        const Published &paper = s.row.published[0];
        if (o.test >= paper.test - accuracy_slack) continue;
        std::string line = fmt::format(
            "{}: the exact solver at the paper's C is {:.2f} points below the published test "
            "accuracy ({:.2f} against {:.2f}); tuned on the training part it has {:.2f}.",
            s.row.title, paper.test - o.test, o.test, paper.test,
            outcome(s, method::exact_tuned).test);
        for (const Spread &spread : s.spreads)
            line += spread.over == "starts"
                        ? fmt::format(" The published run was stopped by hand when its accuracy "
                                      "looked steady; run to the end from {} starts, Algorithm 1 "
                                      "at C' has {} on this split. Medians over {} other splits:",
                                      spread.runs, in_words(spread.test), spread.runs)
                        : fmt::format(" {} {};", title_of(spread.method), in_words(spread.test));
        if (line.ends_with(';')) line.back() = '.';
        lines.push_back(line);
    }
    return lines;
}

/// Remark 4.1, over all l0 fits of one kind.
std::string remark(const Studies &studies, const char *kind,
                   const std::vector<const char *> &methods, bool converged) {
    Index vectors = 0, counted = 0;
    int fits = 0;
    double farthest = 0, tolerance = 0;
    for (const Study &s : studies)
        for (const char *method : methods) {
            const Outcome &o = outcome(s, method);
            if ((o.status == "converged") != converged) continue;
            ++fits;
            vectors += o.support_vectors;
            counted += o.on_margin->counted;
            farthest = std::max(farthest, o.on_margin->farthest);
            tolerance = o.on_margin->tolerance;
        }
    if (fits == 0) return {};
    return fmt::format("Remark 4.1, {}: {} of {} support vectors of {} fits lie on |h| = 1 within "
                       "{:g} (farthest: {:.1e}).",
                       kind, counted, vectors, fits, tolerance, farthest);
}

std::string speed(const Studies &studies) {
    double paper = 0, whole = 0, stopped = 0;
    for (const Study &s : studies)
        if (s.row.table == 3) {
            paper += s.row.published[0].seconds;
            whole += outcome(s, method::as_run).seconds;
            stopped += outcome(s, method::as_stopped).seconds;
        }
    if (paper == 0) return {};
    return fmt::format(
        "Time of Algorithm 1 over Table 3: the paper {:.1f} s; here {:.2f} s for up to 2000 "
        "iterations a row ({:.0f} times less), {:.2f} s for the paper's own numbers of iterations "
        "({:.0f} times less). Machines differ.",
        paper, whole, paper / whole, stopped, paper / stopped);
}

} // namespace

std::vector<std::string> findings(const Studies &all_studies) {
    Studies studies;
    std::ranges::copy_if(all_studies, std::back_inserter(studies),
                         [](const Study &s) { return !s.outcomes.empty(); });
    if (studies.empty()) return {};
    std::vector<std::string> lines{deterministic_rows(studies),
                                   against_the_paper(studies, method::exact),
                                   against_the_paper(studies, method::exact_tuned)};
    std::ranges::copy(shortfalls(studies), std::back_inserter(lines));
    const std::vector<const char *> exact{method::exact, method::exact_tuned};
    const std::vector<const char *> admm{method::as_written, method::as_run};
    lines.push_back(remark(studies, "exact solver", exact, true));
    lines.push_back(remark(studies, "exact solver, search not finished", exact, false));
    lines.push_back(remark(studies, "Algorithm 1 where it converged", admm, true));
    lines.push_back(remark(studies, "Algorithm 1 where it did not", admm, false));
    lines.push_back(speed(studies));
    std::erase(lines, "");
    return lines;
}

} // namespace hinge0::paper
