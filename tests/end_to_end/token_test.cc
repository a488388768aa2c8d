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
  EXPECT_EQ(open.find_token(*session::hash_token(text))->user_name, "ann");
  const auto second = token("new --user ann --state-dir " + state().native());
  EXPECT_EQ(open.tokens()->size(), 2U);
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
  EXPECT_NE(list.find("  ann  control  a\\x1bb\n"), std::string::npos) << list;
  EXPECT_TRUE(store().find_token(hash));
  EXPECT_NE(token("revoke ''").status, 0);
  EXPECT_NE(token("revoke 0000").status, 0);
  EXPECT_EQ(token("revoke " + list.substr(0, list.find(' '))).status, 0);
  EXPECT_FALSE(store().find_token(hash));
  EXPECT_EQ(token("list").output, "");
}

TEST_F(TokenTest, WhatCannotBeDoneIsSaidOnStandardError) {
  EXPECT_NE(token("new --user '../ann'").status, 0);
  EXPECT_EQ(token("new --user '../ann'").output, "");
  EXPECT_NE(token("new --user '../ann'", "2>&1 >/dev/null").output.find("invalid user name"),
            std::string::npos);
  EXPECT_NE(token("new").status, 0);
  EXPECT_NE(token("new --user ann", ">/dev/full").status, 0);
  EXPECT_TRUE(store().tokens()->empty()) << "a token that nobody saw lets nobody in";
}

}  // namespace
}  // namespace e2e
