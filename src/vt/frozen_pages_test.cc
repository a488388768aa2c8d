#include "vt/frozen_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

// Fills released pages, so that a read of them is noticed.
void overwrite(std::span<std::byte> page) {
  std::ranges::fill(page, std::byte{0xdd});
}

class FrozenPagesTest : public testing::Test {
 protected:
  static constexpr std::size_t kPage = 256;
  static constexpr std::size_t kPages = 8;

  // A ring that ends after that many pages and has already wrapped around.
  FrozenPages open(std::size_t pages = 0) {
    return {ring_, std::as_writable_bytes(std::span(store_)), ring_.size() + pages * kPage,
            overwrite, kPage};
  }
  std::string page(const FrozenPages& pages, std::size_t number) {
    pages.before_read(number * kPage, kPage);
    return {reinterpret_cast<const char*>(ring_.data()) + number * kPage, kPage};
  }
  void write(FrozenPages& pages, std::size_t number, char with) {
    pages.before_write(number * kPage, kPage);
    std::memset(ring_.data() + number * kPage, with, kPage);
  }
  // Incompressible bytes.
  void write_noise(FrozenPages& pages, std::size_t number) {
    pages.before_write(number * kPage, kPage);
    for (std::size_t i = 0; i < kPage; ++i)
      ring_[number * kPage + i] = static_cast<std::byte>(random_.below(256));
  }

  Random random_{1};
  std::vector<std::byte> ring_ = std::vector<std::byte>(kPages * kPage);
  std::vector<std::uint64_t> store_ = std::vector<std::uint64_t>(200);
};

TEST_F(FrozenPagesTest, APageIsTheSameAfterwards) {
  FrozenPages pages = open();
  write(pages, 0, 'a');
  write(pages, 1, 'b');
  ASSERT_TRUE(pages.freeze(0));
  EXPECT_EQ(ring_[0], std::byte{0xdd}) << "its memory is given back";
  EXPECT_FALSE(pages.is_in_ring(0));
  EXPECT_EQ(page(pages, 0), std::string(kPage, 'a'));
  EXPECT_TRUE(pages.is_frozen(0)) << "reading leaves it in the store";
  ASSERT_TRUE(pages.freeze(0));
  EXPECT_EQ(page(pages, 0), std::string(kPage, 'a'));
  EXPECT_EQ(page(pages, 1), std::string(kPage, 'b'));
}

TEST_F(FrozenPagesTest, ARangeMayMeetTheRingsEnd) {
  FrozenPages pages = open();
  write(pages, 0, 'a');
  write(pages, kPages - 1, 'z');
  ASSERT_TRUE(pages.freeze(0));
  ASSERT_TRUE(pages.freeze(kPages - 1));
  pages.before_read(ring_.size() - 2, 4);
  EXPECT_TRUE(pages.is_in_ring(0));
  EXPECT_TRUE(pages.is_in_ring(kPages - 1));
}

TEST_F(FrozenPagesTest, OnlyAFewAreThawedAtATime) {
  FrozenPages pages = open();
  for (std::size_t i = 0; i < kPages; ++i) {
    write(pages, i, static_cast<char>('a' + i));
    ASSERT_TRUE(pages.freeze(i));
  }
  for (std::size_t i = 0; i < kPages; ++i)
    EXPECT_EQ(page(pages, i), std::string(kPage, static_cast<char>('a' + i)));
  std::size_t thawed = 0;
  for (std::size_t i = 0; i < kPages; ++i) thawed += pages.is_in_ring(i) ? 1 : 0;
  EXPECT_EQ(thawed, 4U);
  pages.before_read(2 * kPage - 1, 6 * kPage);
  for (std::size_t i = 1; i < kPages; ++i)
    EXPECT_TRUE(pages.is_in_ring(i)) << "but all that are wanted at once";
}

TEST_F(FrozenPagesTest, WhatIsWrittenCounts) {
  FrozenPages pages = open();
  write(pages, 0, 'a');
  ASSERT_TRUE(pages.freeze(0));
  pages.before_write(10, 1);
  ring_[10] = std::byte{'x'};
  EXPECT_FALSE(pages.is_frozen(0));
  EXPECT_EQ(page(pages, 0), std::string(10, 'a') + "x" + std::string(kPage - 11, 'a'));
}

TEST_F(FrozenPagesTest, AreFoundAgain) {
  {
    FrozenPages pages = open();
    write(pages, 0, 'a');
    write(pages, 1, 'b');
    ASSERT_TRUE(pages.freeze(0));
    ASSERT_TRUE(pages.freeze(1));
    static_cast<void>(page(pages, 1));
  }
  FrozenPages again = open(2);
  EXPECT_FALSE(again.is_in_ring(1)) << "what was thawed may be half overwritten";
  write(again, 2, 'c');
  ASSERT_TRUE(again.freeze(2));
  EXPECT_EQ(page(again, 0) + page(again, 1) + page(again, 2),
            std::string(kPage, 'a') + std::string(kPage, 'b') + std::string(kPage, 'c'));
}

