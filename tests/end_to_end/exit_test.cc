// How children end, and that nobody has to be looking.

#include <signal.h>

#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ExitTest : public KeeperTest {};

TEST_F(ExitTest, CodesAndSignals) {
  for (const int code : {0, 1, 7, 127, 255}) {
    const std::string id = "code" + std::to_string(code);
    ASSERT_TRUE(owner().spawn(id, {"/bin/sh", "-c", "exit " + std::to_string(code)}));
    EXPECT_EQ(owner().exit_of(id).status, (keeper::Exit{.code = code, .signal = 0}));
  }
  for (const int signal : {SIGTERM, SIGKILL, SIGSEGV, SIGHUP}) {
    const std::string id = "signal" + std::to_string(signal);
    ASSERT_TRUE(owner().spawn(
        id, {"/bin/sh", "-c", "ulimit -c 0; kill -" + std::to_string(signal) + " $$"}));
    EXPECT_EQ(owner().exit_of(id).status, (keeper::Exit{.code = 0, .signal = signal}));
  }
}

TEST_F(ExitTest, TheLastOutputIsThereBeforeTheExitIsTold) {
  for (int i = 0; i < 50; ++i) {
    const std::string id = "t" + std::to_string(i);
    auto child = owner().spawn(id, {"/bin/sh", "-c", "printf 'the last words'"});
    ASSERT_TRUE(child);
    EXPECT_EQ(owner().exit_of(id).offset, 14U);
    EXPECT_EQ(all_output(*child), "the last words");
  }
}

TEST_F(ExitTest, AnExitWithNoDaemonIsKept) {
  auto child = owner().spawn("t", {"/bin/sh", "-c", "read x; echo bye; exit 42"});
  ASSERT_TRUE(child);
  drop_owner();
  type(*child, "\n");
  ASSERT_TRUE(eventually([&] { return child->journal.ended(); }));
  child->input.reset();
  for (int i = 0; i < 2; ++i) {  // Kept until released, not until told once.
    auto found = owner().attach("t");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->info.state, keeper::State::exited);
    EXPECT_EQ(found->info.exit->status.code, 42);
    EXPECT_NE(output_until(*found, "").find(i == 0 ? "bye" : ""), std::string::npos);
    drop_owner();
  }
  ASSERT_TRUE(owner().close("t"));
  EXPECT_FALSE(owner().attach("t"));
}

TEST_F(ExitTest, AShellWhoseBackgroundJobHoldsTheTerminal) {
  auto child =
      owner().spawn("t", {"/bin/sh", "-c", "trap '' HUP; sleep 1000 & echo started; exit 5"});
  ASSERT_TRUE(child);
  EXPECT_EQ(owner().exit_of("t").status.code, 5) << "the job does not delay the news";
  EXPECT_NE(output_until(*child, "started").find("started"), std::string::npos);
  EXPECT_FALSE(child->journal.ended()) << "the terminal lives while the job has it";
  EXPECT_EQ(owner().attach("t")->info.state, keeper::State::exited);
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_TRUE(children_of(keeper_pid()).empty());
}

TEST_F(ExitTest, OutputOfABackgroundJobAfterTheExitIsStillRead) {
  const auto go = dir() / "go";
  auto child = owner().spawn("t", {"/bin/sh", "-c",
                                   "trap '' HUP; (while [ ! -e " + go.native() +
                                       " ]; do sleep 0.01; done; echo later) & exit 0"});
  ASSERT_TRUE(child);
  const auto exit = owner().exit_of("t");
  ASSERT_TRUE(std::ofstream(go).is_open());
  EXPECT_NE(all_output(*child).find("later"), std::string::npos);
  EXPECT_GT(child->journal.produced(), exit.offset);
  EXPECT_TRUE(eventually([&] { return children_of(keeper_pid()).empty(); }))
      << "the shell is reaped when its job is gone";
}

TEST_F(ExitTest, AFloodingBackgroundJobDoesNotDelayTheNewsForEver) {
  auto child = owner().spawn("t", {"/bin/sh", "-c", "trap '' HUP; yes & exit 3"});
  ASSERT_TRUE(child);
  owner().run_until([&] {
    EXPECT_TRUE(child->journal.advance(child->journal.produced()));
    return owner().exits().contains("t");
  });
  EXPECT_EQ(owner().exit_of("t").status.code, 3);
  EXPECT_TRUE(owner().close("t", milliseconds(50)));
}

TEST_F(ExitTest, AProgramThatClosesItsTerminalAndOpensItAgainGoesOn) {
  const auto closed = dir() / "closed";
  const auto go = dir() / "go";
  auto child = owner().spawn(
      "t", {"/bin/sh", "-c",
            "exec </dev/null >/dev/null 2>&1; : > " + closed.native() + "; while [ ! -e " +
                go.native() + " ]; do sleep 0.01; done; echo still here >/dev/tty; exit 9"});
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(closed); }));
  // The keeper takes its events in order: with this answer, it has seen whatever the closing
  // caused.
  ASSERT_TRUE(owner().attach("t"));
  ASSERT_TRUE(std::ofstream(go).is_open());
  EXPECT_EQ(owner().exit_of("t").status.code, 9);
  EXPECT_EQ(all_output(*child), "still here\r\n");
}

}  // namespace
}  // namespace e2e
