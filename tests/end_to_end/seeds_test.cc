// The tests that the task list of the session persistence names for the server, under their
// numbers, and the scenarios of its quickstart, under their names.

#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "end_to_end/seeds_fixture.h"

namespace e2e {
namespace {

// --- T017: the life of an orphan

TEST_F(SeedsTest, T017_OrphanSessionSetsStateCorrectly) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  EXPECT_EQ(count("active"), 1);
  EXPECT_EQ(count("orphaned"), 0);
  client->drop();
  EXPECT_TRUE(eventually([&] { return count("orphaned") == 1; }));
  EXPECT_EQ(count("active"), 0);
}

TEST_F(SeedsTest, T017_ReattachCancelsTheTimerAndClearsTheState) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.7"});
  auto client = compatible();
  create(*client, "a1");
  client->drop();
  ASSERT_TRUE(eventually([&] { return count("orphaned") == 1; }));
  client = compatible();
  reattached(*client, reattach("a1"));
  EXPECT_EQ(count("orphaned"), 0);
  EXPECT_EQ(count("active"), 1);
  // Another orphan that came later is closed; this one, whose time was up before, is not.
  const auto other = compatible();
  create(*other, "a2");
  other->drop();
  ASSERT_TRUE(eventually([&] { return status_of(*client, "a2") == "gone"; }));
  EXPECT_EQ(status_of(*client, "a1"), "running");
  type(*client, "a1", "echo $((6*7))", "42");
}

TEST_F(SeedsTest, T017_ReattachReturnsAnErrorForAnExitedSession) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(input("a1", "exit 3\r"));
  client->expect("session_closed");
  EXPECT_EQ(refused(*client, reattach("a1")), (Refusal{"SESSION_EXITED", "3"}));
}

TEST_F(SeedsTest, T017_GetActiveSessionsReturnsCorrectStatuses) {
  serve();
  const auto gone = compatible();
  create(*gone, "orphan");
  gone->drop();
  const auto client = compatible();
  create(*client, "attached");
  create(*client, "exited");
  client->send(input("exited", "exit\r"));
  client->expect("session_closed");
  create(*client, "closed");
  client->send(message("close_session", {{"sessionId", "closed"}}));
  client->expect("session_closed");
  EXPECT_EQ(status_of(*client, "orphan"), "running");
  EXPECT_EQ(status_of(*client, "attached"), "running");
  EXPECT_EQ(status_of(*client, "exited"), "exited");
  EXPECT_EQ(status_of(*client, "closed"), "gone");
}

TEST_F(SeedsTest, T017_TheOrphanTimerFiresAndCleansUp) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.5"});
  expect_closed_on_time();
}

// --- T029: the reconnect flow

TEST_F(SeedsTest, T029_ReconnectListReattachScrollback) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo be''fore", "before");
  client->close();
  client = compatible();
  EXPECT_EQ(session_ids(*client), std::vector<std::string>{"a1"});
  EXPECT_EQ(status_of(*client, "a1"), "running");
  client->send(reattach("a1"));
  EXPECT_EQ(data_text(client->expect("session_reattached"), "sessionId"), "a1");
  EXPECT_NE(text_of(client->expect("scrollback")).find("before"), std::string::npos);
  type(*client, "a1", "echo $((6*7))", "42");
}

// --- T034: output while nobody is there

TEST_F(SeedsTest, T034_OutputWhileDisconnectedIsThereOnReconnect) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  const auto fifo = (dir() / "go").string();
  type(*client, "a1", "PS1=; stty -echo; mkfifo " + fifo + "; echo re''ady", "ready\r\n");
  client->send(
      input("a1", "read x <" + fifo + "; seq 1 1000; echo do''ne >" + fifo + ".out; echo e''nd\r"));
  const std::uint64_t offset = data_number(reattached(*client, reattach("a1")), "offset");
  client->drop();
  ASSERT_TRUE(eventually([&] { return count("orphaned") == 1; }));
  std::ofstream(fifo) << "go\n";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(fifo + ".out"); }));
  client = compatible();
  std::string wanted;
  for (int i = 1; i <= 1000; ++i) wanted += std::to_string(i) + "\r\n";
  std::string missed = text_of(reattached(*client, reattach("a1", offset)));
  if (missed.find("end\r\n") == std::string::npos) missed += output_until(*client, "end\r\n");
  EXPECT_EQ(missed, wanted + "end\r\n") << "every byte once";
  const std::string shown = plain(text_of(reattached(*client, reattach("a1"))));
  EXPECT_NE(shown.find("1\r\n2\r\n3\r\n"), std::string::npos) << "and in the history";
}

// --- T038: when orphans are closed

