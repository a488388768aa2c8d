// What the law does not cover: snapshots in the middle of sequences, checkpoints, resync, options.

#include "vt/snapshot.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vt/test_difference.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

std::string nasty_stream(std::uint64_t seed, Size size) {
  Random random(seed);
  std::string bytes;
  for (int i = 0; i < 60; ++i) bytes += random_piece(random, size);
  return bytes;
}

std::string difference(const Screen& a, const Screen& b) {
  if (a.parser().unfinished() != b.parser().unfinished()) return "unfinished";
  return describe_difference(a.state(), b.state());
}

TEST(SnapshotTest, AtEveryByteOfAStreamAndGoingOnFromThere) {
  constexpr Size kSize{.cols = 7, .rows = 4};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string bytes = nasty_stream(seed, kSize);
    TestScreen whole(kSize.cols, kSize.rows);
    whole.feed(bytes);
    TestScreen original(kSize.cols, kSize.rows);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      TestScreen copy(kSize.cols, kSize.rows);
      copy.feed(snapshot(original.screen()));
      ASSERT_EQ(difference(copy.screen(), original.screen()), "")
          << "seed " << seed << " cut at " << cut;
      copy.feed(std::string_view(bytes).substr(cut));
      ASSERT_EQ(difference(copy.screen(), whole.screen()), "")
          << "seed " << seed << " cut at " << cut;
      original.feed(std::string_view(bytes).substr(cut, 1));
    }
  }
}

TEST(SnapshotTest, AViewerThatIsSentTheRestFromTheSettledPositionIsTheSame) {
  constexpr Size kSize{.cols = 7, .rows = 4};
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const std::string bytes = nasty_stream(seed, kSize);
    TestScreen whole(kSize.cols, kSize.rows);
    whole.feed(bytes);
    TestScreen original(kSize.cols, kSize.rows);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      TestScreen viewer(kSize.cols, kSize.rows);
      viewer.feed(snapshot(original.screen(), {.unfinished = Unfinished::resend}));
      viewer.feed(std::string_view(bytes).substr(original.screen().settled()));
      ASSERT_EQ(difference(viewer.screen(), whole.screen()), "")
          << "seed " << seed << " cut at " << cut;
      original.feed(std::string_view(bytes).substr(cut, 1));
    }
  }
}

// After a daemon died: its checkpoint, the history ring as it is now, and the output after the
// checkpoint.
TEST(SnapshotTest, ACheckpointAndTheOutputAfterItAreTheScreenBeforeTheCrash) {
  constexpr Size kSize{.cols = 9, .rows = 3};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string bytes = nasty_stream(seed, kSize);
    std::vector<std::byte> ring(600);
    Screen before(kSize);
    before.attach_history(History(ring));
    const std::size_t cut = bytes.size() * (seed % 7) / 7;
    before.feed(std::string_view(bytes).substr(0, cut));
    const std::string checkpoint = snapshot(before, {.history_rows = 0});
    const HistoryPosition then = before.state().history.position();
    before.feed(std::string_view(bytes).substr(cut));

    // The header says how far the ring was overwritten since.
    const HistoryPosition now = before.state().history.position();
    Screen after(kSize, std::as_bytes(std::span(checkpoint)), cut,
                 History(ring, {now.begin, then.end}));
    after.feed(std::string_view(bytes).substr(cut));
    ASSERT_EQ(after.position(), before.position());
    ASSERT_EQ(difference(after, before), "") << "seed " << seed;
    EXPECT_EQ(after.state().history.position(), now) << "seed " << seed;
  }
}

TEST(SnapshotTest, AQueryCutByTheCheckpointKeepsItsPlaceInTheStream) {
  class Sink : public StreamSink {
   public:
    void query(ByteSpan span, const Reply& /*reply*/) override { spans.push_back(span); }
    void edit(Edit /*edit*/, By /*by*/) override {}
    std::vector<ByteSpan> spans;
  };
  Screen before({.cols = 10, .rows = 2});
  before.feed("abc\x1b[6");
  const std::string checkpoint = snapshot(before, {.history_rows = 0});
  Sink sink;
  Screen after({.cols = 10, .rows = 2}, std::as_bytes(std::span(checkpoint)), before.position(),
               History(), &sink);
  EXPECT_EQ(after.settled(), 3U);
  after.feed("n");
  EXPECT_EQ(sink.spans, (std::vector<ByteSpan>{{3, 7}}));
}

