#include "vt/shell_mark.h"

#include <gtest/gtest.h>

#include "vt/row_codec.h"
#include "vt/screen.h"
#include "vt/snapshot.h"

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
  std::optional<std::uint64_t> shell_mark(std::uint64_t end, const ShellMark& mark) override {
    found.push_back({end, mark.kind});
    return 0;
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

// --- the rows that they mark

class Judge final : public StreamSink {
 public:
  void query(ByteSpan /*span*/, const Reply& /*reply*/) override {}
  void edit(Edit /*edit*/, By /*by*/) override {}
  std::optional<std::uint64_t> shell_mark(std::uint64_t end, const ShellMark& mark) override {
    if (mark.key != "ours") return std::nullopt;
    if (mark.kind == Kind::output) start_ = end;
    return mark.kind == Kind::output || mark.kind == Kind::end ? start_ : 0;
  }

 private:
  std::uint64_t start_ = 0;
};

PromptMarks marks_of(const Screen& screen, int y) {
  return screen.state().primary.grid.row(y).marks;
}

TEST(ShellMarkTest, OnlyWhatTheSinkKnowsMarksARow) {
  Judge judge;
  Screen screen({.cols = 10, .rows = 4}, &judge);
  screen.feed("\x1b]133;C;aid=theirs;start=3\x07x\r\n\x1b]133;C;aid=ours;start=3\x07y\r\n");
  screen.feed("\x1b]133;D;2;aid=ours\x07");
  EXPECT_EQ(marks_of(screen, 0), PromptMarks());
  const std::uint64_t start = marks_of(screen, 1).start;
  EXPECT_GT(start, 3U) << "what the stream says does not count";
  EXPECT_EQ(marks_of(screen, 1), (PromptMarks{.bits = PromptMarks::kOutput, .start = start}));
  EXPECT_EQ(marks_of(screen, 2),
            (PromptMarks{
                .bits = PromptMarks::kEnd | PromptMarks::kHasStatus, .status = 2, .start = start}));
}

TEST(ShellMarkTest, ARowHasTheMarksOfOneCommandTheNewest) {
  PromptMarks marks{.bits = PromptMarks::kEnd | PromptMarks::kHasStatus, .status = 2, .start = 5};
  marks.merge({.bits = PromptMarks::kPrompt});
  EXPECT_EQ(marks.start, 5U);
  marks.merge({.bits = PromptMarks::kOutput, .start = 9});
  EXPECT_EQ(marks, (PromptMarks{.bits = PromptMarks::kPrompt | PromptMarks::kOutput, .start = 9}));
}

TEST(ShellMarkTest, SnapshotsAndHistoryKeepThem) {
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 47) + 12345;
  const std::string far = ";start=" + std::to_string(kFar) + "\x07";
  std::vector<std::byte> ring(1 << 16);
  Screen screen({.cols = 10, .rows = 2});
  screen.attach_history(History(ring));
  screen.feed("$ ls\r\n\x1b]133;C" + far + "out\r\n\x1b]133;D;;aid=k" + far + "$ \r\n\r\n\r\nend");
  std::vector<std::byte> other_ring(1 << 16);
  Screen copy({.cols = 10, .rows = 2});
  copy.attach_history(History(other_ring));
  copy.feed(snapshot(screen));
  copy.resize({.cols = 10, .rows = 6});
  EXPECT_EQ(marks_of(copy, 1), (PromptMarks{.bits = PromptMarks::kOutput, .start = kFar}));
  EXPECT_EQ(marks_of(copy, 2), (PromptMarks{.bits = PromptMarks::kEnd, .start = kFar}));
}

// So a daemon from before it shows the row as it is.
TEST(ShellMarkTest, InARowItIsAStyleThatNoCellHas) {
  Row row;
  Tables tables;
  row.set(0, Cell::character(U'a', Width::one, 0), 10);
  row.drop_encoding();
  row.marks = {.bits = PromptMarks::kOutput, .start = 0x123456789abc};
  ByteBuffer out;
  encode_row(row, 10, tables, out);
  EXPECT_EQ(std::string(out.view()), std::string("\x08\x02\x03\xbc\x9a\x78\x03\x56\x34\x12\x03\x03"
                                                 "a"));
  std::string without_mark(out.view());
  without_mark[0] = 0;  // As an older daemon reads it: only the cells count.
  Row read;
  ASSERT_TRUE(decode_row(without_mark, 10, tables, read));
  EXPECT_EQ(read.at(0), row.at(0));
  EXPECT_EQ(read.marks, PromptMarks());
}

}  // namespace
}  // namespace vt