TEST_F(SeedsTest, T038_ClosesOnTimeByTheEnvFile) {
  const auto file = dir() / "agent.env";
  std::ofstream(file) << "# for the agent\nPTY_ORPHAN_GRACE_PERIOD=0.5\n";
  serve({"--env-file", file});
  expect_closed_on_time();
}

TEST_F(SeedsTest, T038_ClosesOnTimeByTheConfigurationFile) {
  const auto file = dir() / "config.toml";
  std::ofstream(file) << "orphan_grace_period = \"500ms\"\n";
  serve({"--config", file});
  expect_closed_on_time();
}

TEST_F(SeedsTest, T038_TheLastViewerCounts) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.3"});
  const auto first = compatible();
  create(*first, "a1");
  const auto second = compatible();
  reattached(*second, reattach("a1"));
  first->drop();
  const auto other = compatible();
  create(*other, "a2");
  other->drop();
  ASSERT_TRUE(eventually([&] { return status_of(*second, "a2") == "gone"; }));
  EXPECT_EQ(status_of(*second, "a1"), "running");
}

TEST_F(SeedsTest, T038_AnExitedOneIsClosedTooAndSomeoneWhoWatchesIsTold) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.3"});
  NativePeer peer = native_peer();
  peer.ask("create", {{"terminalId", "t1"}, {"command", json::array{"/bin/true"}}});
  peer.event("exited");
  const auto closed = peer.event("closed");
  EXPECT_EQ(data_text(closed, "terminalId"), "t1");
  EXPECT_EQ(data_text(closed, "reason"), "idle_timeout");
}

TEST_F(SeedsTest, T038_ARestartOfTheDaemonStartsThePeriodAnew) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.6"});
  const auto client = compatible();
  create(*client, "a1");
  client->drop();
  ASSERT_TRUE(eventually([&] { return count("orphaned") == 1; }));
  kill_daemon();
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.6"});
  const auto served = steady_clock::now();
  EXPECT_EQ(count("orphaned"), 1);
  const auto after = closed_after(served);
  EXPECT_GE(after, milliseconds(400));
  EXPECT_LT(after, milliseconds(1600));
}

// Either the reattach comes in time and the terminal stays, or it is told that there is none; never
// both. The daemon used to find a terminal for a moment after its time was up, and then closed it
// under who had just got it.
TEST_F(SeedsTest, T038_AReattachThatRacesTheTimerWinsOrLoses) {
  constexpr milliseconds kGrace{60};
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.06"});
  const int rounds = std::getenv("HOLDFAST_SOAK") != nullptr ? 1000 : 100;
  const auto client = compatible();
  int won = 0;
  int lost = 0;
  // The moment moves towards where both outcomes are as likely.
  auto moment = std::chrono::microseconds(kGrace);
  for (int round = 0; round < rounds; ++round) {
    const std::string id = "r" + std::to_string(round);
    const auto owner = compatible();
    create(*owner, id);
    owner->drop();
    const auto until = steady_clock::now() + moment;
    // Not for a condition: this is the race itself.
    std::this_thread::sleep_until(until);
    client->send(reattach(id));
    const auto answer = client->expect([](const json::object& each) {
      const std::string kind = string_at(each, "type");
      return kind == "session_reattached" || kind == "error";
    });
    if (string_at(answer, "type") == "error") {
      ++lost;
      EXPECT_EQ(data_text(answer, "error"), "session not found");
      EXPECT_EQ(status_of(*client, id), "gone");
      moment -= std::chrono::microseconds(200);
      continue;
    }
    ++won;
    moment += std::chrono::microseconds(200);
    // Past the deadline by more than the closing could take to begin.
    type(*client, id, "echo $((6*7))", "42");
    for (const auto& each : until_pong(*client))
      ASSERT_NE(string_at(each, "type"), "session_closed") << "both won, in round " << round;
    ASSERT_EQ(status_of(*client, id), "running");
    client->send(message("close_session", {{"sessionId", id}}));
    ASSERT_EQ(data_text(client->expect("session_closed"), "reason"), "user_requested");
  }
  std::printf("the reattach won %d times, the timer %d\n", won, lost);
  EXPECT_GT(won, 0);
  EXPECT_GT(lost, 0);
}

// --- T042: the single-terminal mode

TEST_F(SeedsTest, T042_SingleTerminalModeIsUnchanged) {
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=3600"});
  const auto client = single("?rows=30&cols=100");
  client->expect("session");
  client->send(message("input", {{"data", "stty size\r"}}));
  (void)output_until(*client, "30 100");
  client->send(message("resize", {{"rows", 40}, {"cols", 120}}));
  client->send(message("input", {{"data", "stty size; echo \"<\"$$\">\"\r"}}));
  (void)output_until(*client, "40 120");
  client->send(message("ping"));
  client->expect("pong");
  ASSERT_EQ(children_of(keeper_pid()).size(), 1U);
  client->close();
  EXPECT_TRUE(eventually([&] { return children_of(keeper_pid()).empty(); }))
      << "no grace period for a terminal that nobody can come back to";
}

