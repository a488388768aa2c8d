// Leases, in every order of what can happen to one.

#include "terminal/keyboard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/test_clock.h"

namespace terminal {
namespace {

using namespace std::chrono_literals;

class KeyboardTest : public testing::Test {
 protected:
  KeyboardTest() {
    clock_.advance(1h);
    restart();
  }
  // The next daemon.
  void restart() { keyboard_.emplace(journal::LeaseSlots(area_), clock_); }
  std::string take(std::string id) {
    const auto taken = keyboard_->take(std::move(id), "bot", 30s);
    return taken ? "taken" : taken.error().what;
  }
  std::string type(std::string_view id) {
    const auto may = keyboard_->program_may_type(id);
    return may ? "typed" : may.error().what;
  }

  base::ManualClock clock_;
  // A page of its own, as in a journal: the records are aligned.
  alignas(64) std::array<std::byte, journal::kInputArea> area_{};
  std::optional<Keyboard> keyboard_;
};

constexpr std::string_view kHeld =
    "\"bot\" holds the keyboard of this terminal until 1970-01-01T01:00:30Z";
const std::string kOne(32, '1');
const std::string kTwo(32, '2');

TEST_F(KeyboardTest, WithoutALeaseEverybodyMayType) {
  EXPECT_EQ(type(""), "typed");
  EXPECT_EQ(type(kOne), "this lease has ended");
  EXPECT_TRUE(keyboard_->person_types(true));
  EXPECT_FALSE(keyboard_->lease());
}

TEST_F(KeyboardTest, OnlyTheHolderMayType) {
  ASSERT_EQ(take(kOne), "taken");
  EXPECT_EQ(type(kOne), "typed");
  EXPECT_EQ(type(""), kHeld);
  EXPECT_EQ(type(kTwo), kHeld);
  EXPECT_EQ(take(kTwo), kHeld);
  ASSERT_TRUE(keyboard_->lease());
  EXPECT_EQ(keyboard_->lease()->until, clock_.wall() + 30s);
  EXPECT_TRUE(keyboard_->release(kOne));
  EXPECT_EQ(type(""), "typed");
  EXPECT_EQ(type(kOne), "this lease was released");
}

TEST_F(KeyboardTest, ItExpiresUnlessItIsRenewed) {
  ASSERT_EQ(take(kOne), "taken");
  clock_.advance(29s);
  ASSERT_TRUE(keyboard_->renew(kOne, 30s));
  clock_.advance(29s);
  EXPECT_EQ(type(kOne), "typed");
  clock_.advance(1s);
  EXPECT_EQ(type(kOne), "this lease has expired");
  EXPECT_EQ(keyboard_->renew(kOne, 30s).error().what, "this lease has expired");
  EXPECT_EQ(type(""), "typed");
  EXPECT_EQ(take(kTwo), "taken");
  EXPECT_FALSE(keyboard_->renew(kOne, 30s)) << "it is another's now";
}

TEST_F(KeyboardTest, APersonTakesItBack) {
  ASSERT_EQ(take(kOne), "taken");
  EXPECT_TRUE(keyboard_->person_types(true));
  EXPECT_EQ(type(kOne), "a person took the keyboard back by typing");
  EXPECT_EQ(type(""), "typed");
  EXPECT_FALSE(keyboard_->renew(kOne, 30s));
  EXPECT_EQ(take(kTwo), "taken");
}

TEST_F(KeyboardTest, OrIsRefusedIfLeasesDoNotYield) {
  ASSERT_EQ(take(kOne), "taken");
  EXPECT_EQ(keyboard_->person_types(false).error().what, kHeld);
  EXPECT_EQ(type(kOne), "typed");
  clock_.advance(30s);
  EXPECT_TRUE(keyboard_->person_types(false));
}

TEST_F(KeyboardTest, WallTimeMayJump) {
  ASSERT_EQ(take(kOne), "taken");
  clock_.jump_wall_to(clock_.wall() + 24h);
  EXPECT_EQ(type(kOne), "typed");
  EXPECT_EQ(keyboard_->lease()->until, clock_.wall() + 30s);
}

TEST_F(KeyboardTest, IdleMeansThatNoPersonTyped) {
  EXPECT_TRUE(keyboard_->is_idle_for(10s));
  EXPECT_TRUE(keyboard_->person_types(true));
  EXPECT_FALSE(keyboard_->is_idle_for(10s));
  restart();
  clock_.advance(9s);
  EXPECT_FALSE(keyboard_->is_idle_for(10s));
  clock_.advance(1s);
  EXPECT_TRUE(keyboard_->is_idle_for(10s));
}

TEST_F(KeyboardTest, AJournalWithoutTheAreaHasNoLeases) {
  Keyboard none(journal::LeaseSlots(), clock_);
  EXPECT_EQ(none.take(kOne, "bot", 30s).error().code, base::Code::unsupported);
  EXPECT_TRUE(none.program_may_type(""));
  EXPECT_TRUE(none.person_types(true));
  EXPECT_FALSE(none.is_idle_for(10s)) << "this daemon knows";
}

// A daemon that dies while it writes a record leaves the one before.
TEST_F(KeyboardTest, AnyDamagedByteGivesThePreviousOne) {
  ASSERT_EQ(take(kOne), "taken");
  ASSERT_TRUE(keyboard_->release(kOne));
  const auto good = area_;
  for (std::size_t i = 64; i < 64 + 2 * sizeof(journal::LeaseRecord); ++i) {
    area_ = good;
    area_[i] ^= std::byte{0x41};
    restart();
    const std::string typed = type(kOne);
    // The first record, a lease that is held, is in slot 1.
    const bool is_first = i >= 64 + sizeof(journal::LeaseRecord);
    ASSERT_EQ(typed, is_first ? "this lease was released" : "typed") << i;
  }
}

// Every order of: take, renew, type, a person types, time passes, the daemon dies. What each says
// must be what a model without memory or damage says.
TEST_F(KeyboardTest, InEveryOrder) {
  enum class Step { take, renew, release, person, time, death };
  std::vector<Step> steps{Step::take,   Step::take, Step::renew, Step::release,
                          Step::person, Step::time, Step::death};
  std::ranges::sort(steps);
  int orders = 0;
  do {
    area_ = {};
    restart();
    std::optional<base::MonotonicTime> until;  // The model.
    std::string holder;
    char next = 'a';
    for (const Step step : steps) {
      const bool is_held = until && clock_.now() < *until;
      if (step == Step::take) {
        const std::string id(32, next++);
        ASSERT_EQ(take(id) == "taken", !is_held);
        if (is_held) continue;
        holder = id;
        until = clock_.now() + 30s;
      }
      if (step == Step::renew) {
        ASSERT_EQ(keyboard_->renew(holder, 30s).has_value(), is_held);
        if (is_held) until = clock_.now() + 30s;
      }
      if (step == Step::release) {
        ASSERT_EQ(keyboard_->release(holder).has_value(), is_held);
        until.reset();
      }
      if (step == Step::person) {
        ASSERT_TRUE(keyboard_->person_types(true));
        until.reset();
      }
      if (step == Step::time) clock_.advance(30s);
      if (step == Step::death) restart();
      const bool held_now = until && clock_.now() < *until;
      ASSERT_EQ(type("") == "typed", !held_now);
      ASSERT_EQ(!holder.empty() && type(holder) == "typed", held_now);
      ASSERT_EQ(keyboard_->lease().has_value(), held_now);
    }
    ++orders;
  } while (std::ranges::next_permutation(steps).found);
  EXPECT_EQ(orders, 2520);
}

}  // namespace
}  // namespace terminal
