#include "vt/saved_rows.h"

#include <gtest/gtest.h>

#include "vt/row_codec.h"
#include "vt/snapshot.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

constexpr std::size_t kPlenty = 1 << 20;

std::string everything(const Screen& screen) {
  return text(screen, {.history_rows = kAllHistory});
}

// Every row with its attributes, of history and screen, without the blank ones at the end. Whether
// the first continues another is left out, because that other row is not kept.
std::string styled(const Screen& screen) {
  const State& state = screen.state();
  std::string out;
  std::string blank;
  const auto add = [&](const Row& row, const Tables& tables) {
    std::string line;
    append_json_row(line, row, state.size.cols, tables);
    constexpr std::string_view kContinues = "[\"wrapped\"";
    if (out.empty() && blank.empty() && line.starts_with(kContinues))
      line.erase(1, kContinues.size() - (line[kContinues.size()] == ',' ? 0 : 1));
    (line == "[]" || line == "[\"wrapped\"]" ? blank : out += std::exchange(blank, {})) +=
        line + "\n";
  };
  Tables tables;
  Row row;
  History::Reader reader(state.history, kAllHistory);
  while (reader.next(state.size.cols, tables, row)) add(row, tables);
  for (int y = 0; y < state.size.rows; ++y) add(state.primary.grid.row(y), state.tables);
  return out;
}

std::string stream(Random& random, Size size, int pieces) {
  std::string out;
  for (int i = 0; i < pieces; ++i) out += random_piece(random, size);
  return out;
}

TEST(SavedRowsTest, AreTheSameOnAFreshTerminal) {
  TestScreen original(10, 3);
  original.feed("one\r\n\x1b[1;31mtwo\x1b[m and a line that wraps\r\n");
  original.feed(
      "\u65e5\u672c \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ e\u0301\r\n\x1b[44m\x1b[Kblue");
  const auto output = rows_as_output(save_rows(original.screen(), kPlenty), 10);
  ASSERT_TRUE(output);
  TestScreen fresh(10, 3);
  fresh.feed(*output);
  EXPECT_EQ(styled(fresh.screen()), styled(original.screen()));
}

TEST(SavedRowsTest, AreTheSameForGeneratedStreams) {
  constexpr Size kSize{.cols = 20, .rows = 5};
  for (unsigned seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    TestScreen original(kSize.cols, kSize.rows);
    original.feed(stream(random, kSize, 60));
    const auto output = rows_as_output(save_rows(original.screen(), kPlenty), kSize.cols);
    ASSERT_TRUE(output) << seed;
    TestScreen fresh(kSize.cols, kSize.rows);
    fresh.feed(*output);
    original.feed("\x18\x1b[?47l");  // What is under the alternate screen counts.
    ASSERT_EQ(everything(fresh.screen()), everything(original.screen())) << seed;
    ASSERT_EQ(styled(fresh.screen()), styled(original.screen())) << seed;
    EXPECT_TRUE(fresh.queries().empty());
    EXPECT_EQ(fresh.state().modes, Modes()) << seed;
    EXPECT_FALSE(fresh.state().alternate_active);
  }
}

TEST(SavedRowsTest, HaveNothingOfTheAlternateScreenNorOfModesAndTitles) {
  TestScreen original;
  original.feed("shell\x1b]2;title\x07\x1b[?1049h\x1b[?1003h\x1b[?2004h\x1b[?25l\x1b[?1heditor");
  const auto output = rows_as_output(save_rows(original.screen(), kPlenty), 10);
  ASSERT_TRUE(output);
  TestScreen fresh;
  fresh.feed(*output);
  EXPECT_EQ(everything(fresh.screen()), "shell\n");
  EXPECT_EQ(fresh.state().titles, Titles());
  EXPECT_EQ(fresh.state().modes, Modes());
  EXPECT_EQ(fresh.state().lasting, LastingModes());
  EXPECT_EQ(fresh.state().mouse_protocol, MouseProtocol::none);
}

