// A program is blocked by a daemon that does not consume, but never for long by one that is not
// there.

#include <chrono>

#include "end_to_end/keeper_fixture.h"
#include "programs/sequence.h"

namespace e2e {
namespace {

constexpr std::uint64_t kSlack = 256 * 1024;
constexpr std::uint64_t kReplay = 256 * 1024;

class BackpressureTest : public KeeperTest {
 protected:
  // Checks [from, to) of the known sequence, in pieces as they fit.
  static void expect_sequence(const keeper::AttachedChild& child, journal::Offset from,
                              journal::Offset to) {
    while (from < to) {
      const auto bytes = child.journal.copy(from, to - from);
      ASSERT_TRUE(bytes) << bytes.error().message();
      ASSERT_FALSE(bytes->empty());
      ASSERT_EQ(sequence::mismatch(*bytes, from), bytes->size());
      from += bytes->size();
    }
  }
};

TEST_F(BackpressureTest, AConsumerThatStopsBlocksTheChildAndLosesNothing) {
  auto child = owner().spawn("t", {SEQUENCE_WRITER, "20000000", "3"});
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return child->journal.produced() == kSlack; }));
  EXPECT_EQ(owner().attach("t")->info.state, keeper::State::running)
      << "it waits, it has not ended";
  // Consumed in uneven pieces, with a look at every byte: nothing is missing although the child was
  // blocked often.
  for (std::size_t piece = 1; child->journal.consumed() < 20'000'000; piece = piece * 7 % 100'003) {
    const auto from = child->journal.consumed();
    ASSERT_TRUE(eventually([&] { return child->journal.produced() > from; }));
    EXPECT_LE(child->journal.produced(), from + kSlack);
    const auto to = std::min(child->journal.produced(), from + piece);
    expect_sequence(*child, from, to);
    ASSERT_TRUE(child->journal.advance(to));
  }
  EXPECT_EQ(owner().exit_of("t").status.code, 3);
  EXPECT_TRUE(eventually([&] { return child->journal.ended(); }));
  EXPECT_EQ(child->journal.produced(), 20'000'000U);
}

using BackpressureMeasuringTest = BackpressureTest;

// One terminal is blocked: another one's echo takes its usual time.
TEST_F(BackpressureMeasuringTest, OtherTerminalsAreNotSlowed) {
  auto blocked = owner().spawn("blocked", {"/usr/bin/yes"});
  auto echo = owner().spawn("echo", {"/bin/cat"});
  ASSERT_TRUE(blocked && echo);
  ASSERT_TRUE(eventually([&] { return blocked->journal.produced() == kSlack; }));
  const auto round_trip = [&] {
    const auto before = std::chrono::steady_clock::now();
    const auto wanted = echo->journal.produced() + 6;
    type(*echo, "x\n");
    while (echo->journal.produced() < wanted) {
      if (std::chrono::steady_clock::now() - before > seconds(10)) break;
    }
    EXPECT_TRUE(echo->journal.advance(echo->journal.produced()));
    return std::chrono::steady_clock::now() - before;
  };
  std::vector<std::chrono::nanoseconds> times;
  for (int i = 0; i < 300; ++i) times.push_back(round_trip());
  std::sort(times.begin(), times.end());
  EXPECT_LT(times[times.size() / 2], milliseconds(5))
      << "a blocked terminal costs the others nothing";
  EXPECT_EQ(blocked->journal.produced(), kSlack);
}

TEST_F(BackpressureTest, WithoutADaemonTheChildIsBlockedForTenSecondsAndThenRunsFreely) {
  auto child = owner().spawn("t", {SEQUENCE_WRITER, "50000000", "9"});
  ASSERT_TRUE(child);
  const auto left = std::chrono::steady_clock::now();
  drop_owner();
  ASSERT_TRUE(eventually([&] { return child->journal.produced() == kSlack; }));
  ASSERT_TRUE(eventually([&] { return child->journal.ended(); }, seconds(60)))
      << "it ran to its end";
  const auto waited = std::chrono::steady_clock::now() - left;
  EXPECT_GE(waited, milliseconds(9'900)) << "enough for a daemon to restart and lose nothing";

  auto found = owner().attach("t");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->info.exit->status.code, 9);
  EXPECT_EQ(found->journal.produced(), 50'000'000U);
  EXPECT_EQ(found->journal.consumed(), 0U);
  // What is kept is exactly the newest, and as much as promised.
  const auto tail = found->journal.tail();
  EXPECT_GE(found->journal.produced() - tail, kReplay);
  EXPECT_FALSE(found->journal.copy(tail - 1, 1));
  expect_sequence(*found, tail, found->journal.produced());
}

// A daemon that comes back within the ten seconds finds everything; the clock starts anew each time
// one leaves.
TEST_F(BackpressureTest, ADaemonThatComesBackInTimeLosesNothing) {
  ASSERT_TRUE(owner().spawn("t", {SEQUENCE_WRITER, "3000000", "0"}));
  journal::Offset checked = 0;
  while (checked < 3'000'000) {
    auto child = owner().attach("t");
    ASSERT_TRUE(child);
    ASSERT_TRUE(eventually([&] { return child->journal.produced() > checked; }));
    const auto to = child->journal.produced();
    expect_sequence(*child, checked, to);
    ASSERT_TRUE(child->journal.advance(to));
    checked = to;
    drop_owner();
  }
}

}  // namespace
}  // namespace e2e
