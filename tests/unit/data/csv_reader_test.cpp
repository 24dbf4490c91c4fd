/// CSV: separators, quotes, headers, label columns, and what is refused.
#include "support.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::test;

const ReadOptions csv{.format = Format::csv};

std::string csv_refusal(std::string_view text, const ReadOptions &options = csv) {
    std::string whole = message_of([&] { static_cast<void>(parse(text, options)); });
    const std::string bytewise = message_of([&] { static_cast<void>(parse(text, options, 1)); });
    EXPECT_EQ(whole, bytewise);
    return whole;
}

ReadOptions labelled_by(const std::string &column) {
    ReadOptions options = csv;
    options.label_column = column;
    return options;
}

TEST(CsvReader, ReadsLabelsFromTheFirstColumn) {
    const Table table = parse("1,0.5,-2\n-1.0,0,1e3\n", csv);
    EXPECT_EQ(labels(table), "1 -1 ");
    DenseRows expected(2, 2);
    expected << 0.5, -2, 0, 1000;
    EXPECT_EQ(std::get<DenseRows>(table.samples), expected);
}

TEST(CsvReader, AcceptsEveryCustomOfWriting) {
    const std::string text = "\xef\xbb\xbf# made by hand\r\n"
                             "\"class\", \"the \"\"big\"\" one\" ,b\r\n"
                             "\r\n"
                             "\"a, b\" ,\"+1\", 2 \r\n"
                             "# more\n"
                             "\"say \"\"hi\"\"\",3,\t4\n"
                             "plain,5,6";
    for (const std::size_t chunk : {1U, 3U, 1000U}) {
        const Table table = parse(text, csv, chunk);
        EXPECT_EQ(table.label_names, (std::vector<std::string>{"a, b", "say \"hi\"", "plain"}));
        DenseRows expected(3, 2);
        expected << 1, 2, 3, 4, 5, 6;
        EXPECT_EQ(dense(table.samples), expected);
    }
}

TEST(CsvReader, FindsTheSeparator) {
    DenseRows expected(1, 2);
    expected << 2, 3;
    for (const char *text : {"1,2,3\n", "1;2;3\n", "1\t2\t3\n", "1; 2 ;3\n", "\"a,b\";2;3\n"})
        EXPECT_EQ(dense(parse(text, csv).samples), expected) << text;
}

TEST(CsvReader, FindsTheHeader) {
    EXPECT_EQ(row_count(parse("1,2\n3,4\n", csv).samples), 2);
    EXPECT_EQ(row_count(parse("y,2\n3,4\n", csv).samples), 2); // only the label is a word
    EXPECT_EQ(row_count(parse("1,x\n3,4\n", csv).samples), 1);
    EXPECT_EQ(row_count(parse("y,2020,x\n1,3,4\n", csv).samples), 1);
}

TEST(CsvReader, AMissingValueInTheFirstRowIsNoHeader) {
    EXPECT_EQ(csv_refusal("1,NA,3\n"), "value 'NA' in column 2 is not a number: f:1");
    EXPECT_EQ(csv_refusal("1,nan,3\n"), "value 'nan' in column 2 is not finite: f:1");
    EXPECT_EQ(csv_refusal("1,,3\n"), "missing value in column 2: f:1");
    EXPECT_EQ(csv_refusal("1,?,3\n"), "value '?' in column 2 is not a number: f:1");
}

TEST(CsvReader, TakesTheLabelColumnByNameOrNumber) {
    const std::string text = "a,b,class\n1,2,yes\n3,4,no\n";
    DenseRows expected(2, 2);
    expected << 1, 2, 3, 4;
    for (const char *column : {"class", "3"}) {
        const Table table = parse(text, labelled_by(column));
        EXPECT_EQ(labels(table), "yes no ") << column;
        EXPECT_EQ(dense(table.samples), expected) << column;
    }
    EXPECT_EQ(labels(parse("1,2,3\n4,5,6\n", labelled_by("2"))), "2 5 ");
}

TEST(CsvReader, RefusesLabelColumnsThatAreNotThere) {
    EXPECT_EQ(csv_refusal("1,2\n3,4\n", labelled_by("class")),
              "no header row to find label column 'class' in: f:1");
    EXPECT_EQ(csv_refusal("a,b\n3,4\n", labelled_by("class")),
              "no column 'class' among 'a', 'b': f:1");
    EXPECT_EQ(csv_refusal("a,b,c,d,e,f\n", labelled_by("class")),
              "no column 'class' among 'a', 'b', 'c', 'd', 'e', ...: f:1");
    EXPECT_EQ(csv_refusal("a,b,a\n", labelled_by("a")), "more than one column 'a': f:1");
    EXPECT_EQ(csv_refusal("1,2\n", labelled_by("3")),
              "no label column 3, there are 2 columns: f:1");
    EXPECT_EQ(csv_refusal("1,2\n", labelled_by("0")),
              "no label column 0, there are 2 columns: f:1");
}

