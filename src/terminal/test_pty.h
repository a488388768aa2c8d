// A PTY without line discipline, as a program in raw mode has it. Neither side blocks.

#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>

#include "base/fd.h"

namespace terminal {

struct TestPty {
  TestPty() {
    int master_fd = -1;
    int slave_fd = -1;
    termios raw{};
    ::cfmakeraw(&raw);
    EXPECT_EQ(::openpty(&master_fd, &slave_fd, nullptr, &raw, nullptr), 0);
    master.reset(master_fd);
    slave.reset(slave_fd);
    EXPECT_TRUE(base::set_nonblocking(master));
    EXPECT_TRUE(base::set_nonblocking(slave));
  }

  base::Fd master;
  base::Fd slave;
};

}  // namespace terminal
