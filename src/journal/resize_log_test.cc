#include "journal/resize_log.h"

#include "journal/test_journal.h"

namespace journal {
namespace {

TEST(ResizeLogTest, RecordsComeBackInOrderFromANumberOn) {
  TestJournal journal;
  auto& log = journal.consumer.resizes();
  ASSERT_TRUE(log.record({.offset = 5, .rows = 24, .cols = 80}, 0));
  ASSERT_TRUE(log.record({.offset = 9, .rows = 50, .cols = 132}, 0));
  ASSERT_TRUE(log.record({.offset = 9, .rows = 10, .cols = 20}, 0));
  EXPECT_EQ(log.since(0).size(), 3U);
  const std::vector<Resize> expected{{.offset = 9, .rows = 50, .cols = 132},
                                     {.offset = 9, .rows = 10, .cols = 20}};
  EXPECT_EQ(journal.open_consumer().resizes().since(1), expected);
}

TEST(ResizeLogTest, AFullLogAsksForACheckpoint) {
  TestJournal journal;
  auto& log = journal.consumer.resizes();
  for (Offset i = 0; i < kResizeSlots; ++i)
    ASSERT_TRUE(log.record({.offset = 100 + i, .rows = 1, .cols = 1}, 0));
  const auto full = log.record({.offset = 200, .rows = 1, .cols = 1}, 0);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, base::Code::busy);
  EXPECT_EQ(log.since(0).size(), kResizeSlots) << "a refused record changes nothing";
  EXPECT_TRUE(log.record({.offset = 200, .rows = 1, .cols = 1}, 1));
  EXPECT_EQ(log.since(0).front().offset, 101U);
}

// While somebody drags a window's edge, the program may print nothing.
TEST(ResizeLogTest, ACheckpointMakesRoomWhereNoOutputCameBetween) {
  TestJournal journal;
  auto& log = journal.consumer.resizes();
  for (std::uint64_t i = 0; i < 3 * kResizeSlots; ++i)
    ASSERT_TRUE(log.record({.offset = 5, .rows = 1, .cols = 1}, log.count()));
  EXPECT_TRUE(log.since(log.count()).empty());
}

TEST(ResizeLogTest, ADamagedRecordIsLeftOut) {
  TestJournal journal;
  auto& log = journal.consumer.resizes();
  for (Offset i = 0; i < 3; ++i) ASSERT_TRUE(log.record({.offset = i, .rows = 1, .cols = 1}, 0));
  auto page = Mapping::once(journal.memory, 0, kPage).value();
  for (std::size_t at = 0; at < sizeof(ResizeRecord); ++at) {
    std::byte& byte = page.data()[offsetof(Header, resize) + sizeof(ResizeRecord) + at];
    byte ^= std::byte{4};
    EXPECT_EQ(log.since(0).size(), 2U) << at;
    byte ^= std::byte{4};
  }
}

TEST(ResizeLogTest, AnImpossibleCountIsHarmless) {
  TestJournal journal;
  auto page = Mapping::once(journal.memory, 0, kPage).value();
  reinterpret_cast<Header*>(page.data())->resizes.store(~std::uint64_t{0});
  EXPECT_TRUE(journal.consumer.resizes().since(0).empty());
}

}  // namespace
}  // namespace journal
