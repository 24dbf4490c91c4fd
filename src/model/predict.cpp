/// Decision values and labels, tiles of samples on all threads.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/threads.hpp"
#include "hinge0/classifier.hpp"
#include "hinge0/error.hpp"
#include "model/decisions.hpp"
#include "model/single_rbf.hpp"

namespace hinge0 {
namespace {

/// Signs of tiles, on one thread: in single precision where that tells, else as `Decisions` says.
class Signs {
public:
    Signs(const Decisions &decisions, const SingleRbf &single)
        : decisions_(decisions), single_(single), in_single_(single.is_usable()),
          values_(Decisions::tile, Decisions::tile), h_(Decisions::tile), error_(Decisions::tile) {}

    /// Whether h > 0; false if a value is not finite.
    [[nodiscard]] bool find(Index t, bool *out) {
        const RowSet rows = decisions_.prepare(t);
        const Index first = decisions_.first(t), count = rows.count;
        unsure_.clear();
        if (in_single_) {
            single_.estimate(rows, scratch_, h_.head(count), error_.head(count));
            for (Index i = 0; i < count; ++i) {
                out[i] = h_(i) > 0;
                if (!(std::fabs(h_(i)) > error_(i))) unsure_.push_back(i);
            }
            in_single_ = static_cast<Index>(unsure_.size()) < (count + 3) / 4; // else a waste
        }
        if (in_single_ && unsure_.empty()) return true;
        const bool all = unsure_.empty();
        const RowSet some = all ? RowSet{} : decisions_.space().subset(rows, unsure_);
        const auto h = h_.head(all ? count : some.count);
        decisions_.decide(all ? rows : some, first, values_, h);
        for (Index k = 0; k < h.size(); ++k)
            out[all ? k : unsure_[static_cast<std::size_t>(k)]] = h(k) > 0;
        return h.allFinite();
    }

private:
    const Decisions &decisions_;
    const SingleRbf &single_;
    bool in_single_;
    Matrix values_;
    Vector h_, error_;
    SingleRbf::Scratch scratch_;
    std::vector<Index> unsure_;
};

/// take(first row, values) for every tile, on any thread.
template <class Take> void decide_tiles(const Decisions &decisions, int threads, const Take &take) {
    for_each_tile(decisions.tiles(), thread_count(threads), [&] {
        return [&, values = Matrix(Decisions::tile, Decisions::tile)](Index t) mutable {
            Matrix part(decisions.count(t), decisions.functions());
            decisions.decide(decisions.prepare(t), decisions.first(t), values, part);
            take(decisions.first(t), part);
        };
    });
}

Matrix all_decisions(Expansions of, const Samples &samples, int threads) {
    const Decisions decisions(std::move(of), samples);
    const auto rows = static_cast<double>(row_count(samples));
    require_memory(8 * rows * static_cast<double>(decisions.functions()), 0,
                   fmt::format("{} decision values for each row", decisions.functions()),
                   "predict fewer rows at a time, or labels alone");
    Matrix out(row_count(samples), decisions.functions());
    decide_tiles(decisions, threads, [&](Index first, const Matrix &part) {
        out.middleRows(first, part.rows()) = part;
    });
    for (Index i = 0; i < out.rows(); ++i)
        if (!out.row(i).allFinite())
            throw InvalidInput(fmt::format("the decision value of row {} is not finite", i + 1));
    return out;
}

} // namespace

Vector decision_function(const Model &model, const Samples &samples, int threads) {
    return all_decisions(Expansions(model), samples, threads).col(0);
}

Matrix decision_values(const Classifier &classifier, const Samples &samples, int threads) {
    return all_decisions(Expansions(classifier), samples, threads);
}

std::vector<Index> predict_classes(const Classifier &classifier, const Samples &samples,
                                   int threads) {
    if (classifier.is_binary()) {
        const Sides positive = positive_sides(model_of(classifier, 0), samples, threads);
        return {positive.begin(), positive.end()};
    }
    const Decisions decisions(Expansions(classifier), samples);
    std::vector<Index> found(static_cast<std::size_t>(row_count(samples)));
    std::atomic<bool> finite = true;
    decide_tiles(decisions, threads, [&](Index first, const Matrix &part) {
        if (!part.allFinite()) finite = false;
        std::ranges::copy(classes_of(classifier, part), found.begin() + first);
    });
    if (!finite) (void)decision_values(classifier, samples, threads); // which names the row
    return found;
}

Sides positive_sides(const Model &model, const Samples &samples, int threads) {
    const Decisions decisions(Expansions(model), samples);
    const SingleRbf single(model, decisions.space(), decisions.support());
    Sides out(row_count(samples));
    std::atomic<bool> finite = true;
    for_each_tile(decisions.tiles(), thread_count(threads), [&] {
        return [&, signs = Signs(decisions, single)](Index t) mutable {
            if (!signs.find(t, out.data() + decisions.first(t))) finite = false;
        };
    });
    if (!finite) (void)decision_function(model, samples, threads); // which names the row
    return out;
}

std::vector<std::string> predict(const Model &model, const Samples &samples, int threads) {
    const Sides positive = positive_sides(model, samples, threads);
    std::vector<std::string> labels(static_cast<std::size_t>(positive.size()));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = model.classes[positive(static_cast<Index>(i)) ? 1 : 0];
    return labels;
}

} // namespace hinge0
