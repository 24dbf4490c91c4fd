/// The checks that make a table fit for training.
#include "hinge0/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/readers.hpp"
#include "data/text.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

/// What all classes but the positive one are called when there are more than two.
constexpr std::string_view rest = "rest";
/// More are hardly labels, and every two of them would be a problem to solve.
constexpr std::size_t most_classes = 1000;

void check_values(const DenseRows &rows) {
    for (Index i = 0; i < rows.rows(); ++i)
        for (Index j = 0; j < rows.cols(); ++j)
            if (!std::isfinite(rows(i, j)))
                throw InvalidInput(fmt::format("feature {} of row {} is not finite", j + 1, i + 1));
}

void check_values(SparseRows &rows) {
    rows.makeCompressed();
    for (Index i = 0; i < rows.rows(); ++i) {
        Index last = -1;
        for (SparseRows::InnerIterator it(rows, i); it; ++it) {
            if (!std::isfinite(it.value()))
                throw InvalidInput(
                    fmt::format("feature {} of row {} is not finite", it.index() + 1, i + 1));
            if (it.index() <= last || it.index() >= rows.cols())
                throw InvalidInput(
                    fmt::format("the column indices of sparse row {} must rise and be below {}",
                                i + 1, rows.cols()));
            last = it.index();
        }
    }
}

/// Of labels that are numbers; long ones may be the same double.
bool comes_before(const std::string &a, const std::string &b) {
    const double x = whole_number(a).value(), y = whole_number(b).value();
    return x != y ? x < y : a < b;
}

std::string list(const std::vector<std::string> &names) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
    return names.size() > most ? text + ", ..." : text;
}

/// The label that is set against all others.
const std::string &positive_label(const std::vector<std::string> &names,
                                  const std::string &positive) {
    const auto found = std::ranges::find(names, canonical_label(positive));
    if (found == names.end())
        throw InvalidInput(
            fmt::format("the positive label {} is not among {}", in_quotes(positive), list(names)));
    if (names.size() > 2 && *found == rest)
        throw InvalidInput("a class named 'rest' cannot be told from all others; rename it");
    return *found;
}

/// The classes that these labels are of.
std::vector<std::string> classes_of(std::vector<std::string> names, const std::string &positive) {
    if (names.size() < 2)
        throw InvalidInput(fmt::format("training needs two classes, found only {}", list(names)));
    if (positive.empty() && names.size() > most_classes)
        throw InvalidInput(fmt::format("found {} classes ({}), at most {} can be trained; is this "
                                       "the label? --label names another column",
                                       names.size(), list(names), most_classes));
    if (positive.empty()) {
        const bool numbers = std::ranges::all_of(
            names, [](const std::string &name) { return whole_number(name).has_value(); });
        std::ranges::sort(names, [&](const std::string &a, const std::string &b) {
            return numbers ? comes_before(a, b) : a < b;
        });
        return names;
    }
    const std::string plus = positive_label(names, positive);
    if (names.size() > 2) return {std::string(rest), plus};
    return {names[plus == names[0] ? 1 : 0], plus};
}

Table labelled_table(Samples samples, const std::vector<std::string> &labels) {
    Table table{std::move(samples), {}, {}};
    ReadBudget budget(0, "taking the labels");
    LabelNames names(budget);
    for (const std::string &label : labels) {
        const std::int32_t number = names.number(label);
        if (number < 0 || label.empty())
            throw InvalidInput(fmt::format("label {} of row {} is {}", in_quotes(label),
                                           table.labels.size() + 1,
                                           label.empty() ? "empty" : "not finite"));
        table.labels.push_back(number);
    }
    table.label_names = names.take_names();
    return table;
}

