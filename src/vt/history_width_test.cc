// The history while the width changes: rows stay as written, however they are shown now.

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "vt/saved_rows.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

std::string everything(const Screen& screen) {
  return text(screen, {.history_rows = kAllHistory});
}

std::string styled(const Screen& screen) {
  return json(screen, {.history_rows = kAllHistory});
}

std::string numbered_line(int number, std::size_t length) {
  std::string line = std::to_string(number) + " ";
  while (line.size() < length) line += static_cast<char>('a' + line.size() % 26);
  return line;
}

// A phone once viewed a terminal for a moment, and a third of the history was gone.
TEST(HistoryWidthTest, LinesSurviveANarrowViewer) {
  TestScreen t(107, 24, 256 * 1024);
  std::string expected;
  for (int i = 1000; i < 3000; ++i) {
    t.feed(numbered_line(i, 107) + "\r\n");
    expected += numbered_line(i, 107) + "\n";
  }
  const std::string before = styled(t.screen());
  ASSERT_EQ(everything(t.screen()), expected);
  t.resize(10, 24);
  EXPECT_EQ(everything(t.screen()), expected);
  t.resize(107, 24);
  EXPECT_EQ(everything(t.screen()), expected);
  EXPECT_EQ(styled(t.screen()), before);
}

TEST(HistoryWidthTest, NoWidthLosesALineThatTheRingHasRoomFor) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    TestScreen t(80, 24, 256 * 1024);
    std::string expected;
    for (int i = 0; i < 400; ++i) {
      const std::string line = numbered_line(i, static_cast<std::size_t>(random.below(300)));
      t.feed("\r\x1b[K" + line + "\r\n$ ");
      expected += line + "\n";
      // Until then the line with the prompt is at the bottom, and nothing below it can go.
      if (i < 40 || !random.one_in(3)) continue;
      t.resize(random.one_in(8) ? random.between(2, 9) : random.between(10, 200),
               random.between(3, 40));
      ASSERT_EQ(everything(t.screen()), expected + "$ \n") << "seed " << seed << " line " << i;
    }
    ASSERT_EQ(t.state().history.position().begin, 0U) << "the ring came round";
  }
}

// Not only text: backgrounds, links, shell marks.
TEST(HistoryWidthTest, BackAtItsWidthALineIsWhatItWas) {
  TestScreen t(40, 5);
  t.feed("\x1b]133;A\x07$ make\r\n\x1b[44mblue\x1b[K\x1b[m\r\n");
  t.feed("\x1b]8;;http://x\x07" + std::string(50, 'l') + "\x1b]8;;\x07\r\n");
  t.feed("日本語 e\u0301 \x1b[1;31m" + std::string(60, 'r') + "\x1b[m\r\n");
  for (int i = 0; i < 10; ++i) t.feed(std::to_string(i) + "\r\n");
  const std::string before = styled(t.screen());
  for (const int cols : {7, 100, 2, 39, 41}) {
    t.resize(cols, 5);
    EXPECT_NE(styled(t.screen()), before);
    t.resize(40, 5);
    EXPECT_EQ(styled(t.screen()), before) << cols;
  }
}

// Two windows of different sizes are used in turn. Rows that come back onto the screen and leave it
// again are not written again.
TEST(HistoryWidthTest, ResizingAllDayLongCostsTheHistoryAlmostNothing) {
  for (const Size other : {Size{.cols = 20, .rows = 40}, Size{.cols = 60, .rows = 10}}) {
    TestScreen t(100, 30, 64 * 1024);
    for (int i = 0; i < 300; ++i) t.feed(numbered_line(i, 95) + "\r\n");
    t.resize(other.cols, other.rows).resize(100, 30);
    const std::string before = styled(t.screen());
    const std::uint64_t end = t.state().history.position().end;
    for (int i = 0; i < 500; ++i) t.resize(other.cols, other.rows).resize(100, 30);
    EXPECT_EQ(styled(t.screen()), before);
    EXPECT_EQ(t.state().history.position().end - end, 1000 * History::kSizeOfPlace);
  }
}

TEST(HistoryWidthTest, TheNewestRowsAreCountedAsTheyAreFolded) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    TestScreen t(20, 3);
    for (int i = 0; i < 60; ++i) {
      t.feed(random_piece(random, t.state().size) + numbered_line(i, i % 50) + "\r\n");
      if (random.one_in(10)) t.resize(random.between(2, 40), random.between(1, 5));
    }
    const State& state = t.state();
    std::vector<std::string> all;
    Tables tables;
    Row row;
    const auto rows_of = [&](int most) {
      std::vector<std::string> rows;
      History::Reader reader(state.history, most);
      while (reader.next(state.size.cols, tables, row))
        append_json_row(rows.emplace_back(), row, state.size.cols, tables);
      return rows;
    };
    all = rows_of(kAllHistory);
    for (const int most : {0, 1, 2, 7, 30, 1000}) {
      const auto count = std::min(all.size(), static_cast<std::size_t>(most));
      ASSERT_EQ(rows_of(most),
                std::vector(all.end() - static_cast<std::ptrdiff_t>(count), all.end()))
          << "seed " << seed << ", " << most;
    }
  }
}

TEST(HistoryWidthTest, SavedRowsHaveTheWidthOfTheScreen) {
  TestScreen t(60, 4);
  for (int i = 0; i < 20; ++i)
    t.feed(numbered_line(i, 10 + 5 * static_cast<std::size_t>(i)) + "\r\n");
  t.resize(25, 4);
  for (int i = 20; i < 30; ++i) t.feed(numbered_line(i, 40) + "\r\n");
  const auto output = rows_as_output(save_rows(t.screen(), 1 << 20), 25);
  ASSERT_TRUE(output);
  TestScreen fresh(25, 4);
  fresh.feed(*output);
  EXPECT_EQ(everything(fresh.screen()), everything(t.screen()));
  for (std::size_t most : {0, 10, 50, 100, 333, 1000})
    EXPECT_LE(save_rows(t.screen(), most).size(), most);
}

