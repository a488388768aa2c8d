// One daemon at a time.

#include <signal.h>
#include <sys/wait.h>

#include <fstream>

#include "base/peer.h"
#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class OwnershipTest : public KeeperTest {
 protected:
  // A daemon in a process of its own that serves this keeper.
  std::vector<std::string> serve(bool takeover = false) const {
    std::vector<std::string> argv = serve_command(dir() / "state", dir());
    if (takeover) argv.push_back("--takeover");
    return argv;
  }
  // The pid of the owner as a bare probe sees it.
  pid_t owner_pid() const {
    const auto socket = keeper::connect_to_keeper(dir());
    if (!socket || !keeper::send_packet(*socket, keeper::Message(keeper::Tag::hello, 1).encode()))
      return -1;
    base::Result<keeper::Packet> packet;
    if (!eventually([&] { return (packet = keeper::receive_packet(*socket)).has_value(); }))
      return -1;
    return static_cast<pid_t>(
        keeper::Message::decode(packet->bytes)->number_or(keeper::Field::owner, 0));
  }
};

TEST_F(OwnershipTest, ASecondDaemonIsToldWhoServes) {
  Process first(serve());
  ASSERT_TRUE(eventually([&] { return owner_pid() == first.pid(); }));
  Process second(serve());
  const auto outcome = second.wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("pid " + std::to_string(first.pid()) + " is already running"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("--takeover"), std::string::npos);
  EXPECT_TRUE(first.is_running());
  EXPECT_EQ(owner_pid(), first.pid()) << "and no probe displaced it";
}

TEST_F(OwnershipTest, ATakeoverLetsTheOldOneFinish) {
  Process first(serve());
  ASSERT_TRUE(eventually([&] { return owner_pid() == first.pid(); }));
  Process second(serve(true));
  const auto outcome = first.wait();
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0) << outcome.output;
  EXPECT_TRUE(eventually([&] { return owner_pid() == second.pid(); }));
}

// A daemon that hangs cannot let go. It is killed, and only when it has ended is the new one
// granted.
TEST_F(OwnershipTest, ADaemonThatDoesNotLetGoIsKilledFirst) {
  Process first(serve());
  ASSERT_TRUE(eventually([&] { return owner_pid() == first.pid(); }));
  first.signal(SIGSTOP);
  Process second(serve(true));
  const auto outcome = first.wait();
  EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGKILL);
  EXPECT_TRUE(eventually([&] { return owner_pid() == second.pid(); }));
}

TEST_F(OwnershipTest, AKilledDaemonIsSucceededAtOnce) {
  for (int i = 0; i < 10; ++i) {
    Process daemon(serve());
    ASSERT_TRUE(eventually([&] { return owner_pid() == daemon.pid(); }));
    daemon.signal(SIGKILL);
    daemon.wait();
  }
}

TEST_F(OwnershipTest, AClaimantThatGoesAwayDoesNotGetTheOwnerKilled) {
  Process first(serve());
  ASSERT_TRUE(eventually([&] { return owner_pid() == first.pid(); }));
  first.signal(SIGSTOP);  // So that the claim waits.
  {
    const auto claimant = keeper::connect_to_keeper(dir());
    ASSERT_TRUE(claimant);
    keeper::Message claim(keeper::Tag::claim, 1);
    claim.add(keeper::Field::takeover, std::uint64_t{1});
    ASSERT_TRUE(keeper::send_packet(*claimant, claim.encode()));
    ASSERT_TRUE(keeper::send_packet(*claimant, keeper::Message(keeper::Tag::hello, 2).encode()));
    // Requests are taken in order: with the answer to the second, the first is under way.
    ASSERT_TRUE(eventually([&] { return keeper::receive_packet(*claimant).has_value(); }));
  }
  first.signal(SIGCONT);
  const auto outcome = first.wait();
  EXPECT_TRUE(WIFEXITED(outcome.status))
      << "it let go by itself, as it was told: " << outcome.output;
  EXPECT_EQ(owner_pid(), 0);
}

