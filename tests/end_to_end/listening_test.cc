// Where the daemon listens is held by the keeper, and by no keeper for longer than somebody serves
// there or is about to.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "end_to_end/daemon_fixture.h"

namespace e2e {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// 0 if somebody listens there, even if nobody accepts.
int connect_error(int port) {
  const base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = loopback(port);
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
             ? 0
             : errno;
}

// A port that was free a moment ago.
int free_port() {
  const base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  return ntohs(address.sin_port);
}

class ListeningTest : public DaemonTest {
 protected:
  static std::string address(int port) { return "127.0.0.1:" + std::to_string(port); }

  // Kills the keeper and waits until the daemon has another one and serves with it.
  void replace_keeper() {
    const pid_t old = keeper_pid();
    ASSERT_EQ(::kill(old, SIGKILL), 0);
    ASSERT_TRUE(eventually([&] {
      const pid_t now = keeper_pid();
      if (now == old || now == 0) return false;
      const auto client = compatible();
      client->send(create_session("after"));
      return std::string(client
                             ->expect([](const json::object& message) {
                               const auto& type = message.at("type").as_string();
                               return type == "session_created" || type == "error";
                             })
                             .at("type")
                             .as_string()) == "session_created";
    }));
  }
  // The keeper, if one runs.
  [[nodiscard]] bool is_a_keeper_left() const { return keeper_pid() > 0 && exists(keeper_pid()); }
};

// The new keeper did not have the sockets: an upgrade could not listen, and without a daemon
// connections were refused.
TEST_F(ListeningTest, ANewKeeperIsGivenTheSockets) {
  start();
  replace_keeper();
  const auto upgraded = run({"upgrade"});
  EXPECT_EQ(upgraded.status, 0) << upgraded.output;
  EXPECT_EQ(get("/health").status, 200);
  kill_daemon();
  EXPECT_EQ(connect_error(port()), 0) << "it waits for the next daemon";
  const int before = port();
  start();
  EXPECT_EQ(port(), before);
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_EQ(run({"run", "main", "! echo through the Unix socket"}).output,
            "through the Unix socket\n");
}

// Whoever still went to the old address waited for ever.
TEST_F(ListeningTest, AnAddressThatIsNoLongerServedIsLetGoOf) {
  const int first = free_port();
  start({"--listen", address(first)});
  kill_daemon();
  EXPECT_EQ(connect_error(first), 0);
  const int second = free_port();
  start({"--listen", address(second)});
  EXPECT_EQ(port(), second);
  EXPECT_EQ(connect_error(first), ECONNREFUSED);
  take_over({"--listen", address(first)});
  EXPECT_EQ(connect_error(second), ECONNREFUSED);
  EXPECT_EQ(get("/health").status, 200);
}

TEST_F(ListeningTest, AStartThatFailsOnItsKeysLeavesNothing) {
  const int wanted = free_port();
  const auto failed = Process(serve_command(state_dir(), runtime_dir(),
                                            {"--listen", address(wanted), "--tls-certificate",
                                             "/no/such/file", "--tls-key", "/no/such/key"}),
                              environment())
                          .wait();
  EXPECT_EQ(WEXITSTATUS(failed.status), 1);
  EXPECT_NE(failed.output.find("/no/such/"), std::string::npos) << failed.output;
  EXPECT_EQ(connect_error(wanted), ECONNREFUSED);
  EXPECT_FALSE(is_a_keeper_left());
}

TEST_F(ListeningTest, AStartWhoseAddressIsTakenLeavesNothing) {
  const int taken = free_port();
  const base::Fd other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in there = loopback(taken);
  ASSERT_EQ(::bind(other.get(), reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
  ASSERT_EQ(::listen(other.get(), 1), 0);
  const auto failed =
      Process(serve_command(state_dir(), runtime_dir(), {"--listen", address(taken)}),
              environment())
          .wait();
  EXPECT_EQ(WEXITSTATUS(failed.status), 1);
  EXPECT_NE(failed.output.find("Address already in use"), std::string::npos) << failed.output;
  EXPECT_TRUE(eventually([&] { return !is_a_keeper_left(); }));
}

// The keeper was there before, so it stays; where the daemon began to listen, nobody does.
TEST_F(ListeningTest, AStartThatFailsLateListensNowhere) {
  ASSERT_EQ(Process({kKeeperProgram, "--detach", "--runtime-dir", runtime_dir()}).wait().status, 0);
  ASSERT_TRUE(eventually([&] { return keeper_pid() > 0; })) << "it can be reached before it signs";
  const pid_t keeper = keeper_pid();
  // The daemon asks for this socket after its address.
  std::ofstream(runtime_dir() / "control.sock") << "not a socket";
  const int wanted = free_port();
  const auto failed =
      Process(serve_command(state_dir(), runtime_dir(), {"--listen", address(wanted)}),
              environment())
          .wait();
  EXPECT_EQ(WEXITSTATUS(failed.status), 1);
  EXPECT_NE(failed.output.find("control.sock exists and is not a socket"), std::string::npos)
      << failed.output;
  EXPECT_EQ(connect_error(wanted), ECONNREFUSED);
  EXPECT_TRUE(exists(keeper));
  std::filesystem::remove(runtime_dir() / "control.sock");
  start({"--listen", address(wanted)});
  EXPECT_EQ(get("/health").status, 200) << "and it can be started again";
}

// The trial was passed, the address was listened on, and then whoever asked went away.
TEST_F(ListeningTest, AnUpgradeThatDoesNotComeLeavesNoAddressBehind) {
  const auto config = dir() / "config.toml";
  const int first = free_port();
  const int second = free_port();
  std::ofstream(config) << "listen = \"" << address(first) << "\"\n";
  Process daemon({kDaemonProgram, "serve", "--config", config, "--env-file", "/dev/null"},
                 environment());
  ASSERT_TRUE(eventually([&] { return connect_error(first) == 0; }));
  ASSERT_TRUE(eventually([&] { return run({"upgrade"}).status == 0; }));
  std::ofstream(config) << "listen = \"" << address(second) << "\"\n";
  // A keeper that cannot be: the upgrade ends after the daemon's trial.
  const auto bin = dir() / "bin";
  std::filesystem::create_directory(bin);
  std::filesystem::copy_file(kDaemonProgram, bin / "holdfast");
  std::ofstream(bin / "holdfast-keeper") << "#!/bin/sh\nexit 1\n";
  std::filesystem::permissions(bin / "holdfast-keeper", std::filesystem::perms(0755));
  const auto refused = Process({bin / "holdfast", "upgrade"}, environment()).wait();
  EXPECT_EQ(WEXITSTATUS(refused.status), 1) << refused.output;
  EXPECT_TRUE(eventually([&] { return connect_error(second) == ECONNREFUSED; }));
  EXPECT_EQ(connect_error(first), 0);
}

// A service manager starts the keeper, in a place of its own; one that the daemon started would
// hold people's shells in the daemon's.
TEST_F(ListeningTest, WhereSomebodyElseStartsTheKeeperItIsWaitedFor) {
  Process daemon(serve_command(state_dir(), runtime_dir(), {"--start-keeper=false"}),
                 environment());
  const auto start_keeper = [&] {
    ASSERT_EQ(Process({kKeeperProgram, "--detach", "--runtime-dir", runtime_dir()}).wait().status,
              0);
  };
  const auto says = [&](const std::string& word) {
    return run({"--no-start", "run", "main", "! echo " + word}).output == word + "\n";
  };
  start_keeper();
  ASSERT_TRUE(eventually([&] { return says("first"); }));
  const pid_t first = keeper_pid();
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  ASSERT_TRUE(eventually([&] { return !exists(first); }));
  EXPECT_FALSE(says("none"));
  EXPECT_EQ(keeper_pid(), first) << "the daemon has started one";
  start_keeper();
  EXPECT_TRUE(eventually([&] { return says("second"); }));
  EXPECT_TRUE(daemon.is_running());
}

}  // namespace
}  // namespace e2e
