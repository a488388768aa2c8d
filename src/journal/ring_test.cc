#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "journal/test_journal.h"

namespace journal {
namespace {

bool is_signalled(const base::Fd& wakeup) {
  pollfd poll{.fd = wakeup.get(), .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, 0) == 1;
}

// The byte at an offset of a known sequence, with no period that a ring's size could hide.
char sequence_at(Offset offset) {
  return static_cast<char>((offset * 0x9e3779b97f4a7c15U) >> 56);
}

std::string sequence(Offset from, std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = sequence_at(from + i);
  return text;
}

TEST(RingTest, WhatIsPublishedCanBeRead) {
  TestJournal journal;
  journal.write("hello");
  const auto bytes = journal.consumer.view(0, 100);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), "hello");
  EXPECT_EQ(text_of(*journal.consumer.view(2, 2)), "ll");
  EXPECT_EQ(journal.consumer.view(5, 100)->size(), 0U);
}

TEST(RingTest, AnOffsetBeyondTheEndIsAnError) {
  TestJournal journal;
  journal.write("hello");
  EXPECT_EQ(journal.consumer.view(6, 1).error().code, base::Code::invalid_argument);
  EXPECT_FALSE(journal.consumer.advance(6));
}

TEST(RingTest, ConsumedNeverGoesBack) {
  TestJournal journal;
  journal.write("hello");
  ASSERT_TRUE(journal.consumer.advance(5));
  EXPECT_EQ(journal.consumer.advance(4).error().code, base::Code::invalid_argument);
  EXPECT_EQ(journal.consumer.consumed(), 5U);
}

TEST(RingTest, BoundedOutputStopsAtTheSlack) {
  TestJournal journal;
  EXPECT_EQ(journal.write(std::string(10000, 'x')), 4096U);
  EXPECT_EQ(journal.write("y"), 0U);
  ASSERT_TRUE(journal.consumer.advance(1000));
  EXPECT_EQ(journal.write(std::string(10000, 'y')), 1000U);
}

TEST(RingTest, TheReplayIsWholeHoweverFarTheProducerIs) {
  TestJournal journal;
  while (journal.producer.produced() < 1'000'000) {
    journal.write(sequence(journal.producer.produced(), 4096));
    ASSERT_TRUE(journal.consumer.advance(journal.consumer.produced()));
  }
  while (journal.write(sequence(journal.producer.produced(), 4096)) > 0) {
  }
  const Offset oldest = journal.consumer.consumed() - kSmallShape.replay;
  ASSERT_LE(journal.consumer.tail(), oldest);
  const auto bytes = journal.consumer.copy(oldest, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), sequence(oldest, kSmallShape.replay + kSmallShape.slack));
}

TEST(RingTest, FreeOutputKeepsExactlyTheNewest) {
  TestJournal journal;
  while (journal.producer.produced() < 1'000'000)
    journal.write(sequence(journal.producer.produced(), 5000), Limit::free);
  const Offset tail = journal.consumer.tail();
  EXPECT_EQ(journal.consumer.view(tail - 1, 1).error().code, base::Code::not_found);
  const auto bytes = journal.consumer.copy(tail, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), sequence(tail, journal.producer.produced() - tail));
}

