// Input on a real PTY. The test decides when the other side reads.

#include "terminal/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include "base/test_clock.h"
#include "terminal/test_pty.h"

namespace terminal {
namespace {

class InputTest : public testing::Test {
 protected:
  std::unique_ptr<Input> make(std::size_t limit) {
    return std::make_unique<Input>(io_.get_executor(), base::duplicate(pty_.master).value(), limit,
                                   clock_,
                                   [this](std::uint64_t count) { left_out_.push_back(count); });
  }

  // Runs the loop and reads until that many bytes have come.
  std::string read(std::size_t wanted) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() < wanted) {
      const ssize_t size = ::read(pty_.slave.get(), buffer.data(), buffer.size());
      if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
      clock_.advance(Input::kLookEvery);
      io_.restart();
      io_.run_for(std::chrono::milliseconds(1));
    }
    return text;
  }

  void stop(Input& input) {
    boost::asio::co_spawn(io_, [&] { return input.stop(); }, [](const std::exception_ptr&) {});
    io_.restart();
    io_.run();
  }

  // Types until the PTY is full. Returns what it accepted.
  std::string fill(Input& input) {
    std::string typed;
    while (input.waiting() == 0) {
      EXPECT_TRUE(input.write("0123456789abcdef"));
      typed += "0123456789abcdef";
    }
    return typed;
  }

  boost::asio::io_context io_;
  base::ManualClock clock_;
  std::vector<std::uint64_t> left_out_;
  TestPty pty_;
};

TEST_F(InputTest, WhatIsTypedArrives) {
  const auto input = make(1000);
  bool written = false;
  ASSERT_TRUE(input->write("hello"));
  input->reply("!", [&] { written = true; });
  EXPECT_TRUE(written) << "at once: nothing waits";
  EXPECT_EQ(read(6), "hello!");
  stop(*input);
}

TEST_F(InputTest, ALargePasteIntoASlowReaderArrivesWholeAndInOrder) {
  const auto input = make(8 << 20);
  std::string paste;
  for (int i = 0; paste.size() < (1 << 20); ++i) paste += std::to_string(i) + "\n";
  ASSERT_TRUE(input->write(paste));
  ASSERT_TRUE(input->write("end"));
  EXPECT_GT(input->waiting(), 0U);
  EXPECT_TRUE(read(paste.size() + 3) == paste + "end");
  EXPECT_EQ(input->waiting(), 0U);
  stop(*input);
}

