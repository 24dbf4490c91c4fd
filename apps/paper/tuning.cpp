/// Cross-validation with one solver per fold and rho, which serves every C.
#include "tuning.hpp"

#include <algorithm>
#include <cmath>

#include "data/random_state.hpp"
#include "hinge0/train.hpp"
#include "parallel.hpp"

namespace hinge0::paper {
namespace {

constexpr int folds = 5;
constexpr std::uint32_t fold_seed = 0;
constexpr std::array prices_tried{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
constexpr std::array rho_factors{0.25, 1.0, 4.0};

struct Score {
    double accuracy = 0, support_vectors = 0;
};
using Scores = std::array<Score, prices_tried.size()>;

Dataset rows_of(const Dataset &data, const std::vector<Index> &rows) {
    std::vector<std::string> labels;
    labels.reserve(rows.size());
    for (const Index i : rows) labels.emplace_back(data.signs()(i) > 0 ? "1" : "-1");
    return {Samples(DenseRows(std::get<DenseRows>(data.samples())(rows, Eigen::all))), labels};
}

Scores score(const Dataset &data, const std::vector<int> &fold_of, int fold, double rho) {
    std::vector<Index> left_out;
    for (std::size_t i = 0; i < fold_of.size(); ++i)
        if (fold_of[i] == fold) left_out.push_back(static_cast<Index>(i));
    const Dataset test = rows_of(data, left_out);
    Vector signs = data.signs();
    signs(left_out).setZero();
    const Solver solver(data.samples(), RbfKernel{rho});
    Scores scores;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        const Objective objective{.C = prices_tried[k]};
        const Solution solution = solver.solve(signs, objective, {.threads = 1});
        scores[k] = {accuracy(solver.model(solution, objective, data.classes()), test),
                     static_cast<double>(solution.report.support_vectors)};
    }
    return scores;
}

Candidate candidate(double C, double rho, const std::array<Score, folds> &scores) {
    Candidate result{.C = C, .rho = rho};
    for (const Score &s : scores) {
        result.accuracy += s.accuracy / folds;
        result.support_vectors += s.support_vectors / folds;
    }
    double squares = 0;
    for (const Score &s : scores) squares += std::pow(s.accuracy - result.accuracy, 2);
    result.standard_error = std::sqrt(squares / (folds - 1) / folds);
    return result;
}

} // namespace

std::vector<int> stratified_folds(const Vector &signs, int count, std::uint32_t seed) {
    std::vector<int> fold(static_cast<std::size_t>(signs.size()));
    const std::vector<Index> order = RandomState(seed).permutation(signs.size());
    int next = 0;
    for (const double sign : {-1.0, 1.0})
        for (const Index i : order)
            if (signs(i) == sign) fold[static_cast<std::size_t>(i)] = next++ % count;
    return fold;
}

const Candidate &choose(const std::vector<Candidate> &candidates) {
    const Candidate &best = *std::ranges::max_element(candidates, {}, &Candidate::accuracy);
    const Candidate *chosen = &best;
    for (const Candidate &c : candidates) {
        if (c.accuracy < best.accuracy - best.standard_error) continue;
        if (c.support_vectors < chosen->support_vectors ||
            (c.support_vectors == chosen->support_vectors && c.accuracy > chosen->accuracy))
            chosen = &c;
    }
    return *chosen;
}

std::vector<Candidate> cross_validate(const Problem &problem, int threads) {
    const std::vector<int> fold_of = stratified_folds(problem.train.signs(), folds, fold_seed);
    constexpr int jobs = folds * static_cast<int>(rho_factors.size());
    std::array<Scores, jobs> scores;
    const auto place = [](std::size_t factor, std::size_t fold) { return factor * folds + fold; };
    parallel_for(jobs, threads, [&](int job) {
        const auto k = static_cast<std::size_t>(job);
        scores[k] =
            score(problem.train, fold_of, job % folds, rho_factors[k / folds] * problem.rho);
    });
    std::vector<Candidate> candidates;
    for (std::size_t f = 0; f < rho_factors.size(); ++f)
        for (std::size_t k = 0; k < prices_tried.size(); ++k) {
            std::array<Score, folds> of_folds;
            for (std::size_t fold = 0; fold < folds; ++fold)
                of_folds[fold] = scores[place(f, fold)][k];
            candidates.push_back(
                candidate(prices_tried[k], rho_factors[f] * problem.rho, of_folds));
        }
    return candidates;
}

} // namespace hinge0::paper
