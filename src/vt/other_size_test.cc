// The second half of the law of snapshots: fed to a new screen of another size, a snapshot shows
// the same lines with the cursor on the same text, and what the program prints next lands there.
//
// A client may learn the size of its window only after it has attached. One got a snapshot for 24
// rows, rendered it in 34, and had its prompt in the middle of old lines, which the next command
// overwrote.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "vt/snapshot.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

// The history and the screen as lines, however they are folded, and the cursor in them.
struct Flow {
  std::vector<std::string> lines;
  std::size_t cursor_line = 0;
  std::string before_cursor;
};

std::string difference(const Flow& shown, const Flow& expected) {
  for (std::size_t i = 0; i < std::max(shown.lines.size(), expected.lines.size()); ++i) {
    const std::string a = i < shown.lines.size() ? shown.lines[i] : "(none)";
    const std::string b = i < expected.lines.size() ? expected.lines[i] : "(none)";
    if (a != b) return "line " + std::to_string(i) + ":\n" + a + "\ninstead of\n" + b;
  }
  if (shown.cursor_line == expected.cursor_line && shown.before_cursor == expected.before_cursor)
    return "";
  return "cursor in line " + std::to_string(shown.cursor_line) + " behind\n" + shown.before_cursor +
         "\ninstead of line " + std::to_string(expected.cursor_line) + " behind\n" +
         expected.before_cursor;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

class FlowReader {
 public:
  explicit FlowReader(const Screen& screen) : state_(screen.state()) {
    const int cols = state_.size.cols;
    Tables old_tables;
    History::Reader reader(state_.history, kAllHistory);
    Row row;
    while (reader.next(cols, old_tables, row)) add(row, old_tables, -1);
    const Grid& grid = state_.primary.grid;
    const Cursor cursor = state_.primary.cursor;
    for (int y = 0; y < grid.rows(); ++y)
      add(grid.row(y), state_.tables, y == cursor.y ? cursor.x : -1);
  }

  // Many blank rows below the cursor and a history above: a lower terminal scrolls some of them off
  // with the history.
  Flow take_without_blank_lines() {
    Flow flow = take();
    std::vector<std::string> lines;
    std::size_t cursor_line = 0;
    for (std::size_t i = 0; i < flow.lines.size(); ++i) {
      if (i == flow.cursor_line) cursor_line = lines.size();
      if (!flow.lines[i].empty()) lines.push_back(flow.lines[i]);
    }
    return {.lines = lines, .cursor_line = cursor_line, .before_cursor = flow.before_cursor};
  }

  Flow take() {
    for (std::string& line : flow_.lines) line = trimmed(std::move(line));
    while (!flow_.lines.empty() && flow_.lines.back().empty()) flow_.lines.pop_back();
    flow_.before_cursor = trimmed(std::move(flow_.before_cursor));
    return std::move(flow_);
  }

 private:
  void add(const Row& row, const Tables& tables, int cursor) {
    if (!row.wrapped || flow_.lines.empty()) flow_.lines.emplace_back();
    std::string& line = flow_.lines.back();
    // The column that a wide character left empty when it wrapped is not part of the line.
    if (row.wrapped && row.at(0).is_wide() && ended_empty_) line.pop_back();
    const int cols = state_.size.cols;
    for (int x = 0; x <= cols; ++x) {
      if (x == cursor) {
        flow_.cursor_line = flow_.lines.size() - 1;
        flow_.before_cursor = line;
      }
      if (x == cols || row.at(x).is_spacer()) continue;
      line += row.at(x).has_content() ? tables.text(row.at(x)) : " ";
    }
    ended_empty_ = !row.at(cols - 1).has_content() && !row.at(cols - 1).is_spacer();
  }

  const State& state_;
  Flow flow_;
  bool ended_empty_ = false;
};

Flow flow_of(TestScreen& screen, bool blank) {
  FlowReader reader(screen.screen());
  return blank ? reader.take_without_blank_lines() : reader.take();
}

std::string word(Random& random) {
  constexpr std::string_view kWords[] = {
      "make", "[ 42%]", "src/vt/screen.cc", "error:", "e\u0301t\u00e9", "-O2", "|"};
  return std::string(random.pick(kWords));
}

// What shells and the programs in them print: lines of any length, in colours. Wide characters are
// plain: a coloured one that wraps leaves a cell that can only be made in its own column.
std::string line(Random& random) {
  std::string text;
  for (int n = random.below(30); n > 0; --n) {
    if (random.one_in(6)) text += "\x1b[m\u6f22\u5b57";
    if (random.one_in(5)) text += "\x1b[1;3" + std::to_string(random.below(8)) + "m";
    if (random.one_in(9)) text += "\x1b[4" + std::to_string(random.below(8)) + "m";
    text += word(random);
    if (random.one_in(4)) text += "\x1b[m";
    text += ' ';
  }
  return text + "\x1b[m";
}

std::string short_line(Random& random, int most) {
  return std::string(static_cast<std::size_t>(random.below(most)), 'm');
}

// Leaves the cursor behind a prompt; `narrowest` is what every line below it fits into.
std::string session(Random& random, Size size, int narrowest) {
  std::string out;
  for (int n = random.below(3 * size.rows); n > 0; --n) out += line(random) + "\r\n";
  if (random.one_in(4)) out += "\x1b[H\x1b[2J";
  if (random.one_in(4)) out += "\x1b[?1049h\x1b[2J\x1b[5;5Hvi\x1b[?1049l";
  out += random.one_in(3) ? "\x1b[1;32m$\x1b[m " : line(random) + "$ ";
  if (random.one_in(3)) {
    // A menu below the prompt, as shells show for completion.
    const int rows = random.between(1, 3);
    std::string menu;
    for (int n = 0; n < rows; ++n) menu += "\n\r" + short_line(random, narrowest);
    // The cursor goes back to its column by itself: the prompt starts a line.
    out += "\r\n$ cd" + menu + "\x1b[" + std::to_string(rows) + "A\r\x1b[4C";
  } else if (random.one_in(3)) {
    out += "\r\n$ cds\b";  // The cursor moved back into the line.
  }
  return out;
}

constexpr std::size_t kRing = 1 << 20;  // Room for everything, however it is folded.

// Text that ends at the right edge leaves the cursor where only the next character decides; there a
// snapshot that has to come back to the cursor is one column off.
bool ends_at_the_edge(const Screen& copy) {
  return copy.state().primary.cursor.x >= copy.size().cols - 2;
}

void check(std::uint64_t seed) {
  Random random(seed);
  const Size size{.cols = random.between(20, 132), .rows = random.between(5, 60)};
  const Size other{.cols = random.between(20, 132), .rows = random.between(5, 60)};
  TestScreen original(size.cols, size.rows, kRing);
  const std::string bytes = session(random, size, 19);
  original.feed(bytes);
  const bool blank = size.rows - original.state().primary.cursor.y > 5;
  TestScreen copy(other.cols, other.rows, kRing);
  copy.feed(snapshot(original.screen()));
  if (size.cols != other.cols && ends_at_the_edge(copy.screen())) return;
  const std::string about = "seed " + std::to_string(seed) + ": " + std::to_string(size.cols) +
                            "x" + std::to_string(size.rows) + " shown in " +
                            std::to_string(other.cols) + "x" + std::to_string(other.rows);
  ASSERT_EQ(difference(flow_of(copy, blank), flow_of(original, blank)), "") << about;

  const std::string more = "ls\x1b[J\r\n" + line(random) + "\r\n$ ";
  original.feed(more);
  copy.feed(more);
  ASSERT_EQ(difference(flow_of(copy, blank), flow_of(original, blank)), "")
      << about << ", going on";
}

TEST(OtherSizeTest, ASnapshotShowsTheSameLinesInATerminalOfAnotherSize) {
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    check(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace vt