TEST(CsvReader, ReadsFeaturesOnly) {
    ReadOptions options = csv;
    options.labelled = false;
    const Table table = parse("a,b\n1,2\n", options);
    EXPECT_FALSE(table.labelled());
    EXPECT_EQ(feature_count(table.samples), 2);
    EXPECT_EQ(feature_count(parse("1\n2\n", options).samples), 1);
    EXPECT_EQ(csv_refusal("1\n2\n"), "only one column, and that is the label: f:1");
}

TEST(CsvReader, RefusesRowsOfAnotherLength) {
    EXPECT_EQ(csv_refusal("1,2,3\n1,2\n"), "found 2 fields, expected 3: f:2");
    EXPECT_EQ(csv_refusal("1,2,3\n1,2,3,\n"), "found 4 fields, expected 3: f:2");
    EXPECT_EQ(csv_refusal("y,a,b\n1,2,3,4\n"), "found 4 fields, expected 3: f:2");
}

TEST(CsvReader, RefusesValues) {
    EXPECT_EQ(csv_refusal("y,size,age\n1,2,3\n1,2,\n"), "missing value in column 3 ('age'): f:3");
    EXPECT_EQ(csv_refusal("y,size,age\n1,2,old\n"),
              "value 'old' in column 3 ('age') is not a number: f:2");
    EXPECT_EQ(csv_refusal("1,2,3\n1,2,3x\n"), "value '3x' in column 3 is not a number: f:2");
    EXPECT_EQ(csv_refusal("1,2,3\n1,2,-inf\n"), "value '-inf' in column 3 is not finite: f:2");
    EXPECT_EQ(csv_refusal("1,2,3\n1,2,1e999\n"), "value '1e999' in column 3 is not finite: f:2");
    EXPECT_EQ(csv_refusal(std::string_view("1,2\n1,\0002\n", 9)),
              "value '\\x002' in column 2 is not a number: f:2");
}

TEST(CsvReader, RefusesLabels) {
    EXPECT_EQ(csv_refusal("y,a\n,2\n"), "missing label in column 1 ('y'): f:2");
    EXPECT_EQ(csv_refusal("nan,2\n"), "label 'nan' is not finite: f:1");
    EXPECT_EQ(csv_refusal("a\x01,2\n"), "control byte in label 'a\\x01': f:1");
}

TEST(CsvReader, RefusesQuotes) {
    EXPECT_EQ(csv_refusal("1,\"2\n3\"\n"),
              "quote not closed in '\"2' (a quoted field ends on its line): f:1");
    EXPECT_EQ(csv_refusal("1,2\n1,\"2\"x\n"), "text after the closing quote of '2': f:2");
}

TEST(CsvReader, RefusesFilesWithoutRows) {
    for (const char *text : {"", "\n\n", "# nothing\n", "y,a,b\n"})
        EXPECT_EQ(csv_refusal(text), "no data rows: f") << text;
}

TEST(CsvReader, RefusesMemoryBeyondTheLimit) {
    ReadOptions options = csv;
    options.memory_limit = 1e5;
    std::string text = "1,2\n";
    for (int i = 0; i < 100'000; ++i) text += "1,2\n";
    const auto message = [&](const std::string &input) {
        return message_of<OutOfMemory>([&] { static_cast<void>(parse(input, options)); });
    };
    EXPECT_TRUE(message(text).starts_with("reading f needs ")) << message(text);
    EXPECT_TRUE(message(std::string(100'000, ',')).starts_with("reading f needs "));
    EXPECT_TRUE(
        message("\"\"\"" + std::string(200'000, 'x') + "\",1").starts_with("reading f needs "));
}

TEST(Detect, ByNameThenByTheFirstLine) {
    const auto is_csv = [](const std::string &name, const std::string &text) {
        return std::holds_alternative<DenseRows>(parse_table(chunks(text, 3), name, {}).samples);
    };
    EXPECT_TRUE(is_csv("x.csv", "1,2\n"));
    EXPECT_TRUE(is_csv("x.CSV.gz", "1\t2\n"));
    EXPECT_FALSE(is_csv("x.csv-old", "1 1:2\n"));
    EXPECT_FALSE(is_csv("data.csv/x", "1 1:2\n"));
    EXPECT_TRUE(is_csv("x", "# a comment\n\n1,2\n"));
    EXPECT_TRUE(is_csv("x", "1;2\n"));
    EXPECT_TRUE(is_csv("x", "time:utc,b\n1,2\n"));
    EXPECT_FALSE(is_csv("x", "1,2 3:4\n"));
    EXPECT_FALSE(is_csv("x", "1\n"));
    EXPECT_FALSE(is_csv("x", "1:1\n"));
    EXPECT_EQ(message_of([] { static_cast<void>(parse_table(chunks("", 1), "x", {})); }),
              "no data rows: x");
}

} // namespace
