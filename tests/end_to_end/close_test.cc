// Closing a child ends every process of its session, and nothing else.

#include <signal.h>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class CloseTest : public KeeperTest {
 protected:
  // Reads a pid that the child printed after `label`.
  static pid_t pid_after(const std::string& output, const std::string& label) {
    const auto at = output.find(label);
    EXPECT_NE(at, std::string::npos) << output;
    return std::stoi(output.substr(at + label.size()));
  }
};

TEST_F(CloseTest, AShellEndsByItsHangUp) {
  auto child = owner().spawn("t", {"/bin/bash", "--norc", "-i"});
  ASSERT_TRUE(child);
  // A bash that is not yet waiting for a key takes note of the signal, and acts on it at the next
  // key.
  (void)output_until(*child, "bash-");
  ASSERT_TRUE(eventually(
      [&] { return proc_file(child->info.pid, "stat").find(") S ") != std::string::npos; }));
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(owner().close("t", seconds(30)));
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(10)) << "it did not need the kill";
  EXPECT_FALSE(exists(child->info.pid));
  EXPECT_FALSE(owner().attach("t")) << "its record is forgotten";
}

TEST_F(CloseTest, ThePoliteSignalIsAHangUp) {
  auto child = owner().spawn("t", {"/bin/sh", "-c",
                                   "trap 'echo got HUP > " + (dir() / "hup").native() +
                                       "; exit' HUP; echo ready; while :; do sleep 0.01; done"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  ASSERT_TRUE(owner().close("t", seconds(30)));
  EXPECT_TRUE(std::filesystem::exists(dir() / "hup"));
}

TEST_F(CloseTest, AProcessThatIgnoresTheHangUpIsKilledAfterTheGrace) {
  auto child = owner().spawn(
      "t", {"/bin/sh", "-c", "trap '' HUP TERM INT; echo ready; while :; do sleep 0.01; done"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(owner().close("t", milliseconds(300)));
  EXPECT_GE(std::chrono::steady_clock::now() - before, milliseconds(300)) << "it had its grace";
  EXPECT_FALSE(exists(child->info.pid));
}

TEST_F(CloseTest, AStoppedProcessIsEnded) {
  auto child = owner().spawn("t", {"/bin/sh", "-c", "echo ready; kill -STOP $$; sleep 1000"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  ASSERT_TRUE(owner().close("t"));
  EXPECT_FALSE(exists(child->info.pid));
}

TEST_F(CloseTest, ADoubleForkedGrandchildInTheSessionIsGone) {
  auto child = owner().spawn(
      "t", {"/bin/sh", "-c",
            "trap '' HUP; (sh -c 'trap \"\" HUP; echo pid=$$; exec sleep 1000 </dev/null "
            ">/dev/null 2>&1' &) ; echo ready; read x"});
  ASSERT_TRUE(child);
  std::string output = output_until(*child, "ready");
  if (output.find("pid=") == std::string::npos) output += output_until(*child, "pid=");
  output += output_until(*child, "");
  const pid_t grandchild = pid_after(output + "\n", "pid=");
  ASSERT_TRUE(exists(grandchild));
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_FALSE(exists(grandchild));
  EXPECT_FALSE(exists(child->info.pid));
}

TEST_F(CloseTest, JobsInTheirOwnProcessGroupsAreGone) {
  auto child = owner().spawn("t", {"/bin/bash", "--norc", "-i"});
  ASSERT_TRUE(child);
  type(*child, "set -m; (trap '' HUP; exec sleep 1000) & echo job=$!; disown -a; echo re''ady\n");
  const std::string output = output_until(*child, "ready");
  const pid_t job = pid_after(output.substr(output.rfind("job=")), "job=");
  ASSERT_TRUE(exists(job));
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_FALSE(exists(job));
}

TEST_F(CloseTest, TheForegroundJobGetsTheHangUp) {
  auto child = owner().spawn("t", {"/bin/bash", "--norc", "-i"});
  ASSERT_TRUE(child);
  type(*child, "trap : HUP; sh -c 'trap \"echo got HUP > " + (dir() / "hup").native() +
                   "; exit\" HUP; echo re''ady; while :; do sleep 0.01; done'\n");
  (void)output_until(*child, "ready");
  ASSERT_TRUE(owner().close("t", milliseconds(2000)));
  EXPECT_TRUE(std::filesystem::exists(dir() / "hup"));
}

TEST_F(CloseTest, NothingElseIsTouched) {
  auto one = owner().spawn("one", {"/bin/cat"});
  auto two = owner().spawn("two", {"/bin/cat"});
  Process bystander({"/bin/sleep", "1000"});
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(owner().close("one"));
  EXPECT_TRUE(exists(two->info.pid));
  EXPECT_TRUE(bystander.is_running());
  type(*two, "x\n");
  EXPECT_NE(output_until(*two, "x\r\nx").find('x'), std::string::npos);
}

TEST_F(CloseTest, ClosingTwiceAnswersBoth) {
  ASSERT_TRUE(owner().spawn("t", {"/bin/sh", "-c", "trap '' HUP; read x"}));
  int done = 0;
  Client& client = owner();
  const auto both = [&client, &done]() -> boost::asio::awaitable<bool> {
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::co_spawn(
        executor,
        [&client] { return client.keeper().close(keeper::ChildId("t"), milliseconds(100)); },
        [&done](const std::exception_ptr&, const base::Status& status) {
          done += status.has_value();
        });
    const auto second = co_await client.keeper().close(keeper::ChildId("t"), milliseconds(100));
    done += second.has_value();
    co_return true;
  };
  client.wait(both());
  client.run_until([&] { return done == 2; });
}

// The exit used to be told after the answer to the close: by then the id could belong to another
// child, which the daemon would have taken for dead.
TEST_F(CloseTest, TheExitIsToldBeforeTheAnswer) {
  const auto socket = keeper::connect_to_keeper(dir());
  ASSERT_TRUE(socket);
  const auto tell = [&](keeper::Message message) {
    message.add(keeper::Field::id, "t").add(keeper::Field::argv, "/bin/cat");
    ASSERT_TRUE(keeper::send_packet(*socket, message.encode()));
  };
  const auto next_tag = [&] {
    base::Result<keeper::Packet> packet;
    EXPECT_TRUE(eventually([&] { return (packet = keeper::receive_packet(*socket)).has_value(); }));
    return keeper::Message::decode(packet->bytes)->tag();
  };
  tell(keeper::Message(keeper::Tag::claim, 1));
  EXPECT_EQ(next_tag(), keeper::Tag::granted);
  tell(keeper::Message(keeper::Tag::spawn, 2));
  EXPECT_EQ(next_tag(), keeper::Tag::child);
  tell(keeper::Message(keeper::Tag::close, 3));
  EXPECT_EQ(next_tag(), keeper::Tag::exited);
  EXPECT_EQ(next_tag(), keeper::Tag::done);
}

TEST_F(CloseTest, AChildWhoseLastOutputFindsNoRoomIsClosedAllTheSame) {
  auto child = owner().spawn("t", {"/usr/bin/yes"});
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return child->journal.produced() == 256 * 1024; }));
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(owner().close("t", seconds(30)));
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(10));
}

TEST_F(CloseTest, AnUnknownChildIsAnError) {
  EXPECT_EQ(owner().close("none").error().code, base::Code::not_found);
}

TEST_F(CloseTest, AfterCloseTheIdIsFree) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(owner().spawn("t", {"/bin/cat"}));
    ASSERT_TRUE(owner().close("t"));
  }
}

TEST_F(CloseTest, SigtermEndsTheKeeperAndEverythingItHolds) {
  auto polite = owner().spawn("polite", {"/bin/cat"});
  auto stubborn = owner().spawn(
      "stubborn", {"/bin/sh", "-c", "trap '' HUP TERM; echo ready; while :; do sleep 0.01; done"});
  ASSERT_TRUE(polite && stubborn);
  (void)output_until(*stubborn, "ready");
  keeper_process().signal(SIGTERM);
  EXPECT_EQ(keeper_process().wait().status, 0);
  EXPECT_FALSE(exists(polite->info.pid));
  EXPECT_FALSE(exists(stubborn->info.pid));
  EXPECT_FALSE(std::filesystem::exists(dir() / "keeper.sock"));
}

}  // namespace
}  // namespace e2e