TEST(RingTest, AViewThatWasOverwrittenIsNotIntact) {
  TestJournal journal;
  journal.write(std::string(4096, 'x'));
  ASSERT_TRUE(journal.consumer.view(0, 4096));
  EXPECT_TRUE(journal.consumer.intact(0));
  while (journal.producer.produced() < 200'000) journal.write(std::string(4096, 'y'), Limit::free);
  EXPECT_FALSE(journal.consumer.intact(0));
  EXPECT_EQ(journal.consumer.copy(0, 10).error().code, base::Code::not_found);
}

TEST(RingTest, AWakeUpIsSentOnlyToASleeper) {
  TestJournal journal;
  journal.write("a");
  EXPECT_FALSE(is_signalled(journal.consumer.data_fd()));
  EXPECT_FALSE(journal.consumer.sleep(0)) << "there is something to read, so it must not sleep";
  EXPECT_TRUE(journal.consumer.sleep(1));
  journal.write("b");
  EXPECT_TRUE(is_signalled(journal.consumer.data_fd()));
}

TEST(RingTest, TheEndWakesASleeperAndKeepsItAwake) {
  TestJournal journal;
  ASSERT_TRUE(journal.consumer.sleep(0));
  journal.producer.end();
  EXPECT_TRUE(is_signalled(journal.consumer.data_fd()));
  EXPECT_TRUE(journal.consumer.ended());
  EXPECT_FALSE(journal.consumer.sleep(0));
}

TEST(RingTest, AFullProducerIsWokenWhenHalfIsFree) {
  TestJournal journal;
  EXPECT_FALSE(journal.producer.sleep()) << "there is room, so it must not sleep";
  journal.write(std::string(4096, 'x'));
  ASSERT_TRUE(journal.producer.sleep());
  ASSERT_TRUE(journal.consumer.advance(100));
  EXPECT_FALSE(is_signalled(journal.wakeups.space.fd()));
  ASSERT_TRUE(journal.consumer.advance(2048));
  EXPECT_TRUE(is_signalled(journal.wakeups.space.fd()));
}

// A broken consumer cannot make the producer write out of bounds.
TEST(RingTest, ANonsensicalConsumedIsHarmless) {
  TestJournal journal;
  journal.write("hello");
  auto page = Mapping::once(journal.memory, 0, kPage).value();
  auto* header = reinterpret_cast<Header*>(page.data());
  for (const Offset nonsense : {Offset{6}, Offset{1} << 40, ~Offset{0}}) {
    header->consumed.store(nonsense);
    header->produced.store(nonsense);
    const auto room = journal.producer.room(Limit::bounded);
    EXPECT_LE(room.size(), kSmallShape.slack);
    EXPECT_EQ(journal.producer.produced(), 5U);
  }
}

TEST(RingTest, ASuccessorGoesOnWhereTheProducerWas) {
  TestJournal journal;
  journal.write("hello ");
  auto successor = Producer::open(base::duplicate(journal.memory).value(),
                                  duplicate_of(journal.wakeups), journal.producer.produced())
                       .value();
  std::memcpy(successor.room(Limit::bounded).data(), "world", 5);
  successor.publish(5);
  EXPECT_EQ(text_of(*journal.consumer.view(0, 100)), "hello world");
}

// Writes and consumes that much, then waits for more, as a daemon does.
void write_and_consume(TestJournal& journal, Offset total) {
  while (journal.producer.produced() < total) {
    journal.write(sequence(journal.producer.produced(), 4096));
    ASSERT_TRUE(journal.consumer.advance(journal.consumer.produced()));
  }
  ASSERT_TRUE(journal.consumer.sleep(journal.consumer.produced()));
}

std::uint64_t bytes_held(const TestJournal& journal) {
  struct stat status{};
  EXPECT_EQ(::fstat(journal.memory.get(), &status), 0);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

TEST(GiveBackTest, WhatIsPromisedStaysAndTheRestGoes) {
  TestJournal journal;
  write_and_consume(journal, 1'000'000);
  EXPECT_GT(bytes_held(journal), kSmallShape.replay + kWriteWindow);
  ASSERT_TRUE(journal.producer.give_back());
  EXPECT_LE(bytes_held(journal), kSmallShape.replay + 3 * kPage);
  EXPECT_EQ(journal.producer.spare(), 0U);

  const Offset oldest = journal.consumer.consumed() - kSmallShape.replay;
  ASSERT_LE(journal.consumer.tail(), oldest);
  EXPECT_GT(journal.consumer.tail(), oldest - kPage);
  const auto bytes = journal.consumer.copy(oldest, kSmallShape.replay);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), sequence(oldest, kSmallShape.replay));
  EXPECT_EQ(journal.consumer.view(oldest - kPage, 10).error().code, base::Code::not_found);
}

TEST(GiveBackTest, AViewOfWhatWasGivenBackIsNotIntact) {
  TestJournal journal;
  write_and_consume(journal, 1'000'000);
  const Offset oldest = journal.consumer.tail();
  ASSERT_TRUE(journal.consumer.view(oldest, 10));
  ASSERT_TRUE(journal.producer.give_back());
  EXPECT_FALSE(journal.consumer.intact(oldest));
}

TEST(GiveBackTest, NothingGoesThatWasNotConsumed) {
  TestJournal journal;
  write_and_consume(journal, 1'000'000);
  const Offset tail = journal.consumer.tail();
  journal.write("one more");
  ASSERT_TRUE(journal.consumer.sleep(journal.consumer.produced()));
  ASSERT_TRUE(journal.producer.give_back());
  EXPECT_EQ(journal.consumer.tail(), tail + 8);
}

// An older daemon assumes that every byte of the ring is whole.
TEST(GiveBackTest, NothingGoesUnderAConsumerThatDoesNotLook) {
  TestJournal journal;
  write_and_consume(journal, 1'000'000);
  auto page = Mapping::once(journal.memory, 0, kPage).value();
  auto* header = reinterpret_cast<Header*>(page.data());
  const std::uint64_t before = bytes_held(journal);
  for (const std::uint32_t older : {0U, kAsleep}) {
    header->consumer_asleep.store(older);
    ASSERT_TRUE(journal.producer.give_back());
    EXPECT_EQ(bytes_held(journal), before);
  }
}

TEST(GiveBackTest, AFreshJournalHasNothingToGive) {
  TestJournal journal;
  EXPECT_EQ(journal.producer.spare(), 0U);
  write_and_consume(journal, kSmallShape.replay);
  EXPECT_EQ(journal.producer.spare(), 0U);
}

