// `holdfast token`, beside a store that is open as a daemon has it.

#include <sys/stat.h>
#include <sys/wait.h>

#include "base/test_temp_dir.h"
#include "end_to_end/keeper_fixture.h"
#include "session/store.h"

namespace e2e {
namespace {

class TokenTest : public testing::Test {
 protected:
  // Runs `holdfast token ARGUMENTS`; the shell lets only one of its two outputs through.
  [[nodiscard]] Process::Outcome token(const std::string& arguments,
                                       const std::string& redirect = "2>/dev/null") const {
    return Process(
               {"/bin/sh", "-c", "exec \"$0\" token " + arguments + " " + redirect, kDaemonProgram},
               {"HOLDFAST_STATE_DIR=" + state().native()})
        .wait();
  }
  [[nodiscard]] std::filesystem::path state() const { return dir_ / "state"; }
  [[nodiscard]] session::Store store() const {
    return *session::Store::open(state() / "holdfast.db");
  }

 private:
  base::TempDir dir_;
};

std::string line_of(const std::string& output) {
  return output.substr(0, output.find('\n'));
}

TEST_F(TokenTest, ANewOneStandsAloneAndWorksAtOnceInAnOpenStore) {
  auto open = store();
  const auto made = token("new --user ann --label 'the laptop'");
  ASSERT_EQ(made.status, 0);
  const std::string text = line_of(made.output);
  EXPECT_EQ(made.output, text + "\n");
  ASSERT_TRUE(session::is_token(text)) << text;
  EXPECT_EQ(open.tokens().find(*session::hash_token(text))->user_name, "ann");
  const auto second = token("new --user ann --state-dir " + state().native());
  EXPECT_EQ(open.tokens().list()->size(), 2U);
  EXPECT_EQ(open.users()->size(), 1U);
  EXPECT_NE(second.output, made.output);
}

TEST_F(TokenTest, ItWaitsForAWriterThatIsBusyForAMoment) {
  auto open = store();
  std::optional<Process> command;
  ASSERT_TRUE(open.transaction([&]() -> base::Status {
    command.emplace(std::vector<std::string>{kDaemonProgram, "token", "new", "--user", "ann",
                                             "--state-dir", state()});
    // Until it has opened the database it cannot be waiting for the lock.
    EXPECT_TRUE(eventually([&] {
      std::error_code error;
      for (const auto& entry : std::filesystem::directory_iterator(
               "/proc/" + std::to_string(command->pid()) + "/fd", error))
        if (std::filesystem::read_symlink(entry, error) == state() / "holdfast.db-wal") return true;
      return false;
    }));
    return {};
  }));
  const auto outcome = command->wait();
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(session::is_token(line_of(outcome.output)));
}

TEST_F(TokenTest, TheListShowsNoSecretAndRevokingEndsAToken) {
  const std::string text = line_of(token("new --user ann --label \"$(printf 'a\\033b')\"").output);
  const auto hash = *session::hash_token(text);
  const std::string list = token("list").output;
  EXPECT_EQ(list.find(text.substr(3)), std::string::npos);
  EXPECT_NE(list.find("\tann\tcontrol\teverything\tnever\tnever\ta\\x1bb\n"), std::string::npos)
      << list;
  EXPECT_TRUE(store().tokens().find(hash));
  EXPECT_NE(token("revoke ''").status, 0);
  EXPECT_NE(token("revoke 0000").status, 0);
  EXPECT_EQ(token("revoke " + list.substr(0, list.find('\t'))).status, 0);
  EXPECT_FALSE(store().tokens().find(hash));
  EXPECT_EQ(token("list").output, "");
}

TEST_F(TokenTest, ItIsBoundToWhatTheStoreKnows) {
  auto open = store();
  const auto ann = open.ensure_user("ann").value();
  const auto work = open.ensure_session(ann.id, "work").value();
  for (const char* id : {"t1", "t2"})
    ASSERT_TRUE(open.save_terminal(
        {.id = session::TerminalId(id), .session = work.id, .name = std::string("build") + id}));
  const auto bound = token("new --user ann --view --session work --terminal buildt1 --expires 1h");
  ASSERT_EQ(bound.status, 0) << bound.output;
  const auto row = open.tokens().find(*session::hash_token(line_of(bound.output)));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->scope,
            (session::Scope{.access = session::Access::view,
                            .bounds = session::Bounds{.sessions = {work.id},
                                                      .terminals = {session::TerminalId("t1")}}}));
  ASSERT_TRUE(row->expires);
  EXPECT_NE(token("ls").output.find("\tview\twork: t1\t"), std::string::npos);
  const std::string listed = token("ls --json").output;
  EXPECT_NE(listed.find(R"("access":"view")"), std::string::npos) << listed;
  EXPECT_NE(listed.find(R"("sessions":["work"],"terminals":["t1"])"), std::string::npos) << listed;
  EXPECT_EQ(listed.find(line_of(bound.output).substr(3)), std::string::npos);

  for (const char* wrong : {"--session none", "--terminal none", "--terminal build", "--expires 0",
                            "--expires soon", "--session none --terminal t1"}) {
    const auto refused = token("new --user ann " + std::string(wrong), "2>&1");
    EXPECT_NE(refused.status, 0) << wrong;
    EXPECT_FALSE(session::is_token(line_of(refused.output))) << wrong;
  }
  EXPECT_NE(token("new --user bob --terminal t1").status, 0) << "another user's";
  EXPECT_EQ(open.tokens().list()->size(), 1U) << "nothing was made";
}

TEST_F(TokenTest, WhatCannotBeDoneIsSaidOnStandardError) {
  EXPECT_NE(token("new --user '../ann'").status, 0);
  EXPECT_EQ(token("new --user '../ann'").output, "");
  EXPECT_NE(token("new --user '../ann'", "2>&1 >/dev/null").output.find("invalid user name"),
            std::string::npos);
  EXPECT_NE(token("new --user ann", ">/dev/full").status, 0);
  EXPECT_TRUE(store().tokens().list()->empty()) << "a token that nobody saw lets nobody in";
}

}  // namespace
}  // namespace e2e
