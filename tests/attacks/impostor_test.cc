// Another account sits where the victim's keeper and daemon should be. Once root's `stop` signalled
// whatever process he named, root's `serve` worked with his keeper, so that root's terminals were
// his, and `run` told him the command line.

#include "attacks/impostor.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attacks/attacks_fixture.h"

namespace attacks {
namespace {

namespace fs = std::filesystem;

class ImpostorTest : public AttackTest {
 protected:
  void SetUp() override {
    if (!has_second_account()) GTEST_SKIP() << "needs root, to act as a second account";
    AttackTest::SetUp();
    bystander_.emplace(as(victim(), {"/bin/sleep", "1000"}));
  }
  void TearDown() override {
    if (bystander_) AttackTest::TearDown();
  }

  // Every command that talks with a keeper or a daemon.
  std::vector<std::vector<std::string>> commands(const fs::path& runtime_dir) {
    const std::string holdfast = e2e::kDaemonProgram;
    const auto serve = e2e::serve_command(victims_dir() / "state", runtime_dir);
    auto check = serve;
    check.emplace_back("--check");
    return {{holdfast, "stop"},
            {holdfast, "stop", "--all", "--yes"},
            {holdfast, "run", "main", "! my secret"},
            {holdfast, "upgrade"},
            {holdfast, "ls"},
            {holdfast, "mcp"},
            {holdfast, "share", "build"},
            {holdfast, "search", "my secret"},
            {holdfast, "record", "build", "/nowhere/x"},
            {holdfast, "status"},
            {holdfast},
            {holdfast, "doctor"},
            {holdfast, "resources"},
            {holdfast, "reload"},
            {holdfast, "send", "build", "my secret"},
            {holdfast, "lease", "build", "--holder", "my secret"},
            {holdfast, "events"},
            {holdfast, "exec", "build", "my secret"},
            {holdfast, "commands", "build"},
            // In a terminal: it wants one before it connects.
            {"/usr/bin/script", "-qec", holdfast + " attach", "/dev/null"},
            serve,
            check,
            {e2e::kKeeperProgram, "--status"},
            {e2e::kKeeperProgram, "--status", "--json"}};
  }

  // Each is refused for that reason, tells the impostor nothing and signals nobody.
  void expect_refused(const fs::path& runtime_dir, const Impostor& impostor,
                      const std::string& reason) {
    for (const auto& command : commands(runtime_dir)) {
      Process process(as(victim(), command), environment(runtime_dir));
      ASSERT_TRUE(e2e::eventually([&] { return !process.is_running(); }))
          << testing::PrintToString(command) << " goes on, with the impostor";
      const auto outcome = process.wait();
      EXPECT_NE(outcome.status, 0) << testing::PrintToString(command);
      EXPECT_NE(outcome.output.find(reason), std::string::npos)
          << testing::PrintToString(command) << ": " << outcome.output;
      EXPECT_EQ(impostor.heard(), "") << testing::PrintToString(command);
      EXPECT_TRUE(bystander_->is_running()) << testing::PrintToString(command);
    }
  }
  [[nodiscard]] pid_t bystander() const { return bystander_->pid(); }

