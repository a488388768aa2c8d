// Bounds: memory depends on what is shown, no allocation per character, linear cost for any input.

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "vt/capture.h"
#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_allocations.h"
#include "vt/test_difference.h"
#include "vt/test_slow_inputs.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

constexpr Size kSize{.cols = 80, .rows = 24};

// What a screen costs besides its history ring: itself and its heap memory.
template <class F>
std::size_t cost_of_screen(F fill) {
  std::vector<std::byte> ring(1 << 16);
  const std::size_t before = bytes_held();
  Screen screen(kSize);
  screen.attach_history(History(ring));
  fill(screen);
  EXPECT_LT(screen.memory(), sizeof(screen) + bytes_held() - before + 1)
      << "memory() must not boast";
  return sizeof(screen) + bytes_held() - before;
}

TEST(MemoryTest, AScreenWithAPromptIsSmall) {
  const std::size_t cost = cost_of_screen([](Screen& screen) {
    screen.feed(
        "\x1b[?2004h\x1b]0;user@host: ~\x07\x1b[01;32muser@host\x1b[00m:\x1b[01;34m~\x1b[00m$ "
        "ls\r\n");
  });
  EXPECT_LT(cost, 4096U);
}

TEST(MemoryTest, AFullScreenIsBounded) {
  const std::size_t cost = cost_of_screen([](Screen& screen) {
    for (int y = 0; y < 2 * kSize.rows; ++y)
      for (int x = 0; x < kSize.cols; ++x)
        screen.feed("\x1b[" + std::to_string(30 + (x + y) % 8) + ";" + std::to_string(40 + x % 8) +
                    "mx");
  });
  EXPECT_LT(cost, 48U * 1024);
}

TEST(AllocationTest, PrintingDoesNotAllocate) {
  std::vector<std::byte> ring(1 << 16);
  Screen screen(kSize);
  screen.attach_history(History(ring));
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "plain text, \x1b[1;32mcoloured\x1b[m, 日本語, e\u0301, привет \x1b[K\r\n";
  screen.feed(text);
  const std::size_t before = allocation_count();
  screen.feed(text);
  // Scrolled lines are stored and combining characters looked up, both without allocating once
  // warm.
  EXPECT_LE(allocation_count() - before, 4U);
}

struct Pattern {
  const char* name;
  std::string unit;
};

