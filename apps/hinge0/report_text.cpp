/// The same numbers for programs and for people.
#include "report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "hinge0/error.hpp"

namespace hinge0::cli {
namespace {

Json residuals_json(const Residuals &r) {
    return {{"stationarity", r.stationarity},
            {"balance", r.balance},
            {"feasibility", r.feasibility},
            {"proximal", r.proximal}};
}

} // namespace

Json to_json(const Kernel &kernel) {
    Json json{{"name", name(kernel)}};
    for_each_parameter(kernel, [&](const char *key, auto value) { json[key] = value; });
    return json;
}

Json to_json(const Certificate &certificate) {
    Json json = residuals_json(certificate);
    json["worst_deficit"] = certificate.worst_deficit;
    json["gamma"] = certificate.gamma;
    json["local_minimum"] = certificate.local_minimum;
    return json;
}

Json to_json(const Report &report) {
    return {{"status", to_string(report.status)},
            {"solver", report.solver},
            {"objective", report.objective},
            {"constant_objective", report.constant_objective},
            {"half_norm_squared", report.half_norm_squared},
            {"violators", report.violators},
            {"support_vectors", report.support_vectors},
            {"iterations", report.iterations},
            {"moves", report.moves},
            {"bias", report.bias},
            {"train_accuracy", report.train_accuracy},
            {"search", report.searched ? "full" : "none"},
            {"one_opt", report.one_opt},
            {"starts", report.starts},
            {"residuals", residuals_json(report.residuals)},
            {"certificate", to_json(report.certificate)},
            {"seconds",
             {{"read", report.seconds.read},
              {"gram", report.seconds.gram},
              {"solve", report.seconds.solve},
              {"total", report.seconds.total}}},
            {"rows", report.rows},
            {"features", report.features},
            {"C", report.C},
            {"loss", report.loss},
            {"kernel", to_json(report.kernel)},
            {"threads", report.threads},
            {"notes", report.notes},
            {"columns", report.columns},
            {"memory_estimate_bytes", report.memory_estimate_bytes},
            {"peak_memory_bytes", report.peak_memory_bytes}};
}

std::string in_words(const Kernel &kernel) {
    std::string words;
    for_each_parameter(kernel, [&](const char *key, double value) {
        words += fmt::format("{}{} {:.6g}", words.empty() ? " (" : ", ", key, value);
    });
    return std::string(name(kernel)) + (words.empty() ? "" : words + ")");
}

std::string in_words(const Certificate &c) {
    return fmt::format(
        "  certificate       stationarity {:.1e}, balance {:.1e}, feasibility {:.1e}, "
        "proximal {:.1e}\n"
        "  local minimum     {} (prox parameter gamma {:.4g}, largest deficit off "
        "{:.1e})\n",
        c.stationarity, c.balance, c.feasibility, c.proximal,
        c.local_minimum ? "yes" : "not certified", c.gamma, c.worst_deficit);
}

std::string in_words(const Report &r) {
    const bool exact = r.solver == "exact";
    std::string text = fmt::format(
        "{} after {} {} of {} ({:.3g} s: read {:.2g}, kernel matrix {:.2g}, solve {:.2g}; "
        "{} threads)\n"
        "  objective         {:.6g} (half norm {:.6g}; constant classifier {:.6g})\n"
        "  support vectors   {}\n"
        "  violators         {}\n"
        "  training accuracy {:.2f} %\n",
        to_string(r.status), r.iterations, exact ? "steps" : "iterations", r.solver,
        r.seconds.total, r.seconds.read, r.seconds.gram, r.seconds.solve, r.threads, r.objective,
        r.half_norm_squared, r.constant_objective, r.support_vectors, r.violators,
        100 * r.train_accuracy);
    if (!exact)
        text += fmt::format("  last residuals    {:.1e} {:.1e} {:.1e} {:.1e}\n",
                            r.residuals.stationarity, r.residuals.balance, r.residuals.feasibility,
                            r.residuals.proximal);
    text += in_words(r.certificate);
    if (exact && r.support_vectors > 0)
        text += fmt::format("  search            {}\n",
                            !r.searched ? "none: 1-optimality was not examined"
                            : r.one_opt ? "no move of one sample lowers the objective (1-opt)"
                                        : "stopped before 1-optimality was shown");
    for (const std::string &note : r.notes) text += fmt::format("  note: {}\n", note);
    return text;
}

std::size_t fit_count(const CrossValidation &tried) {
    std::size_t fits = 0;
    for (const Cell &cell : tried.cells)
        fits += static_cast<std::size_t>(std::count_if(cell.scores.begin(), cell.scores.end(),
                                                       [](double s) { return !std::isnan(s); }));
    return fits;
}

std::string in_words(const std::vector<KernelScore> &kernels) {
    if (kernels.size() < 2) return {};
    std::vector<std::string> words;
    words.reserve(kernels.size());
    for (const KernelScore &one : kernels)
        words.push_back(std::isnan(one.score)
                            ? fmt::format("{} not tried", one.kernel)
                            : fmt::format("{} {:.4f} ({:.0f} support vectors)", one.kernel,
                                          one.score, one.support_vectors));
    return fmt::format("kernels: {}", fmt::join(words, ", "));
}

std::string in_words(const CrossValidation &tried, std::size_t chosen, const std::string &kernel,
                     double thin, const TuneSettings &settings) {
    const Cell &best = tried.cells[chosen];
    return fmt::format("{}C = {:g}{} chosen by the rule {} from {} cells: {} {:.4f}, mean of {} "
                       "splits ({} fits, {:.3g} s)\n{}",
                       settings.others.empty() ? "" : fmt::format("kernel {}, ", kernel), best.C,
                       std::isnan(best.gamma) ? "" : fmt::format(", gamma = {:.6g}", best.gamma),
                       name(settings.rule), tried.cells.size(), name(settings.metric),
                       tried.mean_scores()(static_cast<Index>(chosen)), best.scores.size(),
                       fit_count(tried), tried.seconds,
                       settings.max_support_vectors > 0 && thin != automatic_thin
                           ? fmt::format("--thin {:g} for at most {} support vectors; the {} is "
                                         "that of the cell as it was\n",
                                         thin, settings.max_support_vectors, name(settings.metric))
                           : "");
}

void write_output(std::string_view text) {
    const bool taken = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!taken || std::fflush(stdout) != 0)
        throw FileError(fmt::format("cannot write ({})", std::strerror(errno)), "standard output");
}

void print(const Json &json) {
    // labels may hold any bytes; JSON holds UTF-8, so others are replaced rather than thrown at
    write_output(json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void say(std::string_view words) {
    static_cast<void>(std::fwrite(words.data(), 1, words.size(), stderr));
}

} // namespace hinge0::cli
