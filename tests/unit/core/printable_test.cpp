/// What may reach a terminal, and that every error keeps to it.
#include "core/printable.hpp"

#include <gtest/gtest.h>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

using namespace std::string_view_literals;

TEST(Printable, LeavesWordsAlone) {
    for (const char *const text :
         {"", "a b", "'100 %'", "\\x1b", "Gr\u00fcn", "\u65e5\u672c", "\U0001f600"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
    EXPECT_EQ(printable("a\nb\r\t\x7f"), "a\\x0ab\\x0d\\x09\\x7f");
    EXPECT_EQ(printable("\x1b[31m\0"sv), "\\x1b[31m\\x00");
    EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m") << "ESC [ in one character";
    EXPECT_EQ(printable("\u00a0"), "\u00a0");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\x9b"), "\\x9b");
    EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a") << "a line end, written too long";
    EXPECT_EQ(printable("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");
    EXPECT_EQ(printable("\xf0\x80\x80\x8a"), "\\xf0\\x80\\x80\\x8a");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("\xe6\x97"), "\\xe6\\x97") << "cut off";
    EXPECT_EQ(printable("\xf0\x9f\x98"), "\\xf0\\x9f\\x98");
    EXPECT_EQ(printable("\xc3\n"), "\\xc3\\x0a");
}

TEST(Printable, EveryErrorIsOneLine) {
    EXPECT_STREQ(FileError("cannot open", "a\nb\x1b[2J").what(), "cannot open: a\\x0ab\\x1b[2J");
    EXPECT_STREQ(InvalidInput("label 'a\nb'").what(), "label 'a\\x0ab'");
}

} // namespace
} // namespace hinge0
