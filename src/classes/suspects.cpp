/// Kernel ridge regressions judge the rows that they have not seen, twice: the second time rows
/// that were doubted weigh little.
#include "hinge0/suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/all_rows.hpp"
#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "solver/kernel_ridge.hpp"
#include "tune/fold_fits.hpp"

namespace hinge0 {
namespace {

/// What is tried: gamma in units of 1 / (d var X), and ridges. The best few are used.
constexpr double gammas[] = {1.0 / 16, 1.0 / 4, 1.0, 4.0}, ridges[] = {0.1, 0.3, 1.0, 3.0};
constexpr std::size_t used_members = 3;
/// Rows of one fit, whose cost grows with their cube. More rows are dealt out to several parts.
constexpr Index most_rows = 2000;
/// Parts whose fits judge a row, its own among them.
constexpr Index judges = 4;
/// Of what a row weighs at least: it is left out, but the equations stay solvable.
constexpr double least_weight = 1e-6;

/// A label of less quality is an issue: another one is well above it, so that rows between the
/// classes are none.
constexpr double issue_below = 0.25;

/// Values are near 1 for right classes and near 0 for wrong ones, so that this is a score like a
/// probability, but not one. It is their ratio that counts: of two labels far below the strongest,
/// the one that never occurs there is the more suspect. Of values near 0 so much is noise.
constexpr double noise = 0.2;
double quality_of(double own, double strongest_other) {
    const double ratio = (std::max(strongest_other, 0.0) + noise) / (std::max(own, 0.0) + noise);
    return 1.0 / (1.0 + ratio * ratio);
}

/// The highest value of a class other than `given`.
Index strongest_other(const Matrix &values, Index row, Index given) {
    Index best = given == 0 ? 1 : 0;
    for (Index c = 0; c < values.cols(); ++c)
        if (c != given && values(row, c) > values(row, best)) best = c;
    return best;
}

class Judgement {
public:
    Judgement(const LabelledData &data, const SuspectSettings &settings, const Observer &observer)
        : data_(data), threads_(thread_count(settings.threads)), memory_(settings.memory_limit),
          watch_([this, &observer](const Progress &) { return tell(observer); },
                 settings.time_limit),
          weight_(weights(settings)), parts_(dealt_out(settings.seed)) {
        const auto rows = static_cast<double>(data.size());
        const auto classes = static_cast<double>(data.classes().size());
        const auto of_one = static_cast<double>(parts_.front().size());
        const double of_features =
            settings.standardize ? static_cast<double>(data.features()) : 0.0;
        memory_.take(
            8 * rows * (classes * (2 * used_members + 2) + of_features) +
                8 * threads_ * of_one * (of_one + 3 * classes),
            fmt::format("judging {} rows of {} classes", data.size(), data.classes().size()),
            "use fewer rows or threads, features as they are, or a machine with more memory");
        samples_ =
            settings.standardize
                ? scaled(standard_scaling(data.samples(), settings.sample_weight), data.samples())
                : data.samples();
        unit_ = gamma_scale(samples_, settings.sample_weight);
        const auto parts = static_cast<double>(parts_.size());
        expected_ = std::size(gammas) * std::size(ridges) + 2 * parts * (used_members + 1);
    }