TEST_F(FrozenPagesTest, AFullStoreWantsTheOldestToGo) {
  FrozenPages pages = open();
  const std::size_t kept = (pages.always_kept() - pages.kept_warm()) / kPage;
  ASSERT_GE(kept, 2U);
  std::vector<std::string> now(kPages);
  for (std::size_t turn = 0; turn < 100; ++turn) {
    const std::size_t number = turn % kPages;
    write_noise(pages, number);
    now[number] = page(pages, number);
    for (std::size_t oldest = turn > kPages ? turn - kPages + 1 : 0; !pages.freeze(number);
         ++oldest) {
      ASSERT_LE(oldest + kept, turn) << "those behind it fit";
      pages.forget(oldest % kPages);
    }
    for (std::size_t back = 0; back < std::min(kept, turn + 1); ++back) {
      const std::size_t earlier = (turn - back) % kPages;
      ASSERT_EQ(page(pages, earlier), now[earlier]) << turn << " " << back;
    }
  }
}

TEST_F(FrozenPagesTest, DamageIsZeroes) {
  FrozenPages pages = open();
  for (std::size_t i = 0; i < kPages; ++i) {
    write(pages, i, 'a');
    ASSERT_TRUE(pages.freeze(i));
  }
  for (std::size_t i = 0; i < kPages; ++i) store_[i] = ~std::uint64_t{0} / (i + 1);
  for (std::size_t i = kPages; i < store_.size(); ++i) store_[i] = 7 * i;
  EXPECT_EQ(page(pages, 3), std::string(kPage, '\0'));
  FrozenPages again = open();
  for (std::size_t i = 0; i < kPages; ++i) EXPECT_EQ(page(again, i), std::string(kPage, '\0'));
}

// --- the history over them

class FrozenHistoryTest : public testing::Test {
 protected:
  static constexpr std::size_t kPage = 512;
  static constexpr std::size_t kRing = 64 * kPage;

  History open(HistoryPosition position = {}) {
    History history(ring_, std::as_writable_bytes(std::span(store_)), position, overwrite, kPage);
    history.publish(begin_, end_);
    return history;
  }
  static void freeze_all(Screen& screen) {
    while (screen.freeze_history(screen.state().history.position().end, 1)) {
    }
  }
  static std::string lines(int from, int to) {
    std::string out;
    for (int i = from; i < to; ++i) out += "line " + std::to_string(i) + " is like others\r\n";
    return out;
  }

  std::vector<std::byte> ring_ = std::vector<std::byte>(kRing);
  std::vector<std::uint64_t> store_ = std::vector<std::uint64_t>(512);
  std::atomic<std::uint64_t> begin_ = 0;
  std::atomic<std::uint64_t> end_ = 0;
};

TEST_F(FrozenHistoryTest, HoldsMoreThanItsMemory) {
  overwrite(ring_);
  Screen screen({.cols = 40, .rows = 4});
  screen.attach_history(open());
  screen.feed(lines(0, 500));
  const std::string before = snapshot(screen);
  freeze_all(screen);
  EXPECT_EQ(screen.state().history.rows(), 497);
  EXPECT_EQ(snapshot(screen), before);
  freeze_all(screen);
  std::size_t taken = store_.size() * sizeof(store_[0]);
  for (std::size_t i = 0; i < kRing; i += kPage)
    if (std::ranges::any_of(std::span(ring_).subspan(i, kPage),
                            [](std::byte byte) { return byte != std::byte{0xdd}; }))
      taken += kPage;
  EXPECT_LE(taken, screen.state().history.position().end / 2);
}

// Everything is the same as without freezing, as far back as the window.
TEST_F(FrozenHistoryTest, IsTheSameAsOneThatIsNot) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::ranges::fill(store_, 0);
    const Size size = random_size(random);
    Screen screen(size);
    screen.attach_history(open());
    std::vector<std::byte> plain(kRing);
    Screen whole(size);
    whole.attach_history(History(plain));
    for (int step = 0; step < 200; ++step) {
      if (random.one_in(12)) {
        const Size next = random_size(random);
        // What a resize may read depends on the window.
        if (screen.state().history.position().end < kRing / 8) {
          screen.resize(next);
          whole.resize(next);
        }
      }
      std::string piece = random_piece(random, size);
      if (random.one_in(2)) piece += lines(step, step + random.between(1, 9));
      screen.feed(piece);
      whole.feed(piece);
      if (random.one_in(3))
        screen.freeze_history(screen.state().history.position().end, random.between(1, 9));
      if (random.one_in(20))
        screen.attach_history(open({begin_, screen.state().history.position().end}));
    }
    // The oldest line may be cut and then folds differently.
    const int rows = screen.state().history.rows() * 3 / 4;
    const std::string mine = snapshot(screen, {.history_rows = rows});
    ASSERT_EQ(mine, snapshot(whole, {.history_rows = rows})) << "seed " << seed;
    ASSERT_GE(screen.state().history.position().end - begin_ + kPage,
              std::min<std::uint64_t>(screen.state().history.window(), end_));
  }
}

}  // namespace
}  // namespace vt
