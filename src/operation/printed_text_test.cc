#include "operation/printed_text.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// All lines of an output that is fed in pieces of that size, with the unfinished one last.
std::vector<std::string> lines_of(std::string_view output, std::size_t piece) {
  std::vector<std::string> lines;
  PrintedText text(0, [&](const PrintedText& each) {
    lines.emplace_back(each.line());
    return false;
  });
  for (; !output.empty(); output.remove_prefix(std::min(piece, output.size())))
    (void)text.feed(bytes(output.substr(0, piece)));
  if (!text.line().empty()) lines.emplace_back(text.line());
  return lines;
}

using Lines = std::vector<std::string>;

void expect_lines(std::string_view output, const Lines& lines) {
  for (std::size_t piece = 1; piece <= output.size(); ++piece)
    EXPECT_EQ(lines_of(output, piece), lines) << output << " in pieces of " << piece;
}

TEST(PrintedTextTest, LinesEndWhereTheCursorGoesElsewhere) {
  expect_lines("one\r\ntwo\nthree", {"one", "two", "three"});
  expect_lines("10%\r20%\r\n", {"10%", "20%"});
  expect_lines("top\x1b[5;1Hmiddle\x1b[Aabove", {"top", "middle", "above"});
}

TEST(PrintedTextTest, SequencesAreNotText) {
  expect_lines("\x1b[1;31mred\x1b[0m text", {"red text"});
  expect_lines("\x1b]0;a title\x07shown\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", {"shownlink"});
  expect_lines("a\x1b[K\x1b[?25lb", {"ab"});
}

TEST(PrintedTextTest, BlanksThatAreSkippedAreBlanks) {
  expect_lines("a\x1b[3Cb\tc", {"a   b\tc"});
}

TEST(PrintedTextTest, WhatIsTakenBackWasNotPrinted) {
  expect_lines("lx\b", {"l"});
  expect_lines("lé\bs", {"ls"});
}

TEST(PrintedTextTest, CharactersMayBeSplit) {
  expect_lines("grüße 漢字 🎉\n", {"grüße 漢字 🎉"});
}

TEST(PrintedTextTest, EveryCharacterHasTheOffsetAfterIt) {
  const std::string output = "\x1b[31mab\x1b[0mcé d";
  PrintedText text(100, [](const PrintedText&) { return false; });
  for (const char c : output) (void)text.feed(bytes(std::string_view(&c, 1)));
  ASSERT_EQ(text.line(), "abcé d");
  PrintedText whole(100, [](const PrintedText&) { return false; });
  (void)whole.feed(bytes(output));
  const std::vector<std::uint64_t> after{106, 107, 112, 114, 114, 115, 116};
  for (std::size_t length = 1; length <= text.line().size(); ++length) {
    EXPECT_EQ(text.offset_after(length), after[length - 1]) << length;
    EXPECT_EQ(whole.offset_after(length), after[length - 1]) << length;
  }
}

TEST(PrintedTextTest, ALineBeginsWithItsFirstCharacter) {
  PrintedText text(10, [](const PrintedText&) { return false; });
  EXPECT_EQ(text.line_begin(), 10U);
  (void)text.feed(bytes("one\n\x1b[31m"));
  EXPECT_EQ(text.line_begin(), 19U);
  (void)text.feed(bytes("two"));
  EXPECT_EQ(text.line_begin(), 19U);
  (void)text.feed(bytes("\n"));
  EXPECT_EQ(text.line_begin(), text.position());
  // Before another first character, sequences that show nothing may count as part of the line.
  (void)text.feed(bytes("\x1b[0mé"));
  EXPECT_EQ(text.line_begin(), 22U);
}

// Found by the fuzzer: it once had the offset of something long before it.
TEST(PrintedTextTest, ABrokenCharacterIsAfterWhatWasPrintedBefore) {
  PrintedText text(1000, [](const PrintedText&) { return false; });
  (void)text.feed(bytes("ab\xdb"));
  (void)text.feed(bytes("h"));
  ASSERT_EQ(text.line(), "ab\xef\xbf\xbdh");
  EXPECT_EQ(text.offset_after(5), 1002U);
  EXPECT_EQ(text.offset_after(6), 1004U);
}

TEST(PrintedTextTest, ItStopsAtTheLineItIsToldTo) {
  std::string found;
  PrintedText text(0, [&](const PrintedText& each) {
    found = each.line();
    return found == "two";
  });
  EXPECT_LT(text.feed(bytes("one\ntwo\nthree\nfour\n")), 9U);
  EXPECT_EQ(text.line(), "two");
  EXPECT_EQ(text.offset_after(3), 7U);
}

TEST(PrintedTextTest, ALongLineIsSeenInPiecesThatOverlap) {
  std::string output(3 * PrintedText::kLongestLine, 'x');
  output.replace(PrintedText::kLongestLine - 3, 6, "needle");
  bool found = false;
  std::uint64_t at = 0;
  PrintedText text(0, [&](const PrintedText& each) {
    EXPECT_LE(each.line().size(), PrintedText::kLongestLine + 4096);
    const std::size_t place = each.line().find("needle");
    if (place == std::string::npos || found) return false;
    found = true;
    at = each.offset_after(place + 6);
    return false;
  });
  for (std::size_t i = 0; i < output.size(); i += 1000)
    (void)text.feed(bytes(std::string_view(output).substr(i, 1000)));
  EXPECT_TRUE(found);
  EXPECT_EQ(at, PrintedText::kLongestLine + 3);
}

}  // namespace
}  // namespace operation
