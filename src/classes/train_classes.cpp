/// All pairs of a fit, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "classes/pair_solver.hpp"
#include "core/all_rows.hpp"
#include "core/memory.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// Kernel values that one thread has soon enough: OpenMP's threads stay awake for a while, and the
/// next fit has to share the cores with them.
constexpr double few_values = 1 << 19;

/// Rows whose class may not win all its pairs. Of the others every certified pair says that it
/// does, and no class that lost a pair has as many votes.
std::vector<Index> rows_in_doubt(const ClassFit &fit, const Vector &weight, Index rows) {
    const auto is_certified = [](const Report &one) { return one.certificate.local_minimum; };
    if (!std::ranges::all_of(fit.reports, is_certified)) return all_rows(rows);
    std::vector<Index> result = fit.violators;
    for (Index i = 0; i < weight.size(); ++i)
        if (weight(i) == 0) result.push_back(i);
    return result;
}

double accuracy(const ClassFit &fit, const LabelledData &data, const Vector &weight, int threads) {
    const std::vector<Index> rows = rows_in_doubt(fit, weight, data.size());
    const double values =
        static_cast<double>(rows.size()) * static_cast<double>(fit.classifier.rows.size());
    if (values < few_values) threads = 1;
    const std::vector<Index> found =
        predict_classes(fit.classifier, chosen_rows(data.samples(), rows), threads);
    Index wrong = 0;
    for (std::size_t k = 0; k < rows.size(); ++k)
        wrong += found[k] != data.labels()[static_cast<std::size_t>(rows[k])] ? 1 : 0;
    return static_cast<double>(data.size() - wrong) / static_cast<double>(data.size());
}

std::vector<Index> union_of(const std::vector<std::vector<Index>> &lists) {
    std::vector<Index> all;
    for (const std::vector<Index> &list : lists) all.insert(all.end(), list.begin(), list.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// What ends a fit that has not solved all its pairs.
[[noreturn]] void give_up(const Watch &watch, Index solved, Index count) {
    watch.rethrow();
    const std::string what = fmt::format("with {} of {} pairs of classes solved", solved, count);
    if (!watch.out_of_time()) throw Interrupted("interrupted " + what);
    throw Error(fmt::format("the time limit of {:g} s is over {}", watch.time_limit(), what),
                "allow more time, or train on fewer rows");
}

/// A pair that was stopped knows only that: it was the time.
void tell_of_time(std::vector<Report> &reports, std::vector<Pair> &pairs) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (pairs[k].status == Status::interrupted)
            pairs[k].status = reports[k].status = Status::time_limit;
}

/// The worse of two certificates, number by number.
void worsen(Certificate &all, const Certificate &one) {
    all.stationarity = std::max(all.stationarity, one.stationarity);
    all.balance = std::max(all.balance, one.balance);
    all.feasibility = std::max(all.feasibility, one.feasibility);
    all.proximal = std::max(all.proximal, one.proximal);
    all.worst_deficit = std::max(all.worst_deficit, one.worst_deficit);
    all.gamma = std::min(all.gamma, one.gamma);
    all.local_minimum &= one.local_minimum;
}

/// How it was trained.
void describe(const LabelledData &data, const Recipe &recipe, const ClassOptions &options,
              Classifier &classifier) {
    classifier.classes = data.classes();
    classifier.scheme = options.scheme;
    classifier.loss = recipe.objective.loss;
    classifier.C = recipe.objective.C;
    classifier.class_weight = options.class_weight;
    if (options.class_weight.empty()) classifier.class_weight.assign(data.classes().size(), 1.0);
}

} // namespace

ClassFit train(LabelledData data, const Recipe &recipe, const ClassOptions &options,
               const Observer &observer) {
    std::atomic<Index> solved = 0;
    Scaling scaling;
    if (recipe.standardize) {
        scaling = standard_scaling(data.samples(), recipe.objective.sample_weight);
        data = data.with_samples(scaled(scaling, data.samples()));
    }
    const Kernel kernel = make_kernel(recipe.kernel, recipe.parameters, data.samples(),
                                      recipe.objective.sample_weight);
    const PairProblems problems(data, recipe.objective, options);
    const Index count = problems.count();
    Watch watch(
        [&](const Progress &) {
            return !observer ||
                   observer({.stage = Progress::Stage::pairs,
                             .done = static_cast<double>(solved) / static_cast<double>(count),
                             .iteration = static_cast<int>(solved)});
        },
        recipe.settings.time_limit);
    const Solver solver(data.samples(), kernel);
    Settings settings = recipe.settings;
    const int threads = thread_count(settings.threads);
    settings.time_limit = std::numeric_limits<double>::infinity(); // the watch has it
    if (count > 1) settings.threads = 1;
    PairSolver pair_solver(solver, data, options, settings);
    std::vector<Solution> solutions;
    try {
        solutions = pair_solver.solve([&](Index k) { return problems.problem(k); }, threads, watch,
                                      [&] { ++solved; });
    } catch (const Interrupted &) {
        give_up(watch, solved, count);
    }
    watch.rethrow();
    if (solved < count) give_up(watch, solved, count);
    std::vector<Pair> pairs;
    std::vector<std::vector<Index>> violators;
    ClassFit fit;
    for (Index k = 0; k < count; ++k) {
        const Solution &solution = solutions[static_cast<std::size_t>(k)];
        pairs.push_back(pair_of(problems.classes(k), solution));
        fit.reports.push_back(solution.report);
        violators.push_back(solution.violators);
    }
    if (watch.out_of_time()) tell_of_time(fit.reports, pairs);
    fit.violators = union_of(violators);
    fit.classifier = join_pairs(data.samples(), kernel, std::move(pairs));
    describe(data, recipe, options, fit.classifier);
    fit.threads = threads;
    fit.train_accuracy =
        accuracy(fit, data, recipe.objective.sample_weight, threads); // of rows that are scaled
    fit.classifier.scaling = scaling;
    fit.seconds.total = watch.seconds();
    return fit;
}

Report ClassFit::summary() const {
    Report all = reports.at(0);
    for (std::size_t k = 1; k < reports.size(); ++k) {
        const Report &one = reports[k];
        if (one.status != Status::converged) all.status = one.status;
        all.objective += one.objective;
        all.constant_objective += one.constant_objective;
        all.half_norm_squared += one.half_norm_squared;
        all.violators += one.violators;
        all.iterations += one.iterations;
        all.moves += one.moves;
        all.columns += one.columns;
        all.one_opt &= one.one_opt;
        all.seconds.gram += one.seconds.gram;
        worsen(all.certificate, one.certificate);
        for (const std::string &note : one.notes)
            if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
    }
    all.support_vectors = static_cast<Index>(classifier.rows.size());
    all.rows = classifier.training_rows;
    all.train_accuracy = train_accuracy;
    all.threads = threads;
    all.peak_memory_bytes = peak_memory();
    all.seconds.read = seconds.read;
    all.seconds.total = seconds.total;
    all.seconds.solve = std::max(0.0, seconds.total - seconds.read - all.seconds.gram);
    return all;
}

std::vector<double> balanced_weights(const LabelledData &data, const Vector &sample_weight) {
    std::vector<double> share(data.classes().size(), 0.0);
    double total = 0;
    for (Index i = 0; i < data.size(); ++i) {
        const double weight = sample_weight.size() > 0 ? sample_weight(i) : 1.0;
        share[static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(i)])] += weight;
        total += weight;
    }
    for (double &value : share) value = total / (static_cast<double>(share.size()) * value);
    return share;
}

} // namespace hinge0
