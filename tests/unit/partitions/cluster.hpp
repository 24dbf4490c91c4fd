#pragma once
/// Partitions that answer here.
#include "core/all_rows.hpp"
#include "data/condense.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/partitions.hpp"

namespace hinge0::test {

inline const RbfKernel kernel{2.0};

/// Rows cut into partitions, which answer here.
struct Cluster {
    Dataset data;
    std::vector<Partition> parts;
    std::vector<std::string> kept;
    int asked = 0;

    explicit Cluster(Index rows, std::vector<Index> sizes, bool sparse = false,
                     const Vector &weight = {})
        : data(make_moons({.samples = rows, .noise = 0.2, .flip = 0.1, .seed = 4})) {
        Index first = 0;
        for (const Index size : sizes) {
            std::vector<Index> own = all_rows(size);
            for (Index &row : own) row += first;
            Partition part{.samples = chosen_rows(data.samples(), own), .first = first};
            if (!sparse) part.samples = dense(part.samples);
            for (const Index row : own) part.labels.push_back(data.signs()(row) > 0 ? 1 : 0);
            if (weight.size() > 0) part.weight = weight(own);
            parts.push_back(std::move(part));
            first += size;
        }
        kept.resize(parts.size());
    }
    static Samples dense(const Samples &samples) {
        return std::visit([](const auto &rows) { return Samples(DenseRows(rows)); }, samples);
    }
    [[nodiscard]] Partitions known() {
        Partitions all{.features = 2, .first = {0}};
        for (const Partition &part : parts) {
            std::vector<Index> rows(2, 0);
            std::vector<double> weight(2, 0);
            for (std::size_t i = 0; i < part.labels.size(); ++i) {
                const double w = part.weight.size() > 0 ? part.weight(static_cast<Index>(i)) : 1.0;
                const auto label = static_cast<std::size_t>(part.labels[i]);
                rows[label] += w > 0 ? 1 : 0;
                weight[label] += w;
            }
            all.first.push_back(all.first.back() + row_count(part.samples));
            all.rows.push_back(rows);
            all.weight.push_back(weight);
        }
        all.ask = [this](const Question &question) {
            std::vector<std::string> answers;
            ++asked;
            for (std::size_t k = 0; k < question.own.size(); ++k) {
                const auto p = static_cast<std::size_t>(question.partitions[k]);
                Answer one = answer(parts[p], question.common, question.own[k],
                                    question.needs_kept() ? kept[p] : std::string{});
                if (question.keeps()) kept[p] = std::move(one.kept);
                answers.push_back(std::move(one.said));
            }
            return answers;
        };
        return all;
    }
    [[nodiscard]] Fit fit(const Settings &settings = {.working_set = 500}) {
        return train(known(), {0, 1}, kernel, 2.0, {1.0, 1.0}, settings);
    }
};

} // namespace hinge0::test
