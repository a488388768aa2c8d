#include "operation/plain_output.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

std::string plain(const std::string& output, std::size_t piece = SIZE_MAX) {
  PlainOutput text(0);
  const auto bytes = std::as_bytes(std::span(output));
  for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size() - at))
    text.feed(bytes.subspan(at, std::min(piece, bytes.size() - at)));
  text.end();
  return text.take();
}

TEST(PlainOutputTest, LinesAndColours) {
  EXPECT_EQ(plain(""), "");
  EXPECT_EQ(plain("a\r\n\r\nb"), "a\n\nb");
  EXPECT_EQ(plain("\x1b[31mr\u00f6d\x1b[m\r\n\x1b]0;t\x07x\ty\r\n"), "r\u00f6d\nx\ty\n");
}

TEST(PlainOutputTest, WhatIsPrintedOverIsAsInTheEnd) {
  EXPECT_EQ(plain("10%\r 20%\r100%\r\n"), "100%\n");
  EXPECT_EQ(plain("abc\b\bX\r\n"), "aXc\n");
  EXPECT_EQ(plain("long text\rshort\x1b[K\r\n"), "short\n");
  EXPECT_EQ(plain("a\x1b[3Cb\x1b[2Dc\r\n"), "a  cb\n");
}

TEST(PlainOutputTest, TheSameInPieces) {
  const std::string output = "a\r\n\x1b[1mb\u20ac\x1b[m\r\n\x1b]133;D;0;k=1\x07tail";
  for (std::size_t piece = 1; piece < output.size(); ++piece)
    EXPECT_EQ(plain(output, piece), "a\nb\u20ac\ntail");
}

// Whoever goes on where it says gets every line once.
TEST(PlainOutputTest, GoesOnAnywhere) {
  const std::string output =
      "one\r\ntwo\x1b[2;3Hthree \u20ac\x1b[5Hfour\r\n" + std::string(40'000, 'y') + "\r\nend";
  const auto bytes = std::as_bytes(std::span(output));
  const std::string whole = plain(output);
  for (std::size_t cut = 1; cut < output.size(); cut += cut < 60 ? 1 : 997) {
    PlainOutput first(0);
    first.feed(bytes.first(cut));
    const std::string begun = first.take();
    PlainOutput second(first.line_begin());
    second.feed(bytes.subspan(first.line_begin()));
    second.end();
    EXPECT_EQ(begun + second.take(), whole) << cut;
  }
}

TEST(PlainOutputTest, TellsWhereToGoOn) {
  const std::string output = "one\r\ntwo\r\nthr";
  PlainOutput text(100);
  text.feed(std::as_bytes(std::span(output)));
  EXPECT_EQ(text.take(), "one\ntwo\n");
  EXPECT_EQ(text.line_begin(), 110U);
  EXPECT_EQ(text.position(), 113U);
}

TEST(PlainOutputTest, ALineIsBounded) {
  const std::string line(PlainOutput::kLongestLine + 10, 'x');
  EXPECT_EQ(plain(line), line);
  PlainOutput text(0);
  text.feed(std::as_bytes(std::span(line)));
  EXPECT_EQ(text.line_begin(), PlainOutput::kLongestLine);
  EXPECT_LT(plain("\x1b[999999999C\x1b[999999999Cx\r\n").size(), 1100U);
}

}  // namespace
}  // namespace operation