std::vector<Pattern> patterns() {
  std::string zalgo = "e";
  for (int i = 0; i < 50; ++i) zalgo += "\u0301";
  return {{"newlines", "\n"},
          {"spaces", " "},
          {"escapes", "\x1b"},
          {"csi_never_ends", "\x1b[1;1;1;1;1;1;1;1"},
          {"many_parameters", "\x1b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m"},
          {"endless_osc", "\x1b]2;xxxxxxxxxxxxxxxx"},
          {"endless_dcs", "\x1bP$qxxxxxxxxxxxxxxxx"},
          {"broken_utf8", "\xf0\x9f\xf0"},
          {"combining", zalgo},
          {"wide", "日"},
          {"repeat", "a\x1b[999999b"},
          {"repeat_wide", "日\x1b[999999b"},
          {"insert_lines", "\x1b[999L"},
          {"scroll_regions", "\x1b[2;20r\x1b[20;1H\n"},
          {"reverse_index", "\x1b[H\x1bM"},
          {"insert_columns", "x\x1b[2'}"},
          {"shift_left", "abc\x1b[ @"},
          {"alignment", "\x1b#8"},
          {"erase", "x\x1b[2J"},
          {"alternate", "\x1b[?1049hx\x1b[?1049l"},
          {"save_restore",
           "\x1b"
           "7\x1b"
           "8"},
          {"resets",
           "x\x1b"
           "c"},
          {"links", "\x1b]8;;http://a/b/c\x07x\x1b]8;;\x07"},
          {"titles", "\x1b]2;title\x07\x1b[22t"},
          {"palette", "\x1b]4;1;#123;2;#456;3;#789\x07"},
          {"keyboard", "\x1b[>1u"},
          {"tabs", "\t\x1b[99I\x1b[99Z"},
          {"insert_mode", "\x1b[4habc\r"}};
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Ten megabytes take about twice as long as five; quadratic cost would be four times.
TEST(HostileMeasuringTest, TheCostOfEveryPatternIsLinear) {
#if defined(HOLDFAST_SANITIZED)
  constexpr std::size_t kBytes = 200'000;
#else
  constexpr std::size_t kBytes = 10'000'000;
#endif
  std::vector<std::byte> ring(1 << 18);
  for (const Pattern& pattern : patterns()) {
    std::string bytes;
    while (bytes.size() < kBytes) bytes += pattern.unit;
    const auto seconds = [&](std::size_t length) {
      Screen screen(kSize);
      screen.attach_history(History(ring));
      const double start = cpu_seconds();
      screen.feed(std::string_view(bytes).substr(0, length));
      EXPECT_LT(screen.memory(), 256U * 1024) << pattern.name;
      return cpu_seconds() - start;
    };
    const double half = seconds(bytes.size() / 2);
    const double full = seconds(bytes.size());
    EXPECT_LT(full, 3.2 * half + 0.02) << pattern.name;
  }
}

// The work per byte of the slowest known inputs, as the screen counts it. Five megabytes a second
// is 200 nanoseconds a byte, and no step takes more than one.
TEST(WorkTest, NoInputCostsMuchForItsLength) {
  std::vector<std::byte> ring(1 << 18);
  for (const SlowInput& input : kSlowInputs) {
    Screen screen(kSize);
    screen.attach_history(History(ring));
    screen.feed(input.once);
    screen.feed(input.again);
    std::string bytes;
    while (bytes.size() < 20'000) bytes += input.again;
    const std::int64_t before = screen.work();
    screen.feed(bytes);
    const auto work = static_cast<double>(screen.work() - before);
    EXPECT_LT(work / static_cast<double>(bytes.size()), 700) << input.name;
  }
}

// A feed with a limit ends soon after it, anywhere and on any size of screen, and feeding the rest
// gives the same screen.
TEST(WorkTest, AFeedEndsByWhatItCost) {
  constexpr Size kLarge{.cols = 500, .rows = 500};
  constexpr std::int64_t kLimit = 100'000;
  constexpr std::int64_t kCells = std::int64_t{kLarge.cols} * kLarge.rows;
  for (const SlowInput& input : kSlowInputs) {
    std::string bytes(input.once);
    while (bytes.size() < 4'000) bytes += input.again;
    Screen whole(kLarge);
    whole.feed(bytes);
    Screen parts(kLarge);
    std::size_t fed = 0;
    while (fed < bytes.size()) {
      const std::int64_t before = parts.work();
      const std::size_t taken = parts.feed(std::as_bytes(std::span(bytes)).subspan(fed), kLimit);
      ASSERT_GT(taken, 0U) << input.name;
      ASSERT_LT(parts.work() - before, kLimit + 2 * kCells) << input.name;
      fed += taken;
      ASSERT_EQ(parts.position(), fed);
    }
    EXPECT_EQ(parts.work(), whole.work()) << input.name;
    EXPECT_EQ(describe_difference(parts.state(), whole.state()), "") << input.name;
  }
}

// Repeating a character is printing it again, whatever it is and wherever the cursor is.
TEST(WorkTest, RepeatingIsPrintingAgain) {
  static constexpr std::string_view kCharacters[] = {"x", "é", "日", "e\u0301", "日\u0301", "q"};
  std::vector<std::byte> ring(1 << 14);
  std::vector<std::byte> other_ring(1 << 14);
  for (int round = 0; round < 4000; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const Size size = random_size(random);
    std::string before;
    for (int i = random.below(12); i > 0; --i) before += random_piece(random, size);
    before += random.one_in(3) ? "\x1b[4h" : "\x1b[4l";
    before += random.one_in(3) ? "\x1b[?7l" : "\x1b[?7h";
    const std::string character(random.pick(kCharacters));
    const int count = random.between(1, 40);
    std::string printed = character;
    for (int i = 0; i < count; ++i) printed += character;
    Screen repeats(size);
    Screen prints(size);
    repeats.attach_history(History(ring));
    prints.attach_history(History(other_ring));
    repeats.feed(before + character + "\x1b[" + std::to_string(count) + "b\x1b[m");
    prints.feed(before + printed + "\x1b[m");
    // It would be translated again, or there is nothing to repeat.
    Screen once(size);
    once.feed(before + character);
    if (once.state().charsets.active != Charset::us || once.state().preceding == 0) continue;
    ASSERT_EQ(describe_difference(repeats.state(), prints.state()), "")
        << round << ": " << printable(before + character) << " " << count;
  }
}

std::string long_link(int number) {
  return "\x1b]8;;http://" + std::to_string(number) + "/" + std::string(8000, 'x') + "\x1b\\";
}

// 4,700 cells, each with a link of eight kilobytes: what fits is kept and counted.
TEST(LinkTest, LinksAreBoundedInTotal) {
  Screen screen({.cols = 100, .rows = 47});
  for (int i = 0; i < 4700; ++i) screen.feed(long_link(i) + "x");
  EXPECT_GT(screen.memory(), 1000U * 1000);
  EXPECT_LT(screen.memory(), 2000U * 1000);
  // Links that scrolled away make room.
  screen.feed("\x1b]8;;\x1b\\\x1b[2J" + long_link(7) + "y");
  const State& state = screen.state();
  const Row& row = state.primary.grid.row(state.primary.cursor.y);
  EXPECT_NE(state.tables.styles[row.at(state.primary.cursor.x - 1).style].link, 0U);
}

// Two alternating links: each is written once.
TEST(LinkTest, ACheckpointHasALinkOnce) {
  Screen screen({.cols = 100, .rows = 47});
  for (int i = 0; i < 4700; ++i) screen.feed(long_link(i % 2) + "x");
  const Checkpoint made = checkpoint(screen, 16 << 20);
  EXPECT_TRUE(made.is_whole);
  EXPECT_LT(made.bytes.size(), 100'000U);
  const Screen again(screen.size(), std::as_bytes(std::span(made.bytes)), screen.position(), {});
  EXPECT_EQ(describe_difference(again.state(), screen.state()), "");
  EXPECT_LT(snapshot(screen).size(), 5'000'000U) << "for viewers, who know no such thing";
}

TEST(LinkTest, NoProgramCanReferToALink) {
  Screen screen(kSize);
  screen.feed("\x1b]8;;http://a/\x07x\x1b]8;;\x07\x1b]8;@0\x07y");
  EXPECT_EQ(screen.state().pen.link, 0U);
}

TEST(CheckpointTest, OneThatDoesNotFitHasTheText) {
  Screen screen({.cols = 100, .rows = 100});
  std::string written;
  for (int i = 0; i < 9950; ++i)
    written += "\x1b[38;2;" + std::to_string(i % 251) + ";" + std::to_string(i % 241) + ";7m" +
               static_cast<char>('a' + i % 26);
  screen.feed(written);
  constexpr std::size_t kRoom = 160'000;
  ASSERT_GT(snapshot(screen, {.history_rows = 0}).size(), kRoom);
  const Checkpoint made = checkpoint(screen, kRoom);
  EXPECT_FALSE(made.is_whole);
  EXPECT_LE(made.bytes.size(), kRoom);
  const Screen again(screen.size(), std::as_bytes(std::span(made.bytes)), screen.position(), {});
  EXPECT_EQ(text(again), text(screen));
  EXPECT_LE(checkpoint(screen, 8000).bytes.size(), 8000U);
}

TEST(CheckpointTest, ARestoredScreenIsTheSame) {
  for (int round = 0; round < 3000; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const Size size = random_size(random);
    Screen screen(size);
    for (int i = random.between(1, 40); i > 0; --i)
      screen.feed(random.one_in(4) ? "\x1b]8;;http://" + std::to_string(random.below(3)) + "\x07x"
                                   : random_piece(random, size));
    screen.feed("\x1b\\");
    const Checkpoint made = checkpoint(screen, 16 << 20);
    const Screen again(size, std::as_bytes(std::span(made.bytes)), screen.position(), {});
    ASSERT_EQ(describe_difference(again.state(), screen.state()), "") << round;
  }
}

// Random bytes, sizes and resizes: only checks that it ends, within its memory limit.
TEST(HostileTest, ArbitraryBytesAtArbitrarySizes) {
#if defined(HOLDFAST_SANITIZED)
  constexpr int kRounds = 200;
#else
  constexpr int kRounds = 2000;
#endif
  std::vector<std::byte> ring(4096);
  for (int round = 0; round < kRounds; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    Screen screen({.cols = random.between(1, 500), .rows = random.between(1, 500)});
    screen.attach_history(History(ring));
    for (int step = 0; step < 20; ++step) {
      std::string bytes;
      for (int i = random.below(400); i > 0; --i) {
        constexpr std::string_view kLikely =
            "\x1b\x1b[[]P;;?0123456789mHJKhlr\x9b\xc2\xe6\x97\xa5\n\r\t\b";
        bytes +=
            random.one_in(3)
                ? static_cast<char>(random.next())
                : kLikely[static_cast<std::size_t>(random.below(static_cast<int>(kLikely.size())))];
      }
      screen.feed(bytes);
      if (random.one_in(3))
        screen.resize({.cols = random.between(1, 500), .rows = random.between(1, 500)});
    }
    Screen copy(screen.size());
    copy.feed(snapshot(screen, {.history_rows = 0}));
    screen.attach_history(History());
    ASSERT_EQ(describe_difference(copy.state(), screen.state()), "") << "round " << round;
  }
}

}  // namespace
}  // namespace vt
