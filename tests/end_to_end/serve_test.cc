// The daemon as it is now: it starts the keeper, owns the children, and leaves them running.

#include <signal.h>
#include <sys/wait.h>

#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ServeTest : public KeeperTest {};

TEST_F(ServeTest, ItStartsAKeeperThatOutlivesIt) {
  const auto inner = dir() / "inner";
  pid_t keeper_pid = 0;
  {
    Process daemon(serve_command(dir() / "state", inner));
    ASSERT_TRUE(eventually([&] { return keeper::connect_to_keeper(inner).has_value(); }));
    keeper_pid = std::stoi([&] {
      std::string pid;
      EXPECT_TRUE(eventually([&] {
        std::ifstream(inner / "keeper.lock") >> pid;
        return !pid.empty();
      }));
      return pid;
    }());
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  EXPECT_TRUE(exists(keeper_pid));
  ::kill(keeper_pid, SIGTERM);
  EXPECT_TRUE(eventually([&] { return !exists(keeper_pid); }));
}

TEST_F(ServeTest, ItConsumesWhatChildrenWriteAndLeavesThemRunning) {
  auto child = owner().spawn("t", {"/usr/bin/yes"});
  ASSERT_TRUE(child);
  yield_owner();
  Process daemon(serve_command(dir() / "state", dir()));
  EXPECT_TRUE(eventually([&] { return child->journal.consumed() > 10'000'000; }))
      << "the child is not blocked";
  daemon.signal(SIGTERM);
  const auto outcome = daemon.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("its terminals keep running"), std::string::npos) << outcome.output;
  EXPECT_TRUE(exists(child->info.pid));
}

}  // namespace
}  // namespace e2e
