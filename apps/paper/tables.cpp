/// Words and numbers of each table.
#include "tables.hpp"

#include <fmt/format.h>

#include <map>

namespace hinge0::paper {
namespace {

Cell number(double value, const char *format) { return {fmt::format(fmt::runtime(format), value)}; }
Cell accuracy_cell(double value) { return number(value, "{:.2f}"); }
Cell missing() { return {"–", Tone::quiet}; }

Cell status_cell(const std::string &status) {
    return {status, status == "converged" ? Tone::plain : Tone::bad};
}

Cell certificate_cell(const Outcome &o) {
    if (!o.certificate) return missing();
    const auto &c = *o.certificate;
    const double worst = std::max(c.worst(), c.worst_deficit);
    return {fmt::format("{} ({:.0e})", c.local_minimum ? "yes" : "no", worst),
            c.local_minimum ? Tone::good : Tone::bad};
}

Cell margin_cell(const Outcome &o) {
    if (!o.on_margin) return missing();
    const bool all = o.on_margin->counted == o.support_vectors;
    return {fmt::format("{}/{}", o.on_margin->counted, o.support_vectors),
            all ? Tone::plain : Tone::bad};
}

std::string row_title(const Row &row) {
    if (row.table == 3) return row.title;
    return fmt::format("{}: {}", row.table == 1 ? "Circles" : "Moons", row.title);
}

std::vector<Cell> published_line(const Study &s, std::size_t which, const std::string &method,
                                 double C) {
    const Published &p = s.row.published[which];
    return {{s.row.title},
            {method, Tone::quiet},
            number(C, "{:.4g}"),
            accuracy_cell(p.train),
            accuracy_cell(p.test),
            {std::to_string(p.support_vectors)},
            number(p.seconds, "{:.3f}"),
            {std::to_string(p.iterations)},
            {"published", Tone::quiet},
            missing(),
            missing(),
            missing()};
}

std::vector<Cell> outcome_line(const Study &s, const Outcome &o) {
    const bool libsvm = o.method == method::hinge_libsvm || o.method == method::svc_libsvm;
    return {{s.row.title},
            {title_of(o.method)},
            number(o.C, "{:.4g}"),
            accuracy_cell(o.train),
            accuracy_cell(o.test),
            {std::to_string(o.support_vectors),
             o.support_vectors <= s.row.published[0].support_vectors && o.certificate
                 ? Tone::good
                 : Tone::plain},
            number(o.seconds, "{:.4f}"),
            libsvm ? missing() : Cell{std::to_string(o.iterations)},
            status_cell(o.status),
            o.worst_beta ? number(*o.worst_beta, "{:.1e}") : missing(),
            certificate_cell(o),
            margin_cell(o)};
}

std::string short_result(const Outcome &o) {
    return fmt::format("{:.2f} / {}", o.test, o.support_vectors);
}

Cell range_cell(const Range &r, int digits) {
    return {
        fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", r.median, digits, r.low, digits, r.high, digits)};
}

} // namespace

std::string title_of(const std::string &key) {
    static const std::map<std::string, std::string> titles{
        {method::as_written, "l0, Algorithm 1 at the paper's C"},
        {method::as_run, "l0, Algorithm 1 at C'"},
        {method::as_stopped, "l0, Algorithm 1 at C', stopped as published"},
        {method::exact, "l0, exact"},
        {method::exact_tuned, "l0, exact, tuned"},
        {method::hinge, "hinge, hinge0"},
        {method::hinge_libsvm, "hinge, LIBSVM"},
        {method::svc_libsvm, "hinge, LIBSVM at the l2 row's C"},
        {method::squared_hinge, "squared hinge, hinge0"},
        {"l0-svm-linear", "l0-SVM (linear kernel)"},
        {"ramp", "ramp"},
        {"truncated-squares", "truncated least squares"},
        {"pinball", "pinball"},
        {"truncated-pinball", "truncated pinball"},
        {"truncated-huber", "truncated Huber"},
        {"truncated-scad", "truncated SCAD"},
        {"smooth-exponential", "smooth, 1 - exp"},
        {"smooth-log", "smooth, log"}};
    const auto found = titles.find(key);
    return found == titles.end() ? key : found->second;
}

std::string table_title(int table) {
    static const std::array<const char *, 3> names{"Double Circles", "Double Moons",
                                                   "seven real data sets"};
    return fmt::format("Table {}: {}", table, names.at(static_cast<std::size_t>(table) - 1));
}

TextTable data_summary(const Studies &studies) {
    TextTable table{.id = "data",
                    .title = "The data and the settings of each row",
                    .caption = "Classes are counted as -1 / +1 after the flips. C' = 2C²/sigma is "
                               "the price at which the printed algorithm does what the authors' "
                               "code did.",
                    .head = {"row", "features", "training rows", "test rows", "flipped labels",
                             "standardised", "rho", "C", "sigma", "C'", "hinge C", "l2 row's C",
                             "split seed"}};
    for (const Study &s : studies)
        table.rows.push_back({{row_title(s.row)},
                              {std::to_string(s.features)},
                              {fmt::format("{} / {}", s.train_classes[0], s.train_classes[1])},
                              {fmt::format("{} / {}", s.test_classes[0], s.test_classes[1])},
                              {std::to_string(s.flipped.size())},
                              {s.row.standardise ? "yes" : "no"},
                              number(s.rho, "{:.4g}"),
                              number(s.row.C, "{:.4g}"),
                              number(s.row.sigma, "{:.4g}"),
                              number(s.row.authors_C(), "{:.4g}"),
                              number(s.row.hinge_C, "{:.4g}"),
                              number(s.row.svc_C, "{:.4g}"),
                              {std::to_string(s.row.split_seed())}});
    return table;
}

TextTable overview(const Studies &studies) {
    TextTable table{.id = "overview",
                    .title = "At a glance: test accuracy in per cent / support vectors",
                    .caption = "Bold or green: at most the paper's number of support vectors, and "
                               "a test accuracy not more than 1 point below the paper's. "
                               "A dagger: Algorithm 1 did not converge.",
                    .head = {"row", "paper, l0-KSVM", "Algorithm 1 at C'", "exact, paper's C",
                             "exact, tuned", "hinge, LIBSVM", "squared hinge"}};
    for (const Study &s : studies) {
        if (s.outcomes.empty()) continue;
        const Published &paper = s.row.published[0];
        const auto judged = [&](const char *method) {
            const Outcome &o = outcome(s, method);
            const bool reached =
                o.support_vectors <= paper.support_vectors && o.test >= paper.test - 1;
            const char *mark = o.status == "converged" ? "" : " †";
            return Cell{short_result(o) + mark, reached ? Tone::good : Tone::plain};
        };
        table.rows.push_back(
            {{row_title(s.row)},
             {fmt::format("{:.2f} / {}", paper.test, paper.support_vectors), Tone::quiet},
             judged(method::as_run),
             judged(method::exact),
             judged(method::exact_tuned),
             {short_result(outcome(s, method::hinge_libsvm))},
             {short_result(outcome(s, method::squared_hinge))}});
    }
    return table;
}

TextTable full_table(const Studies &studies, int which) {
    TextTable table{.id = fmt::format("table{}", which),
                    .title = fmt::format("Table {}, every method", which),
                    .head = {"row", "method", "C", "train acc", "test acc", "NSV", "seconds",
                             "iterations", "status", "max beta", "certified minimum (residual)",
                             "SVs on |h| = 1"},
                    .grouped = true};
    for (const Study &s : studies) {
        if (s.row.table != which || s.outcomes.empty()) continue;
        table.rows.push_back(published_line(s, 0, "paper, l0-KSVM", s.row.C));
        for (const char *m : {method::as_written, method::as_run, method::as_stopped, method::exact,
                              method::exact_tuned})
            table.rows.push_back(outcome_line(s, outcome(s, m)));
        table.rows.push_back(published_line(s, 1, "paper, l1-KSVM", s.row.hinge_C));
        for (const char *m : {method::hinge, method::hinge_libsvm})
            table.rows.push_back(outcome_line(s, outcome(s, m)));
        table.rows.push_back(published_line(s, 2, "paper, l2-KSVM", s.row.svc_C));
        for (const char *m : {method::squared_hinge, method::svc_libsvm})
            table.rows.push_back(outcome_line(s, outcome(s, m)));
    }
    return table;
}

TextTable spread_table(const Studies &studies, int which) {
    TextTable table{
        .id = fmt::format("spread{}", which),
        .title = fmt::format("Table {}, over {} seeds", which, spread_runs),
        .caption = "Median [lowest, highest]. Starts: seeds 0-19 of the first multipliers on the "
                   "paper's split. Splits: random_state 0-19 of train_test_split.",
        .head = {"row", "method", "over", "C", "train acc", "test acc", "NSV", "certified minima"},
        .grouped = true};
    for (const Study &s : studies) {
        if (s.row.table != which) continue;
        for (const Spread &spread : s.spreads) {
            const bool exact = spread.method == method::exact;
            table.rows.push_back(
                {{row_title(s.row)},
                 {title_of(spread.method)},
                 {fmt::format("{} {}", spread.runs, spread.over)},
                 number(spread.C, "{:.4g}"),
                 range_cell(spread.train, 2),
                 range_cell(spread.test, 2),
                 range_cell(spread.support_vectors, 1),
                 exact ? Cell{fmt::format("{}/{}", spread.certified, spread.runs)} : missing()});
        }
    }
    return table;
}

TextTable losses_overview(const Studies &studies) {
    TextTable table{.id = "losses",
                    .title = "Other losses: test accuracy in per cent / support vectors",
                    .caption = "A dagger: not converged after 5000 iterations (the iterate with "
                               "the smallest worst residual is shown)."};
    table.head = {"row"};
    for (const Study &s : studies) {
        if (s.others.empty()) continue;
        if (table.head.size() == 1)
            for (const Outcome &o : s.others) table.head.push_back(title_of(o.method));
        std::vector<Cell> line{{row_title(s.row)}};
        for (const Outcome &o : s.others) {
            const bool converged = o.status == "converged";
            line.push_back(
                {short_result(o) + (converged ? "" : " †"), converged ? Tone::plain : Tone::quiet});
        }
        table.rows.push_back(line);
    }
    return table;
}

TextTable losses_table(const Studies &studies) {
    TextTable table{.id = "losses-all",
                    .title = "Other losses: every number",
                    .head = {"row", "loss", "C", "train acc", "test acc", "NSV", "seconds",
                             "iterations", "status", "max beta"},
                    .grouped = true};
    for (const Study &s : studies)
        for (const Outcome &o : s.others)
            table.rows.push_back({{row_title(s.row)},
                                  {title_of(o.method)},
                                  number(o.C, "{:.4g}"),
                                  accuracy_cell(o.train),
                                  accuracy_cell(o.test),
                                  {std::to_string(o.support_vectors)},
                                  number(o.seconds, "{:.4f}"),
                                  {std::to_string(o.iterations)},
                                  status_cell(o.status),
                                  o.worst_beta ? number(*o.worst_beta, "{:.1e}") : missing()});
    return table;
}

} // namespace hinge0::paper
