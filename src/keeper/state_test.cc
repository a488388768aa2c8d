#include "keeper/state.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace keeper {
namespace {

std::vector<Message> some_state() {
  std::vector<Message> state{Message(Tag::saved_keeper), Message(Tag::saved_child)};
  state[0].add(Field::fd_lock, std::uint64_t{3});
  state[1].add(Field::id, "a").add(static_cast<Field>(5000), "from the future");
  return state;
}

TEST(StateTest, WhatIsWrittenIsRead) {
  const auto state = write_state(some_state());
  ASSERT_TRUE(state);
  const auto read = read_state(*state);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[1].text(Field::id), "a");
}

TEST(StateTest, ACutOffStateIsAnError) {
  const auto state = write_state(some_state());
  struct stat status{};
  ASSERT_EQ(::fstat(state->get(), &status), 0);
  std::size_t whole = 0;
  for (off_t size = status.st_size - 1; size >= 0; --size) {
    ASSERT_EQ(::ftruncate(state->get(), size), 0);
    whole += read_state(*state).has_value();
  }
  EXPECT_EQ(whole, 1U) << "only where the first message ends and the second begins";
}

TEST(StateTest, AStateWithoutAKeeperIsAnError) {
  EXPECT_FALSE(read_state(*write_state({Message(Tag::saved_child)})));
  EXPECT_FALSE(read_state(*write_state({})));
}

TEST(StateTest, AKindThatIsNotKnownIsRefusedInTheTrial) {
  auto state = some_state();
  EXPECT_TRUE(check_state(state));
  state[1].add(Field::kind, std::uint64_t{2});
  EXPECT_FALSE(check_state(state));
}

TEST(StateTest, AJournalThatIsNotKnownIsRefusedInTheTrial) {
  auto state = some_state();
  state[1].add(Field::fd_memory, static_cast<std::uint64_t>(::open("/dev/null", O_RDWR)));
  const auto checked = check_state(state);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().what.find("the journal of 'a'"), std::string::npos);
}

TEST(StateTest, AnAdoptedDescriptorIsClosedOnExec) {
  const base::Fd null(::open("/dev/null", O_RDWR));
  Message message(Tag::saved_child);
  message.add(Field::fd_output, static_cast<std::uint64_t>(::dup(null.get())));
  const base::Fd adopted = adopt(message, Field::fd_output);
  ASSERT_TRUE(adopted.valid());
  EXPECT_EQ(::fcntl(adopted.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_FALSE(adopt(message, Field::fd_slave).valid());
}

TEST(StateTest, ADescriptorThatDidNotSurviveIsNone) {
  Message message(Tag::saved_child);
  message.add(Field::fd_output, std::uint64_t{987654});
  EXPECT_FALSE(adopt(message, Field::fd_output).valid());
}

}  // namespace
}  // namespace keeper