    Suspects run() {
        Suspects found;
        choose(found.members);
        const Matrix first = values(found.members, weight_);
        Vector weight = weight_;
        for (Index i = 0; i < data_.size(); ++i)
            weight(i) = std::max(least_weight, weight(i) * quality(first, i));
        // Both rounds: the second alone ranks worse on some sets where few labels are wrong.
        judge(0.5 * (first + values(found.members, weight)), found);
        found.seconds = watch_.seconds();
        found.threads = threads_;
        return found;
    }

private:
    [[nodiscard]] Vector weights(const SuspectSettings &settings) const {
        const Vector &given = settings.sample_weight;
        if (given.size() == 0) return Vector::Ones(data_.size());
        if (given.size() != data_.size())
            throw InvalidInput(fmt::format("{} weights for {} rows", given.size(), data_.size()));
        if (!(given.array() >= 0).all() || !given.allFinite())
            throw InvalidInput("weights must be finite, and not negative");
        return given.cwiseMax(least_weight);
    }
    /// Every part has the classes' shares.
    [[nodiscard]] std::vector<std::vector<Index>> dealt_out(std::uint64_t seed) const {
        const std::vector<std::string> &classes = data_.classes();
        for (std::size_t c = 0; c < classes.size(); ++c)
            if (std::ranges::count(data_.labels(), static_cast<std::int32_t>(c)) < 2)
                throw InvalidInput(fmt::format("class '{}' has a single row", classes[c]),
                                   "every class needs 2 rows at least, to judge each other");
        return stratified_parts(data_.labels(), classes.size(),
                                static_cast<int>((data_.size() + most_rows - 1) / most_rows), seed);
    }
    [[nodiscard]] bool tell(const Observer &observer) const {
        return !observer || observer({.stage = Progress::Stage::factor,
                                      .done = static_cast<double>(done_.load()) / expected_,
                                      .iteration = static_cast<int>(done_.load())});
    }
    /// task(k) for all k on all threads; each is one step of the progress.
    template <class Task> void work(std::size_t count, const Task &task) {
        in_parallel(static_cast<Index>(count), threads_, watch_, [&](Index k) {
            if (watch_.stopped()) return;
            task(static_cast<std::size_t>(k));
            ++done_;
        });
        watch_.rethrow();
        if (!watch_.was_stopped()) return;
        if (!watch_.out_of_time()) throw Interrupted("interrupted while judging the rows");
        throw Error(fmt::format("the time limit of {:g} s is over while judging the rows",
                                watch_.time_limit()),
                    "allow more time, or use fewer rows");
    }
    /// 1 where a row has the label, else 0.
    [[nodiscard]] Matrix targets(const std::vector<Index> &rows) const {
        Matrix result = Matrix::Zero(std::ssize(rows), static_cast<Index>(data_.classes().size()));
        for (std::size_t k = 0; k < rows.size(); ++k)
            result(static_cast<Index>(k), label(rows[k])) = 1;
        return result;
    }
    [[nodiscard]] Index label(Index row) const {
        return data_.labels()[static_cast<std::size_t>(row)];
    }
    /// The members with the least error on the first part, row by row left out.
    void choose(std::vector<SuspectMember> &members) {
        const std::vector<Index> &rows = parts_.front(), places = all_rows(std::ssize(rows));
        const Samples samples = chosen_rows(samples_, rows);
        const Matrix wanted = targets(rows);
        const Vector weight = weight_(rows);
        std::map<double, std::unique_ptr<Gram>> grams;
        for (const double factor : gammas) {
            const double gamma = unit_ * factor;
            grams[gamma] = make_gram(samples, RbfKernel{gamma}, memory_);
            for (const double ridge : ridges) members.push_back({gamma, ridge});
        }
        work(members.size(), [&](std::size_t k) {
            const KernelRidge fit = kernel_ridge(*grams.at(members[k].gamma), places, wanted,
                                                 members[k].ridge * weight.cwiseInverse());
            members[k].error =
                weight.dot((fit.left_out - wanted).rowwise().squaredNorm()) / weight.sum();
        });
        std::ranges::stable_sort(members, {}, &SuspectMember::error);
        members.resize(used_members);
        for (const SuspectMember &member : members)
            if (!grams_.contains(member.gamma))
                grams_[member.gamma] = make_gram(samples_, RbfKernel{member.gamma}, memory_);
    }

    /// What the members say of every row (rows) and class (columns): the mean over the fits of its
    /// own part, which leave it out, and those of the parts that follow.
    [[nodiscard]] Matrix values(const std::vector<SuspectMember> &members, const Vector &weight) {
        std::vector<KernelRidge> fits(parts_.size() * members.size());
        work(fits.size(), [&](std::size_t k) {
            const SuspectMember &member = members[k % members.size()];
            const std::vector<Index> &rows = parts_[k / members.size()];
            fits[k] = kernel_ridge(*grams_.at(member.gamma), rows, targets(rows),
                                   member.ridge * weight(rows).cwiseInverse());
        });
        const auto parts = std::ssize(parts_);
        const Index count = std::min(parts, judges);
        Matrix result(data_.size(), static_cast<Index>(data_.classes().size()));
        const auto sum_up = [&](std::size_t part) {
            const std::vector<Index> &rows = parts_[part];
            Matrix sum = Matrix::Zero(std::ssize(rows), result.cols());
            for (std::size_t m = 0; m < members.size(); ++m)
                for (Index j = 0; j < count; ++j) {
                    const std::size_t judge = (part + static_cast<std::size_t>(j)) % parts_.size();
                    const KernelRidge &ridge = fits[judge * members.size() + m];
                    sum += j == 0 ? ridge.left_out
                                  : ridge_values(*grams_.at(members[m].gamma), rows, parts_[judge],
                                                 ridge.coefficients);
                }
            result(rows, Eigen::all) = sum / static_cast<double>(count * std::ssize(members));
        };
        work(parts_.size(), sum_up);
        return result;
    }

    [[nodiscard]] double quality(const Matrix &values, Index row) const {
        const Index given = label(row);
        return quality_of(values(row, given), values(row, strongest_other(values, row, given)));
    }
    void judge(const Matrix &values, Suspects &found) const {
        found.quality.resize(data_.size());
        for (Index i = 0; i < data_.size(); ++i) {
            const Index given = label(i), other = strongest_other(values, i, given);
            found.quality(i) = quality_of(values(i, given), values(i, other));
            found.predicted.push_back(values(i, given) < values(i, other) ? other : given);
            found.is_issue.push_back(found.quality(i) < issue_below ? 1 : 0);
        }
    }

    const LabelledData &data_;
    int threads_;
    MemoryBudget memory_;
    Watch watch_;
    Vector weight_;
    std::vector<std::vector<Index>> parts_;
    Samples samples_;
    double unit_ = 1;                               ///< of gamma
    std::map<double, std::unique_ptr<Gram>> grams_; ///< by gamma
    std::atomic<long> done_ = 0;
    double expected_ = 1;
};

} // namespace

std::vector<Index> Suspects::ranking() const {
    std::vector<Index> order = all_rows(quality.size());
    std::ranges::stable_sort(order, {}, [&](Index i) { return quality(i); });
    return order;
}

Index Suspects::issues() const { return std::ranges::count(is_issue, 1); }

Suspects find_suspects(const LabelledData &data, const SuspectSettings &settings,
                       const Observer &observer) {
    return Judgement(data, settings, observer).run();
}

} // namespace hinge0
