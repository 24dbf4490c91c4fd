/// The columns of a row, the spreads over seeds, and the other losses.
#include "study.hpp"

#include <algorithm>

#include "core/threads.hpp"
#include "other_losses.hpp"
#include "parallel.hpp"

namespace hinge0::paper {
namespace {

constexpr std::uint64_t start_seed = 0;

std::array<Index, 2> classes(const Dataset &data) {
    const Index positive = (data.signs().array() > 0).count();
    return {data.size() - positive, positive};
}

/// Timed one after the other, so that they do not disturb each other.
void fill_table(const Problem &p, int threads, Study &s) {
    const Row &row = s.row;
    s.outcomes = {
        fit_l0_admm(p, method::as_written, row.C, row.sigma, start_seed, threads).outcome,
        fit_l0_admm(p, method::as_run, row.authors_C(), row.sigma, start_seed, threads).outcome,
        fit_l0_stopped(p, row.authors_C(), row.sigma, row.published[0].iterations, start_seed,
                       threads)
            .outcome,
        fit_exact(p, method::exact, row.C, p.rho, threads).outcome};
    s.tuned = choose(cross_validate(p, thread_count(threads)));
    s.outcomes.push_back(
        fit_exact(p, method::exact_tuned, s.tuned.C, s.tuned.rho, threads).outcome);
    s.outcomes.push_back(fit_convex(p, method::hinge, HingeLoss{}, row.hinge_C, threads).outcome);
    s.outcomes.push_back(fit_libsvm(p, method::hinge_libsvm, row.hinge_C));
    s.outcomes.push_back(
        fit_convex(p, method::squared_hinge, SquaredHingeLoss{}, row.svc_C, threads).outcome);
    s.outcomes.push_back(fit_libsvm(p, method::svc_libsvm, row.svc_C));
}

Spread spread_of(const std::vector<Outcome> &outcomes, const char *over) {
    Spread spread{.method = outcomes[0].method,
                  .over = over,
                  .C = outcomes[0].C,
                  .runs = static_cast<int>(outcomes.size())};
    const auto range = [&](const auto &number) {
        std::vector<double> numbers;
        numbers.reserve(outcomes.size());
        for (const Outcome &o : outcomes) numbers.push_back(static_cast<double>(number(o)));
        return range_of(numbers);
    };
    spread.train = range([](const Outcome &o) { return o.train; });
    spread.test = range([](const Outcome &o) { return o.test; });
    spread.support_vectors = range([](const Outcome &o) { return o.support_vectors; });
    spread.certified = static_cast<int>(std::ranges::count_if(
        outcomes, [](const Outcome &o) { return o.certificate && o.certificate->local_minimum; }));
    return spread;
}

/// Algorithm 1 from 20 starts on the paper's split; exact solver and hinge on 20 splits.
void fill_spreads(const Problem &p, const Data &data, int threads, Study &s) {
    const Row &row = s.row;
    const std::vector<Outcome> starts =
        fit_l0_starts(p, method::as_run, row.authors_C(), row.sigma, spread_runs, threads);
    std::vector<Outcome> exact(spread_runs), hinge(spread_runs);
    parallel_for(spread_runs, threads, [&](int k) {
        const auto seed = static_cast<std::uint32_t>(k);
        const auto i = static_cast<std::size_t>(k);
        const Problem other = problem(row, data, split(data.signs.size(), seed));
        exact[i] = fit_exact(other, method::exact, row.C, other.rho, 1).outcome;
        hinge[i] = fit_libsvm(other, method::hinge_libsvm, row.hinge_C);
    });
    s.spreads = {spread_of(starts, "starts"), spread_of(exact, "splits"),
                 spread_of(hinge, "splits")};
}

/// One-threaded fits side by side: many, and their seconds matter less.
void fill_others(const Problem &p, int threads, Study &s) {
    const std::vector<OtherLoss> losses = other_losses();
    s.others.push_back(fit_exact(p, method::exact, losses_C, p.rho, 1).outcome);
    s.others.push_back(fit_linear(p, losses_C, 1));
    s.others.push_back(fit_convex(p, method::hinge, HingeLoss{}, losses_C, 1).outcome);
    const std::size_t first = s.others.size();
    s.others.resize(first + losses.size());
    parallel_for(static_cast<int>(losses.size()), threads, [&](int k) {
        const auto i = static_cast<std::size_t>(k);
        s.others[first + i] = fit_other(p, losses[i], 1);
    });
}

} // namespace

Range range_of(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    const std::size_t n = numbers.size();
    return {.median = 0.5 * (numbers[(n - 1) / 2] + numbers[n / 2]),
            .low = numbers.front(),
            .high = numbers.back()};
}

const Outcome &outcome(const Study &study, const char *method) {
    return *std::ranges::find(study.outcomes, method, &Outcome::method);
}

Study study(const Row &row, const Data &data, const Wanted &wanted, int threads) {
    Study s{.row = row, .features = data.samples.cols(), .flipped = data.flipped};
    s.parts = split(data.signs.size(), row.split_seed());
    const Problem p = problem(row, data, s.parts);
    s.rho = p.rho;
    s.train_classes = classes(p.train);
    s.test_classes = classes(p.test);
    if (wanted.table) fill_table(p, threads, s);
    if (wanted.table && !row.deterministic()) fill_spreads(p, data, thread_count(threads), s);
    if (wanted.losses) fill_others(p, thread_count(threads), s);
    return s;
}

} // namespace hinge0::paper
