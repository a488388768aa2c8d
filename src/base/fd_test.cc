#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace base {
namespace {

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

Fd open_null() {
  return Fd(::open("/dev/null", O_RDWR | O_CLOEXEC));
}

TEST(FdTest, ClosesWhatItOwns) {
  int raw = -1;
  {
    const Fd fd = open_null();
    raw = fd.get();
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(FdTest, MovingHandsOver) {
  Fd a = open_null();
  const int raw = a.get();
  Fd b = std::move(a);
  EXPECT_FALSE(
      a.valid());  // NOLINT(bugprone-use-after-move): the moved-from state is what is tested.
  EXPECT_EQ(b.get(), raw);
  b = open_null();
  EXPECT_TRUE(b.valid());
}

TEST(FdTest, DuplicateIsCloseOnExecAndOutlivesTheOriginal) {
  Fd original = open_null();
  const auto copy = duplicate(original);
  ASSERT_TRUE(copy);
  original.reset();
  EXPECT_EQ(::fcntl(copy->get(), F_GETFD), FD_CLOEXEC);
}

TEST(FdTest, SetOnExec) {
  const Fd fd = open_null();
  ASSERT_TRUE(set_on_exec(fd, OnExec::keep));
  EXPECT_EQ(::fcntl(fd.get(), F_GETFD), 0);
  ASSERT_TRUE(set_on_exec(fd, OnExec::close));
  EXPECT_EQ(::fcntl(fd.get(), F_GETFD), FD_CLOEXEC);
}

TEST(FdTest, AClosedDescriptorIsAnErrorNotACrash) {
  const Fd none;
  EXPECT_FALSE(duplicate(none));
  EXPECT_FALSE(set_on_exec(none, OnExec::keep));
  EXPECT_FALSE(set_nonblocking(none));
}

}  // namespace
}  // namespace base
