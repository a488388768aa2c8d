// Keyed input on a real PTY, with daemons that die at any moment: a dead one is a log that is not
// used any more, and words in shared memory that it did not get to write.

#include "journal/input_log.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <random>

#include "journal/test_journal.h"

namespace journal {
namespace {

constexpr Shape kShape{.replay = 4096,
                       .slack = 4096,
                       .history = kPage + kInputArea,
                       .checkpoint = 4096,
                       .rows = 24,
                       .cols = 80};

class InputLogTest : public testing::Test {
 protected:
  InputLogTest() : journal_(kShape) {
    journal_.consumer.history().set_store(kInputArea);
    journal_.consumer.history().set_input_area();
    int master = -1;
    int slave = -1;
    termios raw{};
    ::cfmakeraw(&raw);
    EXPECT_EQ(::openpty(&master, &slave, nullptr, &raw, nullptr), 0);
    master_.reset(master);
    slave_.reset(slave);
    EXPECT_TRUE(base::set_nonblocking(master_) && base::set_nonblocking(slave_));
    restart();
  }

  // The next daemon.
  void restart() {
    log_ = InputLog::open(journal_.consumer.history().input_area(),
                          base::duplicate(journal_.memory).value(),
                          journal_.consumer.history().input_position());
  }
  InputHead& head() {
    return *reinterpret_cast<InputHead*>(journal_.consumer.history().input_area().data());
  }
  base::Status accept(const std::string& key, std::string_view bytes, Offset offset = 0) {
    return log_.accept({.key = key, .request = digest_of(bytes), .offset = offset}, bytes);
  }
  std::string read() {
    std::string text(1 << 16, '\0');
    const ssize_t size = ::read(slave_.get(), text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }
  // Types and reads until nothing waits.
  std::string read_all() {
    std::string text;
    while (log_.waiting() > 0) {
      (void)log_.type(master_, log_.waiting());
      text += read();
    }
    for (std::string more = read(); !more.empty(); more = read()) text += more;
    return text;
  }

  TestJournal journal_;
  base::Fd master_;
  base::Fd slave_;
  InputLog log_;
};

TEST_F(InputLogTest, WhatIsAcceptedIsTypedAndItsKeyKnown) {
  ASSERT_TRUE(accept("a", "hello", 7));
  ASSERT_NE(log_.find("a"), nullptr);
  EXPECT_EQ(log_.find("a")->offset, 7U);
  EXPECT_EQ(log_.find("b"), nullptr);
  EXPECT_EQ(log_.type(master_, 3), 3);
  restart();
  EXPECT_EQ(log_.waiting(), 2U);
  EXPECT_EQ(log_.find("a")->request, digest_of("hello"));
  EXPECT_EQ(read_all(), "hello");
}

TEST_F(InputLogTest, ADaemonThatDiedAfterItTypedDoesNotTypeTwice) {
  ASSERT_TRUE(accept("a", "hello"));
  ASSERT_EQ(log_.type(master_, 5), 5);
  head().typed = 0;  // It did not get so far.
  restart();
  EXPECT_EQ(log_.waiting(), 0U);
  EXPECT_EQ(read_all(), "hello");
}

TEST_F(InputLogTest, WhatWasNotAcceptedIsNotTyped) {
  ASSERT_TRUE(accept("a", "first"));
  ASSERT_TRUE(accept("b", "second"));
  head().inputs = 1;
  restart();
  EXPECT_EQ(log_.find("b"), nullptr);
  EXPECT_EQ(read_all(), "first");
  ASSERT_TRUE(accept("b", "again"));
  EXPECT_EQ(read_all(), "again");
}

TEST_F(InputLogTest, TheLastKeysAreKnown) {
  for (std::size_t i = 0; i < 3 * kInputKeys; ++i) {
    ASSERT_TRUE(accept(std::to_string(i), "x", i));
    (void)read_all();
    if (i % 7 == 0) restart();
  }
  for (std::size_t i = 0; i < 3 * kInputKeys; ++i) {
    const KeyedInput* const found = log_.find(std::to_string(i));
    ASSERT_EQ(found != nullptr, i >= 2 * kInputKeys) << i;
    ASSERT_TRUE(found == nullptr || found->offset == i);
  }
}

TEST_F(InputLogTest, WhatDoesNotFitIsRefusedAndNothingWaitingIsForgotten) {
  EXPECT_EQ(accept("", "x").error().code, base::Code::invalid_argument);
  EXPECT_EQ(accept(std::string(kLongestInputKey + 1, 'k'), "x").error().code,
            base::Code::invalid_argument);
  EXPECT_EQ(accept("k", std::string(kLongestKeyedInput + 1, 'x')).error().code,
            base::Code::invalid_argument);
  for (std::size_t i = 0; i < kInputKeys; ++i) ASSERT_TRUE(accept(std::to_string(i), "x"));
  EXPECT_EQ(accept("more", "x").error().code, base::Code::too_large) << "64 wait";
  EXPECT_EQ(log_.type(master_, 1), 1);
  const std::string half(kLongestKeyedInput, 'y');
  EXPECT_TRUE(accept("more", half));
  EXPECT_EQ(log_.type(master_, 1), 1);
  EXPECT_EQ(accept("most", half).error().code, base::Code::too_large) << "the ring is full";
  restart();
  EXPECT_EQ(log_.find("0"), nullptr);
  EXPECT_NE(log_.find("1"), nullptr);
  EXPECT_EQ(read_all(), std::string(kInputKeys, 'x') + half);
}

TEST_F(InputLogTest, AJournalWithoutTheAreaSaysSo) {
  InputLog none;
  EXPECT_EQ(none.accept({.key = "k"}, "x").error().code, base::Code::unsupported);
  EXPECT_EQ(none.find("k"), nullptr);
  none.forget_waiting();
}

TEST_F(InputLogTest, WhatNobodyCanReadIsForgottenButNotItsKey) {
  ASSERT_TRUE(accept("a", "hello"));
  log_.forget_waiting();
  restart();
  EXPECT_EQ(log_.waiting(), 0U);
  EXPECT_NE(log_.find("a"), nullptr);
}

// Any byte of the records, the head or the waiting bytes: either nothing is lost, or all of it is
// recognised as damaged. Nothing is typed that nobody sent.
TEST_F(InputLogTest, ADamagedLogIsRecognised) {
  ASSERT_TRUE(accept("a", "hello"));
  ASSERT_TRUE(accept("b", "there"));
  const auto area = journal_.consumer.history().input_area();
  const std::vector<std::byte> good(area.begin(), area.end());
  const off_t position = ::lseek(journal_.memory.get(), 0, SEEK_CUR);
  const auto at = [](std::size_t from, std::size_t size) { return std::pair(from, size); };
  for (const auto& [from, size] :
       {at(0, 16), at(kPage, 2 * sizeof(InputRecord)), at(kInputRingAt, 10)})
    for (std::size_t i = from; i < from + size; ++i)
      for (const auto flip : {0x01, 0x80, 0xff}) {
        std::ranges::copy(good, area.begin());
        ::lseek(journal_.memory.get(), position, SEEK_SET);
        area[i] ^= static_cast<std::byte>(flip);
        restart();
        ASSERT_TRUE(log_.was_damaged() || i < 16) << i;
        const std::string typed = read_all();
        ASSERT_TRUE(typed.empty() || std::string("hellothere").ends_with(typed) || typed == "hello")
            << i << typed;
        ASSERT_TRUE(accept("c", "!")) << "it goes on";
        ASSERT_EQ(read_all(), "!");
      }
}

TEST_F(InputLogTest, APositionElsewhereIsRecognised) {
  for (const off_t elsewhere : {off_t{0}, off_t{1} << 40}) {
    ASSERT_TRUE(accept("a", "hello"));
    ::lseek(journal_.memory.get(), elsewhere, SEEK_SET);
    restart();
    EXPECT_TRUE(log_.was_damaged());
    EXPECT_EQ(read_all(), "");
  }
}

// Accepts, types and dies at random, over many rounds of the ring.
TEST_F(InputLogTest, InAnyOrderEverythingIsTypedOnce) {
  std::mt19937 random(15);
  const auto below = [&](std::size_t most) { return random() % most; };
  std::string expected;
  std::string typed;
  for (int i = 0; i < 20'000; ++i) {
    switch (below(4)) {
      case 0: {
        std::string bytes = std::to_string(i) + ",";
        bytes.resize(bytes.size() + below(below(50) == 0 ? 20'000 : 100), 'x');
        const std::uint64_t before = head().inputs;
        if (!accept(std::to_string(i), bytes)) break;
        if (below(8) == 0) {  // It died just before it accepted this.
          head().inputs = before;
          restart();
        } else {
          expected += bytes;
        }
        break;
      }
      case 1: {
        const std::uint64_t before = head().typed;
        if (log_.waiting() > 0) (void)log_.type(master_, 1 + below(log_.waiting()));
        if (below(4) == 0) {  // It died just after it typed this.
          head().typed = before;
          restart();
        }
        break;
      }
      case 2:
        typed += read();
        break;
      default:
        if (below(4) == 0) restart();
    }
    ASSERT_FALSE(log_.was_damaged()) << i;
  }
  typed += read_all();
  EXPECT_GT(expected.size(), 10 * kInputRing);
  EXPECT_TRUE(typed == expected);
}

}  // namespace
}  // namespace journal
