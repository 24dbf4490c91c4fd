/// Numbers as text: the fast road must give the same doubles as the standard library.
#include "data/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace hinge0;

void expect_as_from_chars(const std::string &text) {
    double expected = 0;
    const char *const end = text.data() + text.size();
    ASSERT_EQ(std::from_chars(text.data(), end, expected).ptr, end) << text;
    const std::optional<double> value = whole_number(text);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*value), std::bit_cast<std::uint64_t>(expected)) << text;
}

TEST(ScanNumber, EqualsFromCharsOnRandomDecimals) {
    std::mt19937_64 random(1);
    for (int k = 0; k < 200'000; ++k) {
        const std::uint64_t mantissa = random() >> (random() % 64);
        const int exponent = static_cast<int>(random() % 60) - 30;
        const std::string integer = fmt::format("{}", mantissa);
        const std::size_t point = random() % (integer.size() + 1);
        const std::string digits =
            fmt::format("{}.{}", integer.substr(0, point), integer.substr(point));
        expect_as_from_chars(
            fmt::format("{}{}e{}", random() % 2 == 0 ? "-" : "", digits, exponent));
        expect_as_from_chars(digits);
    }
}

TEST(ScanNumber, EqualsFromCharsOnRandomDoubles) {
    std::mt19937_64 random(2);
    for (int k = 0; k < 100'000; ++k) {
        const auto value = std::bit_cast<double>(random());
        if (!std::isfinite(value)) continue;
        expect_as_from_chars(fmt::format("{}", value));
        expect_as_from_chars(fmt::format("{:.3g}", value));
        expect_as_from_chars(fmt::format("{:.20e}", value));
    }
}

TEST(ScanNumber, EqualsFromCharsWhereTheFastRoadEnds) {
    for (const char *text : {"9007199254740992",
                             "9007199254740993",
                             "9007199254740991e22",
                             "9007199254740992e-22",
                             "9007199254740992e23",
                             "1e22",
                             "1e23",
                             "1e-22",
                             "1e-23",
                             "0.0000000000000000001",
                             "0.00000000000000000001",
                             "9999999999999999999",
                             "18446744073709551615",
                             "18446744073709551616",
                             "5e-324",
                             "2.2250738585072014e-308",
                             "2.2250738585072011e-308",
                             "1.7976931348623157e308",
                             "0",
                             "-0",
                             "0.0",
                             "-0.0e5",
                             "0e99999999999999999999",
                             "123456789012345678901234567890",
                             "1.",
                             ".5",
                             "-.5",
                             "1.e3",
                             "00000000000000000000001.5"})
        expect_as_from_chars(text);
}

TEST(ScanNumber, TakesALeadingPlus) {
    EXPECT_EQ(whole_number("+1.5"), 1.5);
    EXPECT_EQ(whole_number("+1.23456789012345678901234"), 1.23456789012345678901234);
}

TEST(ScanNumber, TooLargeIsInfiniteTooSmallIsZero) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::string zeros(400, '0');
    EXPECT_EQ(whole_number("1e999"), infinity);
    EXPECT_EQ(whole_number("-1e309"), -infinity);
    EXPECT_EQ(whole_number("1e99999999999999999999999"), infinity);
    EXPECT_EQ(whole_number("+1e+99999999999999999999999"), infinity);
    EXPECT_EQ(whole_number(std::string(400, '9')), infinity);
    EXPECT_EQ(whole_number(fmt::format("0.{}1e800", zeros)), infinity);
    EXPECT_EQ(whole_number("1e-999"), 0.0);
    EXPECT_EQ(whole_number("1e-99999999999999999999999"), 0.0);
    EXPECT_EQ(whole_number(fmt::format(".{}1", zeros)), 0.0);
    EXPECT_EQ(whole_number(fmt::format("1{}e-800", zeros)), 0.0);
    EXPECT_EQ(whole_number(fmt::format("1{}e-400", zeros)), 1.0);
}

TEST(ScanNumber, StopsWhereTheNumberStops) {
    for (const std::string text : {"1.5abc", "1.5e", "1.5e+", "1.5.2", "1.5,3", "1.5e-x", "1.5 "}) {
        double value = 0;
        const char *const stop = scan_number(text.data(), text.data() + text.size(), value);
        EXPECT_EQ(stop, text.data() + 3) << text;
        EXPECT_EQ(value, 1.5) << text;
    }
    for (const char *text :
         {"", "+", "-", ".", "-.", "e5", ".e5", "abc", "nan", "inf", "+-1", "0x"})
        EXPECT_FALSE(whole_number(text).has_value()) << text;
}

TEST(CanonicalLabel, WritesNumbersInOneWay) {
    for (const char *text : {"1", "+1", "1.0", "1e0", "01", "0.1e1"})
        EXPECT_EQ(canonical_label(text), "1") << text;
    for (const char *text : {"0", "-0", "+0", "0.0", "-0.0", "000"})
        EXPECT_EQ(canonical_label(text), "0") << text;
    EXPECT_EQ(canonical_label("-1.50"), "-1.5");
    EXPECT_EQ(canonical_label("-007"), "-7");
    EXPECT_EQ(canonical_label("1e3"), "1000");
}

TEST(CanonicalLabel, KeepsLongIntegersApart) {
    EXPECT_EQ(canonical_label("9007199254740993"), "9007199254740993");
    EXPECT_EQ(canonical_label("+12345678901234567890"), "12345678901234567890");
}

TEST(CanonicalLabel, KeepsWordsAndRefusesWhatIsNotFinite) {
    for (const char *text : {"yes", "1a", "-", "+", "1-2", "infra", "a b", "nano"})
        EXPECT_EQ(canonical_label(text), text);
    for (const char *text : {"nan", "NaN", "-nan", "inf", "+Inf", "INFINITY", "1e999", "-1e999"})
        EXPECT_EQ(canonical_label(text), std::nullopt) << text;
}

TEST(InQuotes, EscapesAndCuts) {
    EXPECT_EQ(in_quotes("ab c"), "'ab c'");
    EXPECT_EQ(in_quotes(std::string_view("a\0b\x7f\xc3", 5)), "'a\\x00b\\x7f\\xc3'");
    EXPECT_EQ(in_quotes(std::string(40, 'x')), fmt::format("'{}'", std::string(40, 'x')));
    EXPECT_EQ(in_quotes(std::string(41, 'x')), fmt::format("'{}...'", std::string(40, 'x')));
}

} // namespace
