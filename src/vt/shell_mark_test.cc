#include "vt/shell_mark.h"

#include <gtest/gtest.h>

#include "vt/screen.h"

namespace vt {
namespace {

using Kind = ShellMark::Kind;

TEST(ShellMarkTest, KindsAndFields) {
  EXPECT_EQ(parse_shell_mark("A"), (ShellMark{.kind = Kind::prompt}));
  EXPECT_EQ(parse_shell_mark("B;aid=12"), (ShellMark{.kind = Kind::command, .key = "12"}));
  EXPECT_EQ(parse_shell_mark("C;cmdline_url=ls%20-l%3Bpwd%0Aid;aid=1;x=2"),
            (ShellMark{.kind = Kind::output, .text = "ls -l;pwd\nid", .key = "1"}));
  EXPECT_EQ(parse_shell_mark("D;130;aid=1"),
            (ShellMark{.kind = Kind::end, .status = 130, .key = "1"}));
  EXPECT_EQ(parse_shell_mark("A;k=s;aid=1"), (ShellMark{.kind = Kind::more, .key = "1"}));
  EXPECT_EQ(parse_shell_mark("D"), (ShellMark{.kind = Kind::end}));
}

TEST(ShellMarkTest, WhatIsWrongIsLeftOut) {
  for (const char* text : {"", "E", "AA", ";A", "a", "L;aid=1"})
    EXPECT_EQ(parse_shell_mark(text), std::nullopt) << text;
  for (const char* text : {"D;", "D;256", "D;-1", "D;1x", "D;err=1"})
    EXPECT_EQ(parse_shell_mark(text), (ShellMark{.kind = Kind::end})) << text;
  EXPECT_EQ(parse_shell_mark("C;cmdline_url=a%1b%07%0d%7f%C2%9Bb%zz%4").value().text, "ab%zz%4");
  EXPECT_EQ(parse_shell_mark("C;cmdline_url=%C3%A4%FF").value().text, "\u00e4\ufffd");
  EXPECT_EQ(parse_shell_mark("A;aid=" + std::string(65, 'k')).value().key, "");
}

TEST(ShellMarkTest, TextIsBounded) {
  const auto mark = parse_shell_mark("C;cmdline_url=" + std::string(4095, 'a') + "%C3%A4");
  EXPECT_EQ(mark.value().text, std::string(4095, 'a'));
}

class Marks final : public StreamSink {
 public:
  void query(ByteSpan /*span*/, const Reply& /*reply*/) override {}
  void edit(Edit /*edit*/, By /*by*/) override {}
  void shell_mark(std::uint64_t end, const ShellMark& mark) override {
    found.push_back({end, mark.kind});
  }
  std::vector<std::pair<std::uint64_t, Kind>> found;
};

TEST(ShellMarkTest, TheSinkIsToldWhereAMarkEnds) {
  const std::string stream =
      "ab\x1b]133;A\x07$ \x1b]133;B\x1b\\ls\r\n\x1b]133;C\x07out\x1b]133;D;0\x07";
  const std::vector<std::pair<std::uint64_t, Kind>> expected{
      {10, Kind::prompt}, {19, Kind::command}, {33, Kind::output}, {46, Kind::end}};
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    Marks marks;
    Screen screen({.cols = 10, .rows = 3}, &marks);
    for (std::size_t at = 0; at < stream.size(); at += piece) screen.feed(stream.substr(at, piece));
    EXPECT_EQ(marks.found, expected) << piece;
  }
}

}  // namespace
}  // namespace vt
