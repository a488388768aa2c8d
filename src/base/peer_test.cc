#include "base/peer.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"

namespace base {
namespace {

TEST(PeerTest, IsTheProcessAndTheUserAtTheOtherEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const std::array<Fd, 2> owned{Fd(ends[0]), Fd(ends[1])};
  const auto peer = peer_of(owned[0].get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->pid, ::getpid());
  EXPECT_EQ(peer->uid, ::geteuid());
}

TEST(PeerTest, WhatIsNoSocketHasNone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::array<Fd, 2> owned{Fd(ends[0]), Fd(ends[1])};
  EXPECT_FALSE(peer_of(owned[0].get()));
}

}  // namespace
}  // namespace base
