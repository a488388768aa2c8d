// The daemon is killed while a terminal scrolls and is resized; afterwards the terminal is what it
// would have been without that.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

#include "end_to_end/survival_fixture.h"
#include "programs/lines.h"
#include "vt/snapshot.h"

namespace e2e {
namespace {

// The default of history_size.
constexpr std::size_t kHistory = 262144;
// Fewer rows than that take so much, even if nothing were compressed.
constexpr int kLeastRows = kHistory / 64;

class KilledAtWorkTest : public SurvivalTest {
 protected:
  // Prints the file as it is, after the word to go.
  void print_file(const std::string& id, const std::string& text, vt::Size size) {
    const auto file = dir() / (id + ".txt");
    std::ofstream(file, std::ios::binary) << text;
    create(id, {"/bin/sh", "-c", "stty raw -echo; cat " + file.string() + "; exec cat"}, size);
  }

  // Empty if both show the same, as far back as the shorter one's history goes. Its oldest line may
  // have lost its beginning, and then folds otherwise.
  static std::string difference_of_what_is_left(const Mirror& reference, const Mirror& shown) {
    const int rows = shown.screen().state().history.rows();
    const vt::SnapshotOptions options{.history_rows = rows * 9 / 10};
    const std::string wanted = vt::snapshot(reference.screen(), options);
    const std::string found = vt::snapshot(shown.screen(), options);
    if (found == wanted) return "";
    const auto [at, other] = std::ranges::mismatch(wanted, found);
    return "byte " + std::to_string(at - wanted.begin()) + " of the snapshot with " +
           std::to_string(options.history_rows) + " rows";
  }

  void pause(std::chrono::microseconds time) { std::this_thread::sleep_for(time); }

  // Lines that scroll, in colours, with scrolling regions, insertions, excursions to the alternate
  // screen.
  std::string busy_text(std::size_t size) {
    std::string text;
    for (std::uint64_t line = 0; text.size() < size; ++line) {
      text += "\x1b[38;5;" + std::to_string(random_below(256)) + "m" + lines::text(line) + "\r\n";
      switch (random_below(200)) {
        case 0:
          text += "\x1b[3;20r\x1b[20;1H\n\n\n\x1b[5L\x1b[r\x1b[24;1H";
          break;
        case 1:
          text += "\x1b[?1049h\x1b[2J\x1b[5;5Helsewhere\x1b[?1049l";
          break;
        case 2:
          text += "\x1b[1;44m" + std::string(150, 'w') + "\x1b[0m\r\n";
          break;
        case 3:
          text += "\xe6\xbc\xa2\xe5\xad\x97 e\xcc\x81\x1b[5D\x1b[2P\x1b[K\r\n";
          break;
        default:
          break;
      }
    }
    return text;
  }
};

TEST_F(KilledAtWorkTest, HeavyScrollingIsExact) {
  start();
  const vt::Size size{.cols = 80, .rows = 24};
  const int kills = a_tenth_unless_soaking(100);
  const std::string text = busy_text(static_cast<std::size_t>(kills) * 3'000'000);
  Mirror reference(size);
  reference.feed(text);
  print_file("t", text, size);
  int in_the_middle = 0;
  for (int i = 0; i < kills; ++i) {
    pause(std::chrono::microseconds(random_below(60'000)));
    kill_daemon();
    start();
    if (offset_of("t") < text.size()) ++in_the_middle;
  }
  look_at("t", [&](Seat& seat) { return seat.offset() == text.size(); });
  const auto seat = look_at("t");
  EXPECT_EQ(difference_of_what_is_left(reference, seat->mirror()), "");
  EXPECT_GT(seat->mirror().screen().state().history.rows(), kLeastRows);
  std::printf("%d kills, %d before the end of %zu bytes\n", kills, in_the_middle, text.size());
}

// Short lines that all take the same room in the history are the hardest: what was overwritten
// looks whole.
TEST_F(KilledAtWorkTest, ScrollingOfEqualLinesIsExact) {
  start();
  const int kills = a_tenth_unless_soaking(100);
  create("t", {LINE_WRITER});
  for (int i = 0; i < kills; ++i) {
    pause(std::chrono::microseconds(random_below(100'000)));
    kill_daemon();
    start();
    const Numbered shown = numbered(look_at("t")->mirror());
    ASSERT_EQ(shown.problem, "") << "after " << i + 1 << " kills";
  }
  EXPECT_GT(numbered(look_at("t")->mirror()).count(), kHistory / 32 - 100);
}

// Each part of the text is printed at a size of its own. The resizes between them come at a known
// offset, and the daemon dies about when they do: before, in the middle, or after.
TEST_F(KilledAtWorkTest, AResizeIsDoneOnceOrNotAtAll) {
  start();
  const int rounds = a_tenth_unless_soaking(200);
  vt::Size size{.cols = 80, .rows = 24};
  Mirror reference(size);
  create("t", {"/bin/sh", "-c", "stty raw -echo; echo; exec cat"}, size);
  reference.feed("\n");
  std::uint64_t printed = 1;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    // Enough to fill the history in the first rounds.
    const std::string text = busy_text(round < 8 ? 60'000 : 2000);
    Seat seat("t", size);
    seat.sit(native(), Wire::native, Begin::anew);
    seat.pull_until([&] { return seat.snapshots() > 0 && seat.offset() >= printed; });
    seat.type(text);
    printed += text.size();
    reference.feed(text);
    seat.pull_until([&] { return seat.offset() == printed; });

    size = {.cols = 20 + random_below(120), .rows = 5 + random_below(50)};
    reference.resize(size);
    seat.resize(size);
    pause(std::chrono::microseconds(random_below(4000)));
    kill_daemon();
    start();
    Seat again("t", size);
    again.sit(native(), Wire::native, Begin::anew);
    again.pull_until([&] { return again.snapshots() > 0; });
    ASSERT_EQ(difference_of_what_is_left(reference, again.mirror()), "") << "round " << round;
  }
}

// Lines that fit every size stay consecutive, wherever the resizes fall.
TEST_F(KilledAtWorkTest, ResizesInAFloodLoseNoLine) {
  start();
  const int kills = a_tenth_unless_soaking(100);
  create("t", {LINE_WRITER});
  int resizes = 0;
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    Seat seat("t");
    seat.sit(native(), Wire::native, Begin::anew);
    seat.pull_until_attached();
    const auto end = std::chrono::steady_clock::now() + milliseconds(random_below(150));
    do {
      seat.resize({.cols = 30 + random_below(100), .rows = 5 + random_below(50)});
      ++resizes;
      wait_for_any({&seat}, milliseconds(1));
      seat.pull();
    } while (std::chrono::steady_clock::now() < end);
    kill_daemon();
    start();
    const Numbered shown = numbered(look_at("t")->mirror());
    ASSERT_EQ(shown.problem, "") << "after " << i + 1 << " kills";
    if (shown.last > 20'000) {
      ASSERT_GT(shown.count(), 5000U) << "the history is gone after " << i + 1 << " kills";
    }
  }
  std::printf("%d kills, %d resizes\n", kills, resizes);
}

}  // namespace
}  // namespace e2e