// --- the quickstart

TEST_F(SeedsTest, Quickstart_QuickSmokeTest) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  create(*client, "a2");
  client->send(input("a1", "exec sleep 300\r"));
  pid_t sleeper = 0;
  const auto sleeping = [&](pid_t pid) { return proc_file(pid, "comm") == "sleep\n"; };
  ASSERT_TRUE(eventually([&] {
    for (const pid_t pid : children_of(keeper_pid()))
      if (sleeping(pid)) sleeper = pid;
    return sleeper != 0;
  }));
  client->send(input("a2", "i=0; while :; do i=$((i+1)); echo \"tick $i.\"; sleep 0.02; done\r"));
  (void)output_until(*client, "tick 3.");
  client->drop();  // The page is refreshed.
  client = compatible();
  EXPECT_EQ(session_ids(*client), (std::vector<std::string>{"a1", "a2"}));
  reattached(*client, reattach("a1"));
  const auto scrollback = text_of(reattached(*client, reattach("a2")));
  EXPECT_NE(scrollback.find("tick 3."), std::string::npos);
  EXPECT_TRUE(sleeping(sleeper)) << "sleep still runs";
  (void)output_until(*client, "tick 2");
}

TEST_F(SeedsTest, Quickstart_NetworkInterruption) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  client->send(input("a1",
                     "PS1=; stty -echo; i=0; while [ $i -lt 300 ]; do i=$((i+1)); "
                     "echo \"tick $i.\"; sleep 0.002; done\r"));
  std::string text;
  std::uint64_t offset = 0;
  while (text.find("tick 20.") == std::string::npos) {
    const auto output = client->expect("output");
    text += text_of(output);
    offset = data_number(output, "offset");
  }
  client->drop();
  // Offline while the program goes on.
  const auto watcher = compatible();
  reattached(*watcher, reattach("a1", 0));
  (void)output_until(*watcher, "tick 200.");
  client = compatible();
  text += text_of(reattached(*client, reattach("a1", offset)));
  if (text.find("tick 300.") == std::string::npos) text += output_until(*client, "tick 300.");
  std::size_t at = 0;
  for (int i = 1; i <= 300; ++i) {
    const std::string tick = "tick " + std::to_string(i) + ".\r\n";
    const std::size_t found = text.find(tick.substr(0, tick.size() - 2), at);
    ASSERT_NE(found, std::string::npos) << tick << " was lost";
    at = found + 1;
    EXPECT_EQ(text.find("\n" + tick, at), std::string::npos) << tick << " came twice";
  }
}

TEST_F(SeedsTest, Quickstart_BrowserTabClose) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo be''fore", "before");
  client->close();
  EXPECT_TRUE(eventually([&] { return count("orphaned") == 1; }));
  // Another device opens.
  const auto later = compatible();
  EXPECT_EQ(session_ids(*later), std::vector<std::string>{"a1"});
  EXPECT_NE(text_of(reattached(*later, reattach("a1"))).find("before"), std::string::npos);
}

TEST_F(SeedsTest, Quickstart_GracePeriod) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  client->close();
  client = compatible();
  reattached(*client, reattach("a1"));  // The default: it is there.
  client->close();
  EXPECT_EQ(stop_daemon(), 0);
  serve({}, {"PTY_ORPHAN_GRACE_PERIOD=0.5"});
  ASSERT_TRUE(eventually([&] { return count("orphaned") == 0; }));
  client = compatible();
  EXPECT_TRUE(session_ids(*client).empty());
  create(*client, "a1");  // A fresh one under the old id.
}

// The daemon's restart, which lost everything in the original design, loses nothing here; a machine
// that was rebooted has an empty list, and a client that asks for its old id is given a fresh one.
TEST_F(SeedsTest, Quickstart_VmRestart) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo be''fore", "before");
  kill_daemon();
  serve();
  client = compatible();
  EXPECT_NE(text_of(reattached(*client, reattach("a1"))).find("before"), std::string::npos);
  client->close();
  const pid_t keeper = keeper_pid();
  kill_daemon();
  ::kill(keeper, SIGKILL);
  ASSERT_TRUE(eventually([&] { return !exists(keeper); }));
  serve();
  client = compatible();
  EXPECT_EQ(refused(*client, reattach("a1")).error, "session not found");
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
}

}  // namespace
}  // namespace e2e