TEST_F(InputTest, WhatWouldWaitBeyondTheLimitIsRefusedWhole) {
  const auto input = make(200'000);
  const std::string block(150'000, 'a');
  ASSERT_TRUE(input->write(block));
  const std::size_t waiting = input->waiting();
  ASSERT_GT(waiting, 60'000U) << "the PTY took less than it was given";
  const auto refused = input->write(block);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::too_large);
  EXPECT_EQ(input->waiting(), waiting) << "nothing of it is kept";
  EXPECT_TRUE(read(block.size()) == block);
  EXPECT_TRUE(input->write("more")) << "there is room again";
  EXPECT_EQ(read(4), "more");
  stop(*input);
}

TEST_F(InputTest, AClosedTerminalSaysSo) {
  const auto input = make(1000);
  pty_.slave.reset();
  pty_.master.reset();
  (void)input->write("x");  // This one may succeed; that is up to the kernel.
  Input none(io_.get_executor(), base::Fd(), 1000, clock_, {});
  const auto refused = none.write("x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::unavailable);
  stop(*input);
}

TEST_F(InputTest, AfterAHangUpNothingIsAcceptedAndNoReplyCountsAsWritten) {
  // The kernel refuses writes to a slave whose master is gone.
  Input input(io_.get_executor(), base::duplicate(pty_.slave).value(), 1000, clock_, {});
  pty_.master.reset();
  bool written = false;
  input.reply("r", [&] { written = true; });
  EXPECT_EQ(input.replies_waiting(), 0U);
  const auto refused = input.write("x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::unavailable);
  input.reply("r", [&] { written = true; });
  EXPECT_FALSE(written) << "a successor may still answer it";
  EXPECT_LE(input.foreground_group(), 0);
  stop(input);
}

// To wait for room takes a descriptor.
TEST_F(InputTest, WhatWaitedWhileNoDescriptorWasLeftIsNotLost) {
  const auto input = make(1 << 20);
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = files.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  std::string typed = fill(*input);
  io_.restart();
  io_.poll();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_GT(input->waiting(), 0U);
  ASSERT_TRUE(input->write("more"));
  typed += "more";
  EXPECT_TRUE(read(typed.size()) == typed);
  stop(*input);
}

// A program that asked without reading once filled the queue, and Ctrl-C was refused.
TEST_F(InputTest, RepliesThatNobodyReadsLeaveRoomForWhatPeopleType) {
  const auto input = make(100);
  std::string expected = fill(*input);
  int written = 0;
  for (int i = 0; i < 10'000; ++i) input->reply("\x1b[1;1R", [&] { ++written; });
  EXPECT_LE(input->replies_waiting(), Input::kMostReplies);
  EXPECT_GT(input->replies_waiting(), Input::kMostReplies / 2);
  ASSERT_TRUE(input->write("\x03"));
  const std::size_t kept = input->replies_waiting() / 6;
  (expected += "\x03");
  for (std::size_t i = 0; i < kept; ++i) expected += "\x1b[1;1R";
  EXPECT_TRUE(read(expected.size()) == expected) << "typed input first, then the oldest replies";
  EXPECT_EQ(written, static_cast<int>(kept));
  input->reply("\x1b[0n", {});
  EXPECT_EQ(read(4), "\x1b[0n") << "a program that reads again is answered again";
  stop(*input);
}

// A terminal in raw mode, but for its signals. The kernel looks at Ctrl-C when it has room for it.
TEST_F(InputTest, RepliesThatNobodyReadsLeaveRoomForCtrlCInTheKernel) {
  const auto input = make(100);
  const auto unread = [this] {
    int bytes = 0;
    ::ioctl(pty_.slave.get(), FIONREAD, &bytes);
    return bytes;
  };
  int sent = 0;
  for (int i = 0; i < 10'000; ++i) {
    input->reply("\x1b[1;1R", [&] { sent += 6; });
    if (i % 200 != 0) continue;
    // By then the kernel has passed it on.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (unread() < sent && std::chrono::steady_clock::now() < deadline) {
    }
    clock_.advance(Input::kLookEvery);
  }
  EXPECT_GT(unread(), Input::kMostUnread);
  EXPECT_LT(unread(), 4096 - 256);
  EXPECT_GT(input->replies_waiting(), 0U);
  ASSERT_TRUE(input->write("\x03"));
  EXPECT_EQ(input->waiting(), 0U);
  const std::size_t all = static_cast<std::size_t>(unread()) + input->replies_waiting();
  const std::string got = read(all);
  EXPECT_NE(got.find('\x03'), std::string::npos);
  EXPECT_LT(got.find('\x03'), 4096U) << "before the replies that wait";
  stop(*input);
}

TEST_F(InputTest, NothingIsTypedIntoTheMiddleOfAReply) {
  const auto input = make(1000);
  // A single reply may be longer than the PTY accepts.
  const std::string reply(200'000, 'r');
  input->reply(reply, {});
  ASSERT_GT(input->replies_waiting(), 0U);
  ASSERT_TRUE(input->write("typed"));
  EXPECT_TRUE(read(reply.size() + 5) == reply + "typed");
  stop(*input);
}

TEST_F(InputTest, LeftOutRepliesAreToldOnceAMinute) {
  const auto input = make(100);
  (void)fill(*input);
  while (left_out_.empty()) input->reply("\x1b[0n", {});
  EXPECT_EQ(left_out_, (std::vector<std::uint64_t>{1}));
  for (int i = 0; i < 1000; ++i) input->reply("\x1b[0n", {});
  clock_.advance(Input::kTellEvery - std::chrono::milliseconds(1));
  input->reply("\x1b[0n", {});
  EXPECT_EQ(left_out_.size(), 1U);
  clock_.advance(std::chrono::milliseconds(1));
  input->reply("\x1b[0n", {});
  EXPECT_EQ(left_out_, (std::vector<std::uint64_t>{1, 1002}));
  stop(*input);
}

}  // namespace
}  // namespace terminal
