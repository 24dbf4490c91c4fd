/// Fits of rows in partitions: held against verification over all rows, and against each other.
#include "hinge0/partitions.hpp"

#include <gtest/gtest.h>

#include "cluster.hpp"
#include "hinge0/error.hpp"
#include "hinge0/verify.hpp"

namespace hinge0 {
namespace {

using test::Cluster;
using test::kernel;

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

} // namespace
} // namespace hinge0