// The connection is not the process: as long as the process lives, it may still write to the
// terminals.
TEST_F(OwnershipTest, ALostConnectionIsNotAnExit) {
  auto child = owner().spawn("t", {"/bin/cat"});
  ASSERT_TRUE(child);
  const pid_t self = ::getpid();
  drop_owner();
  EXPECT_EQ(owner_pid(), self);
  Process other(serve());
  const auto outcome = other.wait();
  EXPECT_NE(outcome.status, 0) << "this process owns the children still";
  EXPECT_TRUE(exists(child->info.pid)) << "and nobody took the lost connection for the child's end";
  ASSERT_TRUE(owner().attach("t")) << "it may come back";
}

TEST_F(OwnershipTest, AfterYieldingAnotherMayClaim) {
  ASSERT_TRUE(owner().wait(owner().keeper().yield()));
  EXPECT_EQ(owner_pid(), 0);
  EXPECT_EQ(owner().spawn("t", {"/bin/cat"}).error().code, base::Code::permission_denied)
      << "who let go may not go on";
  Process other(serve());
  EXPECT_TRUE(eventually([&] { return owner_pid() == other.pid(); }));
}

// The client connects again by itself and says so; it never takes the loss for anybody's exit.
TEST_F(OwnershipTest, TheClientReconnects) {
  auto child = owner().spawn("t", {"/bin/cat"});
  ASSERT_TRUE(child);
  Client& client = owner();
  // The keeper is made to close the connection by a packet that it cannot read.
  const auto fds = std::filesystem::directory_iterator("/proc/self/fd");
  bool broke = false;
  for (const auto& entry : fds) {
    const int fd = std::stoi(entry.path().filename());
    base::Fd borrowed(fd);
    const auto peer = base::peer_of(borrowed.get());
    if (peer && peer->pid == keeper_pid() && !broke) {
      const std::byte garbage[4]{};
      broke = keeper::send_packet(borrowed, garbage).has_value();
    }
    (void)borrowed.release();
  }
  ASSERT_TRUE(broke);
  client.run_until([&] { return client.back_count() == 1; });
  EXPECT_EQ(client.lost_count(), 1);
  EXPECT_TRUE(client.exits().empty());
  EXPECT_TRUE(client.attach("t"));
}

TEST_F(OwnershipTest, AnOwnerIsToldToLetGo) {
  Client& client = owner();
  Process successor(serve(true));
  client.run_until([&] { return client.let_go_count() == 1; });
  EXPECT_EQ(owner_pid(), ::getpid()) << "until it does, it stays the owner";
  ASSERT_TRUE(client.wait(client.keeper().yield()));
  EXPECT_TRUE(eventually([&] { return owner_pid() == successor.pid(); }));
}

// The keeper is gone, and another daemon was quicker with a new one.
TEST_F(OwnershipTest, AClientThatFindsAnotherDaemonOnItsReturnSaysSo) {
  Client& client = owner();
  keeper_process().signal(SIGKILL);
  keeper_process().wait();
  Process successor(serve());  // It starts a keeper, as none runs.
  ASSERT_TRUE(eventually([&] { return owner_pid() == successor.pid(); }));
  client.run_until([&] { return client.displaced_count() == 1; });
  EXPECT_EQ(client.back_count(), 0);
  successor.signal(
      SIGKILL);  // Or it would start another keeper in the place of the one that ends now.
  successor.wait();
  std::string pid;
  std::ifstream(dir() / "keeper.lock") >> pid;
  ::kill(std::stoi(pid), SIGTERM);
  EXPECT_TRUE(eventually([&] { return !exists(std::stoi(pid)); }));
}

TEST_F(OwnershipTest, AClientWhoseKeeperDiesSaysThatItLostTheConnection) {
  Client& client = owner();
  keeper_process().signal(SIGKILL);
  keeper_process().wait();
  client.run_until([&] { return client.lost_count() == 1; });
  EXPECT_EQ(client.spawn("t", {"/bin/cat"}).error().code, base::Code::unavailable);
}

}  // namespace
}  // namespace e2e