 private:
  std::optional<Process> bystander_;
};

TEST_P(ImpostorTest, ADirectoryOfAnotherAccountIsRefused) {
  const auto runtime = mallorys_dir() / "run";
  fs::create_directory(runtime);
  ASSERT_EQ(::chown(runtime.c_str(), kMallory, kMallory), 0);
  for (const mode_t mode : {0711, 0755, 0777}) {
    ASSERT_EQ(::chmod(runtime.c_str(), mode), 0);
    for (const char* socket : {"keeper.sock", "daemon.sock", "control.sock"})
      fs::remove(runtime / socket);
    const Impostor impostor(kMallory, runtime, bystander());
    expect_refused(runtime, impostor, "belongs to user " + std::to_string(kMallory));
  }
}

// It has the right owner, and a name that leads elsewhere.
TEST_P(ImpostorTest, ALinkIsNotFollowed) {
  const auto runtime = victims_dir() / "run";
  fs::create_directory(runtime);
  ASSERT_EQ(::chown(runtime.c_str(), victim(), victim()), 0);
  ASSERT_EQ(::chmod(runtime.c_str(), 0777), 0);
  const auto link = mallorys_dir() / "link";
  fs::create_symlink(runtime, link);
  const Impostor impostor(kMallory, runtime, bystander());
  ASSERT_EQ(::chmod(runtime.c_str(), 0700), 0);
  expect_refused(link, impostor, "is not a directory");
  expect_refused(link / "", impostor, "is not a directory");
}

TEST_P(ImpostorTest, ADirectoryThatOthersMayWriteToIsRefused) {
  const auto runtime = victims_dir() / "run";
  fs::create_directory(runtime);
  ASSERT_EQ(::chown(runtime.c_str(), victim(), victim()), 0);
  ASSERT_EQ(::chmod(runtime.c_str(), 0777), 0);
  const Impostor impostor(kMallory, runtime, bystander());
  expect_refused(runtime, impostor, "is open to other users");
}

// The directory is as it should be, now; a socket was put there when it was not.
TEST_P(ImpostorTest, ASocketOfAnotherAccountIsRefused) {
  const auto runtime = victims_dir() / "run";
  fs::create_directory(runtime);
  ASSERT_EQ(::chown(runtime.c_str(), victim(), victim()), 0);
  ASSERT_EQ(::chmod(runtime.c_str(), 0777), 0);
  const Impostor impostor(kMallory, runtime, bystander());
  ASSERT_EQ(::chmod(runtime.c_str(), 0700), 0);
  expect_refused(runtime, impostor, "is served by user " + std::to_string(kMallory));
}

// An unmodified keeper of another's lets root in, and what root starts there runs as the other.
TEST_P(ImpostorTest, AnotherAccountsRealKeeperIsRefused) {
  const auto runtime = mallorys_dir() / "run";
  Process keeper(as(kMallory, {e2e::kKeeperProgram, "--runtime-dir", runtime}));
  ASSERT_TRUE(e2e::eventually([&] { return fs::exists(runtime / "keeper.sock"); }));
  Process serve(as(victim(), e2e::serve_command(victims_dir() / "state", runtime)),
                environment(runtime));
  ASSERT_TRUE(e2e::eventually([&] { return !serve.is_running(); })) << "it serves";
  EXPECT_NE(serve.wait().output.find("the runtime directory"), std::string::npos);
  keeper.signal(SIGTERM);
  keeper.wait();
}

// The name is taken before the victim's first start.
TEST_P(ImpostorTest, ADirectoryThatAnotherMadeFirstIsNotUsed) {
  const auto runtime = dir() / "holdfast-uid";
  fs::create_directory(runtime);
  ASSERT_EQ(::chmod(runtime.c_str(), 0700), 0);
  ASSERT_EQ(::chown(runtime.c_str(), kMallory, kMallory), 0);
  const auto outcome = call({e2e::kKeeperProgram, "--detach", "--runtime-dir", runtime}, runtime);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("belongs to user " + std::to_string(kMallory)), std::string::npos)
      << outcome.output;
  EXPECT_TRUE(fs::is_empty(runtime));
}

// What stands in the state directory is believed: whose tokens are right, which terminals are
// whose.
TEST_P(ImpostorTest, AStateDirectoryOfAnotherAccountIsRefused) {
  const auto state = mallorys_dir() / "state";
  fs::create_directory(state);
  ASSERT_EQ(::chown(state.c_str(), kMallory, kMallory), 0);
  ASSERT_EQ(::chmod(state.c_str(), 0755), 0);
  const auto runtime = victims_dir() / "run";
  const std::string holdfast = e2e::kDaemonProgram;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{holdfast, "token", "list", "--state-dir", state},
        {holdfast, "token", "new", "--user", "ada", "--state-dir", state},
        e2e::serve_command(state, runtime)}) {
    Process process(as(victim(), command), environment(runtime));
    ASSERT_TRUE(e2e::eventually([&] { return !process.is_running(); }))
        << testing::PrintToString(command);
    const auto outcome = process.wait();
    EXPECT_NE(outcome.status, 0) << testing::PrintToString(command);
    EXPECT_NE(outcome.output.find(state.native()), std::string::npos) << outcome.output;
  }
  EXPECT_TRUE(fs::is_empty(state));
}

// Those that made the first refusals needless: the victim's own directory works.
TEST_P(ImpostorTest, TheVictimsOwnDirectoryWorks) {
  const auto runtime = victims_dir() / "run";
  Process keeper(as(victim(), {e2e::kKeeperProgram, "--runtime-dir", runtime}));
  ASSERT_TRUE(e2e::eventually([&] { return fs::exists(runtime / "keeper.sock"); }));
  const auto status = call({e2e::kKeeperProgram, "--status"}, runtime);
  EXPECT_EQ(status.status, 0) << status.output;
  const auto stop = call({e2e::kDaemonProgram, "stop", "--all", "--yes"}, runtime);
  EXPECT_EQ(stop.status, 0) << stop.output;
  EXPECT_TRUE(e2e::eventually([&] { return !keeper.is_running(); }));
}

INSTANTIATE_TEST_SUITE_P(Attacks, ImpostorTest, testing::ValuesIn(victims()), name_of);

}  // namespace
}  // namespace attacks
