// What the daemon makes of news from the keeper.

#include <signal.h>

#include "end_to_end/daemon_fixture.h"

namespace e2e {
namespace {

using DaemonKeeperTest = DaemonTest;

// The keeper may tell of the exit in the same breath as of the start.
TEST_F(DaemonKeeperTest, AProgramThatEndsAtOnceIsToldAsExited) {
  start({"--shell", "/bin/true"});
  const auto client = compatible();
  for (int i = 0; i < 50; ++i) {
    const std::string id = "t" + std::to_string(i);
    client->send(create_session(id));
    const auto closed = client->expect("session_closed");
    EXPECT_EQ(closed.at("sessionId").as_string(), json::string_view(id));
    EXPECT_EQ(closed.at("data").at("exitCode").as_int64(), 0);
  }
}

TEST_F(DaemonKeeperTest, AKeeperThatIsGoneIsReplacedAndItsTerminalsAreToldAsLost) {
  start();
  const auto client = compatible();
  client->send(create_session("a1"));
  client->expect("session_created");
  const pid_t first = keeper_pid();
  ::kill(first, SIGKILL);
  EXPECT_EQ(client->close_code(), 1012) << "a client that is told it comes back, and looks again";
  EXPECT_TRUE(eventually([&] { return keeper_pid() != first && exists(keeper_pid()); }));
  const auto again = compatible();
  again->send(create_session("a1"));
  again->expect("session_created");
  again->send(input("a1", "echo $((6*7))\r"));
  (void)output_until(*again, "42");
}

}  // namespace
}  // namespace e2e