TEST(SnapshotTest, AViewerThatHeldSomethingElseShowsTheSameAfterwards) {
  constexpr Size kSize{.cols = 8, .rows = 3};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TestScreen original(kSize.cols, kSize.rows);
    original.feed(nasty_stream(seed, kSize));
    TestScreen viewer(kSize.cols, kSize.rows);
    viewer.feed(nasty_stream(seed + 1000, kSize)).feed("\x1b\\\x18");
    if (!viewer.state().working_directory.empty()) viewer.feed("\x1b]7;\x07");
    // Whether the cursor blinks is the viewer's choice until a program sets it.
    if (!original.state().lasting.blink_option) original.feed("\x1b[?12l");
    viewer.feed(snapshot(original.screen()));
    ASSERT_EQ(difference(viewer.screen(), original.screen()), "") << "seed " << seed;
  }
}

TEST(SnapshotTest, MadeInStepsItIsTheSame) {
  constexpr Size kSize{.cols = 7, .rows = 4};
  for (std::uint64_t seed = 200; seed < 260; ++seed) {
    std::vector<std::byte> ring(8 * 1024);
    Screen screen(kSize);
    screen.attach_history(History(ring));
    for (int i = 0; i < 20; ++i) screen.feed(nasty_stream(seed * 100 + i, kSize) + "\r\nline");
    if (seed % 2 == 0) screen.resize({.cols = 5, .rows = 4});
    for (const Unfinished unfinished : {Unfinished::carry, Unfinished::resend}) {
      for (const int rows : {0, 3, kAllHistory}) {
        const SnapshotOptions options{.history_rows = rows, .unfinished = unfinished};
        for (const std::size_t most : {1, 100, 4000}) {
          SnapshotInSteps steps(screen, options);
          while (!steps.step(most)) {
          }
          ASSERT_EQ(steps.take().bytes, snapshot(screen, options)) << "seed " << seed;
        }
      }
    }
  }
}

TEST(SnapshotTest, AStepWritesAboutAsMuchAsItMay) {
  std::vector<std::byte> ring(256 * 1024);
  Screen screen({.cols = 80, .rows = 24});
  screen.attach_history(History(ring));
  for (int i = 0; i < 2000; ++i) screen.feed(std::to_string(i) + "\r\n");
  SnapshotInSteps steps(screen);
  int count = 1;
  while (!steps.step(1000)) ++count;
  EXPECT_GT(count, 60);
}

TEST(SnapshotTest, HistoryCanBeLeftOutOrCutToTheNewest) {
  TestScreen t(4, 1);
  t.feed("1\r\n2\r\n3\r\n4");
  for (const auto& [rows, expected] : {std::pair{0, ""}, {2, "2|3"}, {99, "1|2|3"}}) {
    TestScreen copy(4, 1);
    copy.feed(snapshot(t.screen(), {.history_rows = rows}));
    EXPECT_EQ(copy.history(), expected);
    EXPECT_EQ(copy.rows(), "4");
  }
}

TEST(SnapshotTest, ItAsksNothing) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const Size size = random_size(random);
    TestScreen t(size.cols, size.rows);
    t.feed(nasty_stream(seed, size));
    TestScreen copy(size.cols, size.rows);
    copy.feed(snapshot(t.screen()));
    EXPECT_TRUE(copy.queries().empty()) << "seed " << seed;
  }
}

TEST(SnapshotTest, ItBeginsWithAFullReset) {
  TestScreen t;
  EXPECT_TRUE(snapshot(t.screen())
                  .starts_with("\x1b"
                               "c"));
}

TEST(SnapshotTest, SoftWrapsReflowLikeTheOriginal) {
  TestScreen t(4, 2);
  t.feed("abcdefghij\r\n$ ");
  TestScreen copy(4, 2);
  copy.feed(snapshot(t.screen()));
  t.resize(12, 2);
  copy.resize(12, 2);
  EXPECT_EQ(copy.rows(), "abcdefghij|$ ");
  EXPECT_EQ(difference(copy.screen(), t.screen()), "");
}

}  // namespace
}  // namespace vt
