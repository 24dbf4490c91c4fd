/// Fits of rows in partitions: held against verification over all rows, and against each other.
#include "hinge0/partitions.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/all_rows.hpp"
#include "data/condense.hpp"
#include "hinge0/error.hpp"
#include "hinge0/verify.hpp"
#include "partitions/message.hpp"

namespace hinge0 {
namespace {

const RbfKernel kernel{2.0};

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

void expect_equal(const Report &report, const Verification &found) {
    EXPECT_TRUE(report.certificate.local_minimum && found.certificate.local_minimum);
    EXPECT_NEAR(report.objective, found.objective, 1e-9 * found.objective);
    EXPECT_EQ(report.constant_objective, found.constant_objective);
    EXPECT_EQ(report.violators, found.violators);
    EXPECT_DOUBLE_EQ(report.train_accuracy, found.train_accuracy);
    EXPECT_NEAR(report.certificate.gamma, found.certificate.gamma, 1e-6 * found.certificate.gamma);
}

TEST(Partitions, TheCertificateIsThatOfAllRows) {
    for (const bool sparse : {false, true}) {
        Cluster cluster(4000, {1500, 0, 700, 1800}, sparse);
        const Fit fit = cluster.fit();
        Model model = fit.model;
        model.classes = cluster.data.classes();
        EXPECT_GT(fit.report.support_vectors, 5);
        EXPECT_GT(fit.report.train_accuracy, 0.8);
        EXPECT_EQ(fit.report.rows, 4000);
        expect_equal(fit.report, verify(model, cluster.data));
    }
}

TEST(Partitions, RowsOfOneClassInAPartitionAreFine) {
    Cluster cluster(4000, {4000});
    Partition &all = cluster.parts[0];
    const Fit together = cluster.fit();
    Cluster split(4000, {4000});
    split.parts.clear();
    std::vector<Index> own;
    for (Index i = 0; i < 4000; ++i)
        if (all.labels[static_cast<std::size_t>(i)] == 0 || i >= 2000) own.push_back(i);
    // the first half of class 1 has no rows: sizes differ, the certificate holds
    split.parts.push_back({.samples = chosen_rows(all.samples, {own.begin(), own.begin() + 900}),
                           .labels = std::vector<std::int32_t>(900, 0)});
    std::vector<Index> rest;
    for (Index i = 2000; i < 4000; ++i) rest.push_back(i);
    split.parts.push_back({.samples = chosen_rows(all.samples, rest), .first = 900});
    for (const Index i : rest)
        split.parts[1].labels.push_back(all.labels[static_cast<std::size_t>(i)]);
    split.kept.resize(2);
    const Fit fit = split.fit();
    EXPECT_TRUE(together.report.certificate.local_minimum);
    EXPECT_TRUE(fit.report.certificate.local_minimum);
    EXPECT_GT(fit.report.support_vectors, 5);
}

TEST(Partitions, AskingAgainGivesTheSameBits) {
    Cluster cluster(3000, {1000, 2000});
    const Fit one = cluster.fit(), two = cluster.fit({.working_set = 500, .threads = 3});
    EXPECT_EQ(one.model.rows, two.model.rows);
    EXPECT_EQ(one.model.coefficients, two.model.coefficients);
    EXPECT_EQ(one.model.bias, two.model.bias);
    EXPECT_NE(one.model.rows, cluster.fit({.working_set = 500, .seed = 1}).model.rows);
}

TEST(Partitions, RowsOfWeightZeroAreNone) {
    Vector weight = Vector::Ones(3000);
    for (Index i = 0; i < 3000; i += 3) weight(i) = 0;
    for (Index i = 1; i < 3000; i += 3) weight(i) = 2;
    Cluster cluster(3000, {1000, 2000}, false, weight);
    const Fit fit = cluster.fit();
    Model model = fit.model;
    model.classes = cluster.data.classes();
    EXPECT_EQ(fit.report.rows, 2000);
    for (const Index row : model.rows) EXPECT_NE(row % 3, 0);
    expect_equal(fit.report, verify(model, cluster.data, weight));
}

/// One row of the one class costs more than all of the other.
TEST(Partitions, AClassThatOutweighsAllIsTaken) {
    Cluster cluster(2000, {1000, 1000});
    const Fit fit = train(cluster.known(), {0, 1}, kernel, 2.0, {1.0, 1e5}, {.working_set = 500});
    EXPECT_EQ(fit.report.support_vectors, 0);
    EXPECT_EQ(fit.model.bias, 1.0);
    EXPECT_FALSE(fit.report.notes.empty());
}

TEST(Partitions, ObserversStopAFit) {
    Cluster cluster(4000, {2000, 2000});
    int told = 0;
    const Fit fit = train(cluster.known(), {0, 1}, kernel, 2.0, {1.0, 1.0}, {.working_set = 500},
                          [&](const Progress &) { return ++told < 3; });
    EXPECT_EQ(fit.report.status, Status::interrupted);
    EXPECT_TRUE(fit.report.certificate.local_minimum);
}

TEST(Partitions, WhatDoesNotFitIsRefused) {
    Cluster cluster(2000, {1000, 1000});
    EXPECT_THROW((void)cluster.fit({.search = SearchMode::full}), InvalidInput);
    EXPECT_THROW((void)cluster.fit({.method = Method::admm}), InvalidInput);
    EXPECT_THROW(
        (void)train(cluster.known(), {0, 1}, PrecomputedKernel{}, 2.0, {1.0, 1.0}, Settings{}),
        InvalidInput);
    EXPECT_THROW((void)train(cluster.known(), {0, 2}, kernel, 2.0, {1.0, 1.0, 1.0}, Settings{}),
                 InvalidInput);
    Partitions wrong = cluster.known();
    wrong.first.pop_back();
    EXPECT_THROW((void)train(wrong, {0, 1}, kernel, 2.0, {1.0, 1.0}, Settings{}), InvalidInput);
}

/// Bytes that were cut off, anywhere, or are something else.
TEST(Partitions, BrokenQuestionsAreRefused) {
    Cluster cluster(600, {600});
    Partitions known = cluster.known();
    std::vector<Question> questions;
    const Ask ask = known.ask;
    known.ask = [&](const Question &question) {
        questions.push_back(question);
        return ask(question);
    };
    (void)train(known, {0, 1}, kernel, 2.0, {1.0, 1.0}, {.working_set = 100});
    for (const Question &q : questions) {
        for (std::size_t end = 0; end < q.common.size(); end += 1 + q.common.size() / 40)
            EXPECT_THROW((void)answer(cluster.parts[0], std::string_view(q.common).substr(0, end),
                                      q.own[0], cluster.kept[0]),
                         InvalidInput)
                << q.name << " " << end;
        Partition other = cluster.parts[0];
        other.labels.pop_back();
        EXPECT_THROW((void)answer(other, q.common, q.own[0], cluster.kept[0]), InvalidInput);
    }
    EXPECT_THROW((void)answer(cluster.parts[0], questions.back().common, "", ""), InvalidInput);
}

TEST(Messages, RisingNumbersComeBackAndTakeFewBytes) {
    constexpr Index last = std::numeric_limits<Index>::max();
    for (const std::vector<Index> &rows : {std::vector<Index>{},
                                           {0},
                                           {0, 1, 2, 130, 131, 400},
                                           {127, 255, 16511, 16512 + 16384},
                                           {5, last - 1, last}}) {
        Writer writer;
        writer.put_rising(rows);
        const std::string bytes = writer.take();
        EXPECT_EQ(Reader(bytes).get_rising(), rows);
        for (std::size_t end = 0; end < bytes.size(); ++end)
            EXPECT_THROW((void)Reader(std::string_view(bytes).substr(0, end)).get_rising(),
                         InvalidInput);
    }
    std::vector<Index> every_hundredth;
    for (Index i = 0; i < 1000; ++i) every_hundredth.push_back(100 * i);
    Writer writer;
    writer.put_rising(every_hundredth);
    EXPECT_EQ(writer.take().size(), 8u + 1000u);
}

TEST(Messages, NumbersThatCannotBeAreRefused) {
    Writer endless, beyond;
    endless.put(Index{1});
    for (int k = 0; k < 12; ++k) endless.put(std::uint8_t{255});
    const std::string without_end = endless.take();
    EXPECT_THROW((void)Reader(without_end).get_rising(), InvalidInput);
    beyond.put_rising(std::vector<Index>{std::numeric_limits<Index>::max()});
    std::string too_far = beyond.take();
    too_far[0] = 2; // two numbers, the second above the largest
    too_far += '\0';
    EXPECT_THROW((void)Reader(too_far).get_rising(), InvalidInput);
}

TEST(Messages, SamplesAndKernelsComeBack) {
    DenseRows rows(2, 3);
    rows << 1, 0, 2, 0, 0, 3;
    for (const Samples &samples : {Samples(rows), Samples(SparseRows(rows.sparseView()))}) {
        Writer writer;
        writer.put(samples);
        const std::string bytes = writer.take();
        const Samples back = Reader(bytes).get_samples();
        EXPECT_EQ(back.index(), samples.index());
        EXPECT_EQ(DenseRows(std::get<DenseRows>(Cluster::dense(back))), rows);
    }
    const Samples both = joined({Samples(rows), Samples(SparseRows(rows.sparseView()))}, 3);
    EXPECT_EQ(row_count(both), 4);
    for (const Kernel &one : {Kernel(PolynomialKernel{0.5, 2.0, 4}), Kernel(LaplacianKernel{3}),
                              Kernel(InverseMultiquadricKernel{2.0, 0.25}),
                              Kernel(WendlandKernel{0.5, 3}), Kernel(LinearKernel{})}) {
        Writer writer;
        writer.put(one);
        const std::string bytes = writer.take();
        const Kernel back = Reader(bytes).get_kernel(3);
        EXPECT_EQ(name(back), name(one));
        std::vector<double> given, found;
        for_each_parameter(one, [&](const char *, auto v) { given.push_back(double(v)); });
        for_each_parameter(back, [&](const char *, auto v) { found.push_back(double(v)); });
        EXPECT_EQ(given, found);
    }
}

} // namespace
} // namespace hinge0