void check_labels(const Table &table) {
    const Index rows = row_count(table.samples);
    if (rows == 0) throw InvalidInput("the data has no rows");
    if (feature_count(table.samples) == 0) throw InvalidInput("the data has no features");
    if (!table.labelled()) throw InvalidInput("the data has no labels");
    if (static_cast<Index>(table.labels.size()) != rows)
        throw InvalidInput(fmt::format("{} labels for {} rows", table.labels.size(), rows));
    for (const std::int32_t label : table.labels)
        if (label < 0 || static_cast<std::size_t>(label) >= table.label_names.size())
            throw InvalidInput(
                fmt::format("label number {}, but {} names", label, table.label_names.size()));
}

/// The labels that rows have: a part of a table may have fewer than its label_names.
std::vector<std::string> used_names(const Table &table) {
    std::vector<bool> used(table.label_names.size());
    for (const std::int32_t label : table.labels) used[static_cast<std::size_t>(label)] = true;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) names.push_back(table.label_names[i]);
    return names;
}

/// Eigen 3.4 copies sparse matrices where it is asked to move them.
void move_samples(Samples &from, Samples &to) {
    if (auto *const sparse = std::get_if<SparseRows>(&from))
        to.emplace<SparseRows>().swap(*sparse);
    else
        to = std::move(from);
}

} // namespace

LabelledData::LabelledData(Table table, const std::string &positive) {
    check_labels(table);
    std::visit([](auto &rows) { check_values(rows); }, table.samples);
    const std::vector<std::string> names = used_names(table);
    for (const std::string &name : names)
        if (std::ranges::any_of(name, is_control)) // the readers refuse it, and model files do
            throw InvalidInput(fmt::format("control byte in label {}", in_quotes(name)));
    classes_ = classes_of(names, positive);
    std::vector<std::int32_t> number; // of each name; what is not a class is the rest
    for (const std::string &name : table.label_names) {
        const auto found = std::ranges::find(classes_, name);
        number.push_back(
            found == classes_.end() ? 0 : static_cast<std::int32_t>(found - classes_.begin()));
    }
    labels_ = std::move(table.labels);
    for (std::int32_t &label : labels_) label = number[static_cast<std::size_t>(label)];
    move_samples(table.samples, samples_);
}

LabelledData::LabelledData(Samples samples, const std::vector<std::string> &labels,
                           const std::string &positive)
    : LabelledData(labelled_table(std::move(samples), labels), positive) {}

LabelledData LabelledData::with_samples(Samples samples) const {
    if (row_count(samples) != size()) throw InvalidInput("other samples must have as many rows");
    LabelledData other;
    other.samples_ = std::move(samples);
    other.labels_ = labels_;
    other.classes_ = classes_;
    return other;
}

Vector LabelledData::signs(Index low, Index high) const {
    Vector signs = Vector::Zero(size());
    for (Index i = 0; i < size(); ++i) {
        const Index label = labels_[static_cast<std::size_t>(i)];
        if (label == high)
            signs(i) = 1;
        else if (low < 0 || label == low)
            signs(i) = -1;
    }
    return signs;
}

Dataset::Dataset(Table table, const std::string &positive)
    : Dataset(LabelledData(std::move(table), positive)) {}

Dataset::Dataset(Samples samples, const std::vector<std::string> &labels,
                 const std::string &positive)
    : Dataset(LabelledData(std::move(samples), labels, positive)) {}

Dataset::Dataset(LabelledData data) {
    const std::vector<std::string> &names = data.classes();
    if (names.size() > 2)
        throw InvalidInput(fmt::format(
            "found {} classes ({}); name one with --positive to train it against the rest",
            names.size(), list(names)));
    classes_ = {names[0], names[1]};
    signs_ = data.signs(0, 1);
    Samples &&samples = std::move(data).samples();
    move_samples(samples, samples_);
}

Dataset Dataset::with_samples(Samples samples) const {
    if (row_count(samples) != size()) throw InvalidInput("other samples must have as many rows");
    Dataset other;
    other.samples_ = std::move(samples);
    other.signs_ = signs_;
    other.classes_ = classes_;
    return other;
}

} // namespace hinge0