TEST(GiveBackTest, ASuccessorKnowsWhatWasDropped) {
  TestJournal journal;
  write_and_consume(journal, 1'000'000);
  ASSERT_TRUE(journal.producer.give_back());
  auto successor = Producer::open(base::duplicate(journal.memory).value(),
                                  duplicate_of(journal.wakeups), journal.producer.produced())
                       .value();
  EXPECT_EQ(successor.spare(), 0U);
}

// A corrupted header costs only its consumer's output.
TEST(GiveBackTest, ANonsensicalDroppedIsHarmless) {
  TestJournal journal;
  journal.write("hello");
  auto page = Mapping::once(journal.memory, 0, kPage).value();
  reinterpret_cast<Header*>(page.data())->dropped.store(~Offset{0});
  EXPECT_EQ(journal.consumer.tail(), 5U);
  auto successor =
      Producer::open(base::duplicate(journal.memory).value(), duplicate_of(journal.wakeups), 5)
          .value();
  EXPECT_EQ(successor.spare(), 0U);
}

// Waits for an edge on the eventfd as the daemon does, but reads it, so that a test thread needs no
// epoll.
void wait_for(const base::Fd& wakeup) {
  pollfd poll{.fd = wakeup.get(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&poll, 1, 10'000), 1) << "a wake-up was lost";
  std::uint64_t count = 0;
  ASSERT_EQ(::read(wakeup.get(), &count, sizeof count), static_cast<ssize_t>(sizeof count));
}

// Writes a piece of random size, or sleeps while there is no room.
void write_some(Producer& producer, std::minstd_rand& random) {
  const auto room = producer.room(Limit::bounded);
  if (room.empty()) {
    if (producer.sleep()) wait_for(producer.wakeups().space.fd());
    return;
  }
  const std::size_t size = std::min<std::size_t>(room.size(), 1 + random() % 3000);
  const std::string text = sequence(producer.produced(), size);
  std::memcpy(room.data(), text.data(), size);
  producer.publish(size);
}

// The sleep protocol under contention: random sizes, both sides sleeping and waking, no byte lost,
// no wake-up lost.
TEST(RingTest, TwoThreadsLoseNothing) {
  TestJournal journal;
  constexpr Offset kTotal = 20'000'000;
  std::thread writer([&journal] {
    std::minstd_rand random(1);
    while (journal.producer.produced() < kTotal) write_some(journal.producer, random);
    journal.producer.end();
  });
  Offset read = 0;
  std::minstd_rand random(2);
  while (!journal.consumer.ended() || read < journal.consumer.produced()) {
    const auto bytes = journal.consumer.view(read, 1 + random() % 5000);
    ASSERT_TRUE(bytes);
    if (bytes->empty()) {
      if (journal.consumer.sleep(read)) wait_for(journal.consumer.data_fd());
      continue;
    }
    ASSERT_EQ(text_of(*bytes), sequence(read, bytes->size()));
    read += bytes->size();
    ASSERT_TRUE(journal.consumer.advance(read));
  }
  writer.join();
  EXPECT_GE(read, kTotal);
}

// Memory is released while the consumer reads old output: what it reads is right or reported as
// lost, the replay is always there, and nothing new is lost.
TEST(GiveBackTest, WhileOutputIsReadNothingIsWrong) {
  TestJournal journal;
  constexpr Offset kTotal = 10'000'000;
  std::thread writer([&journal] {
    std::minstd_rand random(1);
    while (journal.producer.produced() < kTotal) {
      const bool is_quiet = random() % 4 == 0;
      EXPECT_TRUE(!is_quiet || journal.producer.give_back());
      write_some(journal.producer, random);
    }
    journal.producer.end();
  });
  Offset read = 0;
  std::minstd_rand random(2);
  int lost = 0;
  while (!journal.consumer.ended() || read < journal.consumer.produced()) {
    const auto bytes = journal.consumer.view(read, 5000);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(text_of(*bytes), sequence(read, bytes->size()));
    read += bytes->size();
    ASSERT_TRUE(journal.consumer.advance(read));
    const bool sleeps = bytes->empty() && journal.consumer.sleep(read);

    const Offset promised = read - std::min<Offset>(read, kSmallShape.replay);
    const auto replay = journal.consumer.copy(promised, read - promised);
    ASSERT_TRUE(replay) << replay.error().message();
    ASSERT_EQ(text_of(*replay), sequence(promised, read - promised));
    const Offset older = read - std::min<Offset>(read, random() % (2 * kSmallShape.replay));
    const auto old = journal.consumer.copy(older, 10'000);
    if (!old) ++lost;
    ASSERT_TRUE(!old || text_of(*old) == sequence(older, old->size())) << "at " << older;
    if (sleeps) wait_for(journal.consumer.data_fd());
  }
  writer.join();
  EXPECT_GE(read, kTotal);
  EXPECT_GT(lost, 0) << "nothing was ever released";
}

}  // namespace
}  // namespace journal
