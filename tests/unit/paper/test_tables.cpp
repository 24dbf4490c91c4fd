/// Tables, records and pages: their shape, and that what is counted is counted right.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "document.hpp"
#include "findings.hpp"
#include "records.hpp"

namespace hinge0::paper {
namespace {

/// A study of a row with invented numbers: every method has `vectors` support vectors.
Study invented(const Row &row, Index vectors, double test) {
    Study s{.row = row, .features = 2, .rho = 0.5, .parts = {{2, 0}, {1}}};
    for (const char *m : {method::as_written, method::as_run, method::as_stopped, method::exact,
                          method::exact_tuned, method::hinge, method::hinge_libsvm,
                          method::squared_hinge, method::svc_libsvm}) {
        Outcome o{.method = m, .C = 1, .status = "converged", .train = 90, .test = test};
        o.support_vectors = vectors;
        o.seconds = 0.5;
        o.certificate.emplace().local_minimum = true;
        o.on_margin = OnMargin{.counted = vectors, .tolerance = 1e-6, .farthest = 1e-12};
        s.outcomes.push_back(o);
    }
    if (!row.deterministic())
        s.spreads = {{.method = method::as_run, .over = "starts", .C = 1, .runs = 20}};
    return s;
}

/// All rows, as good as the paper in every one.
Studies as_published() {
    Studies studies;
    for (const Row &row : rows())
        studies.push_back(invented(row, row.published[0].support_vectors, row.published[0].test));
    return studies;
}

TEST(Tables, EveryRowHasTheSameColumnsAsItsHead) {
    const Studies studies = as_published();
    for (const TextTable &table :
         {data_summary(studies), overview(studies), full_table(studies, 1), full_table(studies, 2),
          full_table(studies, 3), spread_table(studies, 3)}) {
        EXPECT_FALSE(table.rows.empty()) << table.title;
        for (const auto &row : table.rows) EXPECT_EQ(row.size(), table.head.size()) << table.title;
    }
    EXPECT_EQ(overview(studies).rows.size(), 19U);
    EXPECT_EQ(full_table(studies, 3).rows.size(), 7U * 12);
    EXPECT_TRUE(spread_table({studies[0]}, 1).rows.empty()); // one outcome from every start
}

TEST(Tables, MarkdownNamesAGroupOnce) {
    const TextTable table{.id = "t",
                          .title = "T",
                          .head = {"row", "|h|"},
                          .rows = {{{"a"}, {"1", Tone::good}}, {{"a"}, {"2"}}, {{"b"}, {"3"}}},
                          .grouped = true};
    EXPECT_EQ(to_markdown(table), "### T\n\n| row | \\|h\\| |\n|---|---|\n| a | **1** |\n|  | 2 |\n"
                                  "| b | 3 |\n\n");
    const std::string html = to_html(table);
    EXPECT_NE(html.find("<th rowspan=\"2\">a</th>"), std::string::npos);
    EXPECT_NE(html.find("<td class=\"good\">1</td>"), std::string::npos);
}

TEST(Tables, HtmlShowsWhatWouldBeMarkup) {
    EXPECT_EQ(escaped("a < b & c > d"), "a &lt; b &amp; c &gt; d");
}

TEST(Records, CsvHasOneLinePerMethodAndItsColumns) {
    const std::string csv = table_csv(as_published(), 3);
    std::istringstream lines(csv);
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) {
        EXPECT_EQ(std::ranges::count(line, ','), 14) << line;
        ++count;
    }
    EXPECT_EQ(count, 1 + 7 * 12);
}

TEST(Records, JsonIsReadableAndHoldsThePaper) {
    const auto json = nlohmann::json::parse(table_json(as_published(), 1));
    EXPECT_EQ(json["rows"].size(), 6U);
    EXPECT_EQ(json["rows"][0]["results"][0]["method"], "paper-l0");
    EXPECT_EQ(json["rows"][0]["results"][0]["support_vectors"], 11);
    const auto splits = nlohmann::json::parse(splits_json(as_published()));
    EXPECT_EQ(splits["heart"]["train"], (std::vector<int>{2, 0}));
}

std::string all_findings(const Studies &studies) {
    std::string text;
    for (const std::string &line : findings(studies)) text += line + '\n';
    return text;
}

TEST(Findings, CountWhatIsReached) {
    Studies studies = as_published();
    const std::string good = all_findings(studies);
    EXPECT_NE(good.find("on 6 of 6 noise-free rows"), std::string::npos) << good;
    EXPECT_NE(good.find("support vectors on 19 of 19 rows, on 19 of them"), std::string::npos);
    EXPECT_NE(good.find("(11 times less)"), std::string::npos) << good; // 39.525 s / (7 * 0.5 s)

    studies[0] = invented(rows()[0], rows()[0].published[0].support_vectors + 1, 100);
    studies[13] = invented(rows()[13], 5, rows()[13].published[0].test - 1.5);
    const std::string worse = all_findings(studies);
    EXPECT_NE(worse.find("on 5 of 6 noise-free rows"), std::string::npos);
    EXPECT_NE(worse.find("support vectors on 18 of 19 rows, on 17 of them"), std::string::npos);
    EXPECT_NE(worse.find("Australian: the exact solver at the paper's C is 1.50 points below"),
              std::string::npos);
}

TEST(Findings, NothingStudiedNothingFound) { EXPECT_TRUE(findings({}).empty()); }

TEST(Document, HtmlNeedsNothingElse) {
    const Document page{.title = "T <1>",
                        .lead = "L",
                        .blocks = {Heading{"h", "H"}, Paragraph{"`code` & words"},
                                   Image{"i.svg", "alt", "caption", "<svg/>"}}};
    const std::string html = to_html(page);
    EXPECT_NE(html.find("<title>T &lt;1&gt;</title>"), std::string::npos);
    EXPECT_NE(html.find("<code>code</code> &amp; words"), std::string::npos);
    EXPECT_NE(html.find("base64,PHN2Zy8+"), std::string::npos);
    EXPECT_EQ(html.find("http"), std::string::npos);
    EXPECT_EQ(to_markdown(page),
              "# T <1>\n\nL\n\n## H\n\n`code` & words\n\n![alt](i.svg)\n\ncaption\n");
}

TEST(Document, Base64PadsAsItShould) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("M"), "TQ==");
    EXPECT_EQ(base64("Ma"), "TWE=");
    EXPECT_EQ(base64("Man"), "TWFu");
    EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

} // namespace
} // namespace hinge0::paper
