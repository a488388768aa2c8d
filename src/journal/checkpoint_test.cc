#include "journal/checkpoint.h"

#include <vector>

#include "journal/test_journal.h"

namespace journal {
namespace {

std::vector<std::byte> screen_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

class CheckpointTest : public testing::Test {
 protected:
  // Writes a checkpoint for `offset` through a new consumer, as after a restart.
  void write(Offset offset, std::string_view text) {
    ASSERT_TRUE(journal_.open_consumer().checkpoints().write({.offset = offset,
                                                              .history = 7,
                                                              .rows = 24,
                                                              .cols = 80,
                                                              .resizes = 4,
                                                              .screen = screen_of(text)}));
  }
  std::string latest() {
    const auto found = journal_.open_consumer().checkpoints().latest();
    return found ? text_of(found->screen) : "none";
  }
  // The bytes of slot 0 or 1, writable as for any process that maps the journal.
  std::span<std::byte> slot(std::size_t number) {
    const auto& constants = journal_.consumer.constants();
    slots_ = Mapping::once(journal_.memory,
                           kPage + constants.output_capacity + constants.history_capacity,
                           2 * constants.checkpoint_capacity)
                 .value();
    return slots_.span().subspan(number * constants.checkpoint_capacity,
                                 constants.checkpoint_capacity);
  }

  TestJournal journal_;
  Mapping slots_;
};

TEST_F(CheckpointTest, AFreshJournalHasNone) {
  EXPECT_EQ(latest(), "none");
}

TEST_F(CheckpointTest, TheNewestCounts) {
  journal_.write("0123456789");
  write(3, "first");
  EXPECT_EQ(latest(), "first");
  write(5, "second");
  write(9, "third");
  EXPECT_EQ(latest(), "third");
  const auto found = journal_.open_consumer().checkpoints().latest();
  EXPECT_EQ(found->offset, 9U);
  EXPECT_EQ(found->history, 7U);
  EXPECT_EQ(found->rows, 24);
  EXPECT_EQ(found->cols, 80);
  EXPECT_EQ(found->resizes, 4U);
}

// Wherever the writer died, each byte of the newest slot may be old or new. Any wrong byte must be
// detected.
TEST_F(CheckpointTest, AnyDamagedByteGivesThePreviousOne) {
  journal_.write("0123456789");
  write(3, "previous");
  write(5, "newest");
  const auto newest = slot(0);  // The second one written has number 2.
  for (std::size_t at = 0; at < sizeof(CheckpointHeader) + 6; ++at) {
    newest[at] ^= std::byte{1};
    EXPECT_EQ(latest(), "previous") << at;
    newest[at] ^= std::byte{1};
  }
  EXPECT_EQ(latest(), "newest");
}

TEST_F(CheckpointTest, AnInterruptedWriteLeavesThePreviousAndIsRepeated) {
  journal_.write("0123456789");
  write(3, "previous");
  write(5, "newest");
  std::fill_n(slot(0).begin(), 8, std::byte{0});  // Died after the first store.
  EXPECT_EQ(latest(), "previous");
  write(6, "again");
  EXPECT_EQ(latest(), "again");
  std::fill_n(slot(0).begin(), 8, std::byte{0});
  EXPECT_EQ(latest(), "previous");
}

TEST_F(CheckpointTest, OneThatClaimsTheFutureIsSkipped) {
  journal_.write("0123456789");
  write(3, "good");
  write(11, "ahead of the output");
  EXPECT_EQ(latest(), "good");
}

TEST_F(CheckpointTest, OneThatDoesNotFitIsAnErrorAndLeavesTheOthers) {
  write(0, "good");
  auto consumer = journal_.open_consumer();
  const auto result =
      consumer.checkpoints().write({.screen = std::vector<std::byte>(kSmallShape.checkpoint)});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Code::too_large);
  EXPECT_EQ(latest(), "good");
}

TEST(CheckpointlessTest, AJournalWithoutSlotsHasNoneAndTakesNone) {
  TestJournal journal({.replay = 4096, .slack = 4096, .history = 0, .checkpoint = 0});
  EXPECT_FALSE(journal.consumer.checkpoints().latest());
  EXPECT_FALSE(journal.consumer.checkpoints().write({}));
}

}  // namespace
}  // namespace journal
