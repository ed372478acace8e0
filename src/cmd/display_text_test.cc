#include "cmd/display_text.h"

#include <gtest/gtest.h>

#include "cmd/table.h"

namespace sightline::cmd {
namespace {

TEST(DisplayText, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("视线"), 4U);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1U);
  EXPECT_EQ(DisplayWidth("🐼"), 2U);
}

TEST(DisplayText, DocumentsCannotControlTheTerminal) {
  EXPECT_EQ(Printable("a\x1b[31mb\r\nc\x07"), "a [31mb  c ");
  EXPECT_EQ(Printable("\u009b31m\u202eevil"), " 31m evil");
  EXPECT_EQ(Printable("\xff"), "\uFFFD");
}

TEST(DisplayText, IsCutToAWidth) {
  EXPECT_EQ(FitToWidth("handbook", 8), "handbook");
  EXPECT_EQ(FitToWidth("handbook", 5), "hand…");
  EXPECT_EQ(FitToWidth("实验室手册", 6), "实验…");
  EXPECT_EQ(FitToWidth("handbook", 0), "");
  for (size_t columns = 1; columns < 12; ++columns) {
    EXPECT_LE(DisplayWidth(FitToWidth("a实b验c室", columns)), columns);
  }
}

TEST(DisplayText, TimesAreReadByPeople) {
  EXPECT_EQ(ClockText(0), "0:00");
  EXPECT_EQ(ClockText(727'900), "12:07");
  EXPECT_EQ(ClockText(3'723'000), "1:02:03");
  EXPECT_EQ(TimeRangeText(727'000, 751'000), "12:07–12:31");
  EXPECT_EQ(TimeRangeText(1000, 1000), "0:01");
}

TEST(Table, AlignsWideAndNarrowText) {
  Table table({{"NAME"}, {"SIZE", Column::Align::kRight}});
  table.AddRow({"视线", "1"});
  table.AddRow({"abc", "10"});
  EXPECT_EQ(table.Render(0), "NAME  SIZE\n视线     1\nabc     10\n");
}

TEST(Table, CutsTheFlexibleColumnOnly) {
  Table table({{"ID"}, {"TITLE", Column::Align::kLeft, true}});
  table.AddRow({"0123456789", "a title that is far too long for this terminal"});
  const std::string text = table.Render(30);
  EXPECT_NE(text.find("0123456789"), std::string::npos);
  EXPECT_NE(text.find("…"), std::string::npos);
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(DisplayWidth(text.substr(begin, end - begin)), 30U);
    begin = end + 1;
  }
}

TEST(Table, KeepsControlCharactersOut) {
  Table table({{"X"}});
  table.AddRow({"a\x1b]0;evil\x07"});
  EXPECT_EQ(table.Render(0).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace sightline::cmd