TEST(SavedRowsTest, AreTheNewestWithinTheBound) {
  TestScreen original(10, 2);
  for (int i = 0; i < 100; ++i) original.feed("line " + std::to_string(i) + "\r\n");
  const std::string saved = save_rows(original.screen(), 60);
  EXPECT_LE(saved.size(), 60U);
  TestScreen fresh(10, 2);
  fresh.feed(*rows_as_output(saved, 10));
  EXPECT_EQ(everything(fresh.screen()), "line 95\nline 96\nline 97\nline 98\nline 99\n");
  EXPECT_EQ(save_rows(original.screen(), 3), "");
}

TEST(SavedRowsTest, ABlankTerminalHasNone) {
  TestScreen original;
  EXPECT_EQ(save_rows(original.screen(), kPlenty), "");
  EXPECT_EQ(rows_as_output("", 10), "");
}

std::string record(std::string_view row) {
  std::string out{static_cast<char>(row.size()), 0, 0, 0};
  return out += row;
}

// Bytes from a file cannot make the terminal do anything but show text.
TEST(SavedRowsTest, UnsoundOnesAreRefused) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(rows_as_output(record("\0ab"sv), 10));
  EXPECT_FALSE(rows_as_output(record("\0ab"sv), 0));
  EXPECT_FALSE(rows_as_output(record("\0ab"sv), kMaxSide + 1));
  EXPECT_FALSE(rows_as_output(record("\0ab"sv), 1)) << "more cells than columns";
  EXPECT_FALSE(rows_as_output(record("\0ab"sv).substr(0, 6), 10)) << "cut";
  EXPECT_FALSE(rows_as_output("\xff\xff\xff\xff", 10));
  EXPECT_FALSE(rows_as_output(record(""), 10));
  EXPECT_FALSE(rows_as_output(record("\0\x04\x01\x04\x1b[6n"sv), 10)) << "an escape in a cell";
  EXPECT_FALSE(rows_as_output(record("\0\xc2\x9b"sv), 10)) << "a C1 control";
  EXPECT_FALSE(rows_as_output(record("\0\x02\x10\0\x02\x1b\\x"sv), 10)) << "an escape in a link";
}

TEST(SavedRowsTest, AnyBytesAreTaken) {
  Random random(7);
  TestScreen original(20, 4);
  original.feed(stream(random, {.cols = 20, .rows = 4}, 400));
  const std::string sound = save_rows(original.screen(), kPlenty);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = sound;
    for (int n = random.between(1, 4); n > 0; --n)
      bytes[random.next() % bytes.size()] = static_cast<char>(random.next());
    const auto output = rows_as_output(bytes.substr(0, random.next() % bytes.size() + 1), 20);
    if (!output) continue;
    TestScreen fresh(20, 4);
    fresh.feed(*output);
    ASSERT_TRUE(fresh.queries().empty());
    ASSERT_FALSE(fresh.state().alternate_active);
    ASSERT_EQ(fresh.state().modes, Modes());
    ASSERT_EQ(fresh.state().titles, Titles());
  }
}

std::vector<std::string> saved_lines(std::string_view bytes, int cols) {
  std::vector<std::string> all;
  SavedLines lines(bytes, cols);
  for (std::string line; lines.next(line);) all.push_back(line);
  return all;
}

TEST(SavedRowsTest, TheirLinesAreThoseOfTheScreen) {
  TestScreen original(5, 3);
  original.feed("one\r\na b c d e f g\r\n\r\n日本語\r\nlast");
  EXPECT_EQ(saved_lines(save_rows(original.screen(), kPlenty), 5),
            (std::vector<std::string>{"one", "a b c d e f g", "", "日本語", "last"}));
}

TEST(SavedRowsTest, DamageEndsTheirLines) {
  TestScreen original(5, 3);
  original.feed("one\r\ntwo");
  const std::string rows = save_rows(original.screen(), kPlenty);
  EXPECT_EQ(saved_lines(rows.substr(0, rows.size() - 1), 5), (std::vector<std::string>{"one"}));
  EXPECT_TRUE(saved_lines("\xff\xff\xff\xff", 5).empty());
  EXPECT_TRUE(saved_lines(rows, 0).empty());
}

}  // namespace
}  // namespace vt
