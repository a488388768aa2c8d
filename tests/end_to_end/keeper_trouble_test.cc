// The daemon loses its connection to the keeper, or the keeper is replaced: clients see nothing of
// it.

#include <dirent.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "end_to_end/survival_fixture.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/socket.h"

namespace e2e {
namespace {

int option(const base::Fd& socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(socket.get(), SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

class KeeperTroubleTest : public SurvivalTest {
 protected:
  void SetUp() override {
    SurvivalTest::SetUp();
    start();
    create("flood", {LINE_WRITER, "0", "5000"});
    create("quiet", {"/bin/cat"});
    flood_.sit(compatible(), Wire::compatible, Begin::anew);
    flood_.pull_until_attached();
    quiet_.sit(native(), Wire::native, Begin::anew);
    quiet_.pull_until([&] { return quiet_.snapshots() > 0; });
  }

  // Ends the daemon's connection to its keeper under its feet. False if the system does not allow
  // it.
  bool cut_connection() {
    const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, daemon_pid(), 0)));
    bool cut = false;
    std::error_code closed;
    for (const auto& entry : std::filesystem::directory_iterator(
             "/proc/" + std::to_string(daemon_pid()) + "/fd", closed)) {
      const int number = std::stoi(entry.path().filename());
      const base::Fd copy(static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), number, 0)));
      if (!copy || option(copy, SO_TYPE) != SOCK_SEQPACKET) continue;
      cut = ::shutdown(copy.get(), SHUT_RDWR) == 0 || cut;
    }
    return cut;
  }

  void upgrade_keeper() {
    const auto socket = keeper::connect_to_keeper(runtime_dir());
    ASSERT_TRUE(socket);
    ASSERT_TRUE(keeper::send_packet(*socket, keeper::Message(keeper::Tag::upgrade, 5).encode()));
    base::Result<keeper::Packet> packet;
    ASSERT_TRUE(eventually([&] {
      packet = keeper::receive_packet(*socket);
      return packet.has_value();
    }));
    const auto answer = keeper::Message::decode(packet->bytes);
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->tag(), keeper::Tag::welcome);
  }

  // Both terminals go on over the connections that were there before.
  void expect_everything_goes_on() {
    const auto flood = flood_.offset();
    flood_.pull_until([&] { return flood_.offset() > flood + 1000; });
    const auto quiet = quiet_.offset();
    quiet_.type("x");
    quiet_.pull_until([&] { return quiet_.offset() > quiet; });
    EXPECT_EQ(numbered(flood_.mirror()).problem, "");
    EXPECT_EQ(flood_.snapshots(), 1);
  }

  Seat flood_{"flood"};
  Seat quiet_{"quiet"};
};

TEST_F(KeeperTroubleTest, ALostConnectionComesBack) {
  for (int i = 0; i < a_tenth_unless_soaking(50); ++i) {
    if (!cut_connection()) GTEST_SKIP() << "another process's connection cannot be cut here";
    expect_everything_goes_on();
    // What needs the keeper works again as soon as it is back.
    ASSERT_TRUE(eventually([&] {
      try {
        create("new" + std::to_string(i), {"/bin/cat"});
        return true;
      } catch (const std::exception&) {
        return false;
      }
    }));
  }
}

// What ends while nobody is told is known afterwards.
TEST_F(KeeperTroubleTest, AnExitDuringALostConnectionIsNotMissed) {
  create("short", {"/bin/sh", "-c", "read x; exit 7"});
  const auto client = compatible();
  client->send(reattach("short"));
  client->expect("scrollback");
  if (!cut_connection()) GTEST_SKIP() << "another process's connection cannot be cut here";
  client->send(input("short", "\r"));
  EXPECT_EQ(client->expect("session_closed").at("data").at("exitCode").as_int64(), 7);
}

TEST_F(KeeperTroubleTest, AnUpgradeOfTheKeeperIsNotNoticed) {
  const pid_t keeper = keeper_pid();
  for (int i = 0; i < a_tenth_unless_soaking(50); ++i) {
    upgrade_keeper();
    expect_everything_goes_on();
    create("new" + std::to_string(i), {"/bin/cat"});
  }
  EXPECT_EQ(keeper_pid(), keeper);
  kill_daemon();
  start();
  flood_.sit(compatible(), Wire::compatible, Begin::resume);
  flood_.pull_until_attached();
  EXPECT_EQ(numbered(flood_.mirror()).problem, "");
}

}  // namespace
}  // namespace e2e
