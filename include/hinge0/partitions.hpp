#pragma once
/// Rows that live elsewhere, in partitions: a fit sends them questions and reads their answers. How
/// these travel is the caller's matter; a partition remembers nothing, so that a lost answer can be
/// had again from anybody who has the rows.
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hinge0/model.hpp"
#include "hinge0/solver.hpp"
#include "hinge0/train.hpp"

namespace hinge0 {

/// One partition, where it lives.
struct Partition {
    Samples samples{};
    std::vector<std::int32_t> labels{}; ///< of each row, the number of its class
    Vector weight{};                    ///< of each row, from 0; empty: all 1
    Index first = 0;                    ///< the number of its first row among all
};

/// What partitions are asked. Both parts are bytes that only answer() understands.
struct Question {
    std::string_view name;           ///< "sample", "rows", "keep", "score" or "certify"
    std::string common{};            ///< the same for all
    std::vector<Index> partitions{}; ///< who is asked
    std::vector<std::string> own{};  ///< for each of these alone
    /// Whether the answer needs what the partition last kept.
    [[nodiscard]] bool needs_kept() const { return name == "score"; }
    [[nodiscard]] bool keeps() const { return name == "keep"; }
};

struct Answer {
    std::string said;
    std::string kept{}; ///< to "keep": which rows are, for later questions
};
/// `kept`: of the last answer to "keep"; empty where the question does not need it. Throws
/// InvalidInput on bytes that are no question of this version.
[[nodiscard]] Answer answer(const Partition &partition, std::string_view common,
                            std::string_view own, std::string_view kept, int threads = 1);

/// Brings what the partitions of a question said, in their order.
using Ask = std::function<std::vector<std::string>(const Question &)>;

/// Of the bytes of a question and its answers those of support vectors, candidates and rows, as
/// they are in memory; all else that travels is what it costs to ask. A number has 8 bytes: a
/// support vector is its features and coefficient, a row its features and price, a candidate its
/// number and margin. `common`: of the question.
[[nodiscard]] Index bytes_needed(std::string_view common, const std::vector<std::string> &answers);

/// What a fit must know of partitions before it begins.
struct Partitions {
    Index features = 0;
    std::vector<Index> first{}; ///< the number of each partition's first row, and of all rows
    /// Of each partition, and of each class: rows of a weight above 0, and what they weigh.
    std::vector<std::vector<Index>> rows{};
    std::vector<std::vector<double>> weight{};
    Ask ask{};
};

/// Rows that a sample has at most; they are brought here.
inline constexpr Index most_sampled_rows = 262144;

/// The l0 fit without search of two classes, or of one and the rest (classes[0] = -1); rows are not
/// merged. `class_weight`: of every class. The model's rows are numbers among all rows; those of
/// weight 0 are none. Same bits for the same partitions, wherever they are.
[[nodiscard]] Fit train(const Partitions &partitions, std::array<Index, 2> classes,
                        const Kernel &kernel, double C, const std::vector<double> &class_weight,
                        const Settings &settings, const Observer &observer = {});

} // namespace hinge0