// A program may print megabytes without a newline. A resize reads only some of it.
TEST(HistoryWidthTest, ALineLongerThanAResizeLooksAt) {
  TestScreen t(80, 24, 4 << 20);
  std::string line;
  for (int i = 0; line.size() < 1'000'000; ++i) line += std::to_string(i) + ",";
  t.feed("first\r\n" + line + "\r\nlast\r\n");
  const std::string expected = "first\n" + line + "\nlast\n";
  for (const int cols : {79, 200, 13, 80}) {
    t.resize(cols, 24);
    // Where the part that was read starts, a row may not be full.
    std::string actual = everything(t.screen());
    std::erase(actual, ' ');
    ASSERT_EQ(actual, expected) << cols;
  }
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The daemon has one loop for all terminals.
TEST(HistoryWidthMeasuringTest, WhatAResizeCostsDoesNotDependOnTheHistory) {
  const auto seconds = [](std::size_t ring_size) {
    TestScreen t(107, 24, ring_size);
    for (std::size_t fed = 0; fed < ring_size + ring_size / 8; fed += 100)
      t.feed(numbered_line(static_cast<int>(fed % 1000), 60 + fed % 47) + "\r\n");
    const double start = cpu_seconds();
    for (int i = 0; i < 20; ++i) t.resize(10, 24).resize(107, 30).resize(80, 24).resize(107, 24);
    return cpu_seconds() - start;
  };
  const double small = seconds(256 * 1024);
  const double large = seconds(std::size_t{64} << 20);
  EXPECT_LT(large, 5 * small + 0.02);
}

// ---- bytes

void put(std::string& ring, std::string_view bytes, std::uint32_t flag = 0) {
  const std::uint32_t length = static_cast<std::uint32_t>(bytes.size()) | flag;
  const std::string_view frame(reinterpret_cast<const char*>(&length), sizeof length);
  ((ring += frame) += bytes) += frame;
}

std::string u64(std::uint64_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

constexpr std::uint32_t kMark = 0x8000'0000;

std::string rows_in(std::string bytes, int cols) {
  const std::uint64_t end = bytes.size();
  bytes.resize(1024);
  const History history(std::as_writable_bytes(std::span(bytes)), {0, end});
  std::string out;
  Tables tables;
  Row row;
  History::Reader reader(history, kAllHistory);
  while (reader.next(cols, tables, row)) {
    if (row.wrapped) out += '+';
    for (int x = 0; x < row.content_length(cols); ++x) tables.append_text(out, row.at(x));
    out += '|';
  }
  return out;
}

// An upgraded daemon finds what the previous one wrote: rows of one width, and marks of two
// positions.
TEST(HistoryWidthTest, ARingOfThePreviousVersionIsRead) {
  using namespace std::string_literals;
  std::string ring;
  put(ring, "\0gone"s);
  put(ring, u64(ring.size()) + u64(ring.size()), kMark);
  const std::uint64_t begin = ring.size();
  put(ring, "\0abcd"s);
  put(ring, "\1ef"s);
  const std::uint64_t end = ring.size();
  put(ring, "\0back"s);
  put(ring, u64(begin) + u64(end), kMark);
  put(ring, "\0new"s);
  EXPECT_EQ(rows_in(ring, 4), "abcd|+ef|new|");
}

// The worked example of docs/vt.md.
TEST(HistoryWidthTest, TheBytesOfAChangeOfWidthAreThoseOfTheSpecification) {
  std::vector<std::byte> ring(256);
  Screen screen({.cols = 6, .rows = 2});
  screen.attach_history(History(ring));
  screen.feed("abcdef\r\n$ ");
  screen.resize({.cols = 4, .rows = 2});
  using namespace std::string_literals;
  std::string expected;
  put(expected, "\0abcdef"s);
  put(expected, u64(0) + u64(15) + "\6\0\0\0\4\0\0\0"s, kMark);
  ASSERT_EQ(screen.state().history.position().end, expected.size());
  EXPECT_EQ(std::memcmp(ring.data(), expected.data(), expected.size()), 0);
  EXPECT_EQ(rows_in(expected, 4), "abcd|");
  put(expected, "\1ef"s);
  EXPECT_EQ(rows_in(expected, 4), "abcd|+ef|");
  put(expected, u64(0) + u64(expected.size()) + "\4\0\0\0\0\0\0\0"s, kMark);
  EXPECT_EQ(rows_in(expected, 5), "abcde|+f|");
}

TEST(HistoryWidthTest, AMarkThatMakesNoSenseEndsTheHistory) {
  using namespace std::string_literals;
  const auto with = [](std::string_view rest) {
    std::string ring;
    put(ring, "\0abc"s);
    put(ring, u64(0) + u64(ring.size()) + std::string(rest), kMark);
    put(ring, "\0d"s);
    return rows_in(ring, 4);
  };
  EXPECT_EQ(with("\3\0\0\0\0\0\0\0"s), "abc|d|");
  EXPECT_EQ(with("\3\0\0\0\2\0\0\0"s), "ab|d|");
  EXPECT_EQ(with("\3\0\0\0\4\0\0\0"s), "d|") << "cut beyond the width";
  EXPECT_EQ(with("\0\0\0\0\0\0\0\0"s), "d|") << "no width";
  EXPECT_EQ(with("\0\0\1\0\0\0\0\0"s), "d|") << "too wide";
  EXPECT_EQ(with("\3\0\0\0"s), "d|") << "too short";
}

}  // namespace
}  // namespace vt
