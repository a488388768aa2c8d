// A child that runs as another account, within limits, in a cgroup of its own.

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/test_temp_dir.h"
#include "end_to_end/accounts_fixture.h"
#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

keeper::SpawnRequest confined(const std::string& id, const std::string& script,
                              keeper::Confinement confinement) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId(id);
  request.argv = {"/bin/bash", "--norc", "-c", script};
  request.confinement = std::move(confinement);
  return request;
}

keeper::Confinement as_ada() {
  return {.account = keeper::Account{.uid = kAda, .gid = kAda, .groups = {kAda, kPainters}},
          .limits = {}};
}

pid_t pid_in(const std::string& output) {
  const auto at = output.find("pid=");
  return at == std::string::npos ? 0 : std::stoi(output.substr(at + 4));
}

class ConfinementTest : public KeeperTest {
 protected:
  std::string run(const std::string& script, keeper::Confinement confinement) {
    auto child =
        owner().spawn(confined("t" + std::to_string(++count_), script, std::move(confinement)));
    return child ? all_output(*child) : child.error().message();
  }
  static keeper::Confinement within(keeper::Limits limits) {
    return {.account = {}, .limits = limits};
  }
  static keeper::Confinement within(std::optional<std::uint64_t> keeper::Limits::* limit,
                                    std::uint64_t most) {
    keeper::Limits limits;
    limits.*limit = most;
    return within(limits);
  }

 private:
  int count_ = 0;
};

// This process, with the rights of an account for a while.
class ActingAs {
 public:
  explicit ActingAs(uid_t uid) { EXPECT_EQ(::seteuid(uid), 0); }
  ~ActingAs() { EXPECT_EQ(::seteuid(0), 0); }
  ActingAs(const ActingAs&) = delete;
  ActingAs& operator=(const ActingAs&) = delete;
};

class AccountTest : public ConfinementTest {
 protected:
  void SetUp() override {
    if (const auto trouble = Accounts::trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    ConfinementTest::SetUp();
  }
};

TEST_F(AccountTest, EveryIdentityIsTheAccountsAndNoneCanBeTakenBack) {
  const std::string output =
      run("grep -E '^(Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb)):' /proc/self/status; umask; "
          "ls -m /proc/$$/fd; chroot / true 2>/dev/null || echo no way back",
          as_ada());
  for (const char* line : {"Uid:\t54321\t54321\t54321\t54321", "Gid:\t54321\t54321\t54321\t54321",
                           "Groups:\t54321 54400", "CapInh:\t0000000000000000",
                           "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
                           "CapAmb:\t0000000000000000", "0022", "\n0, 1, 2\r\n", "no way back"})
    EXPECT_NE(output.find(line), std::string::npos) << line << "\nin\n" << output;
}

TEST_F(AccountTest, TheTerminalIsTheAccountsAlone) {
  const std::string output = run("stat -c 'owner %u mode %a' $(tty); echo ok >/dev/tty", as_ada());
  EXPECT_EQ(output, "owner 54321 mode 600\r\nok\r\n");
}

TEST_F(AccountTest, TheDirectoryIsEnteredWithTheAccountsRights) {
  const auto secret = dir() / "secret";
  std::filesystem::create_directory(secret);
  ASSERT_EQ(::chmod(secret.c_str(), 0700), 0);
  ASSERT_EQ(::chmod(dir().c_str(), 0711), 0);
  auto request = confined("t", "pwd", as_ada());
  for (const auto& hidden : {secret, secret / "there-is-none"}) {
    request.cwd = hidden;
    const auto refused = owner().spawn(request);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().sys_errno, EACCES) << "whether it is there is not told";
  }
  request.cwd = "/";
  request.argv = {secret / "program"};
  EXPECT_EQ(owner().spawn(request).error().sys_errno, EACCES);
}

TEST_F(AccountTest, WhoeverIsRootByTheirUidIsRefused) {
  for (const keeper::Account& account :
       {keeper::Account{.uid = 0, .gid = 0, .groups = {}},
        keeper::Account{.uid = static_cast<uid_t>(-1), .gid = kAda, .groups = {}},
        keeper::Account{.uid = kAda, .gid = static_cast<gid_t>(-1), .groups = {}}}) {
    const auto child = owner().spawn(confined("t", "id", {.account = account, .limits = {}}));
    ASSERT_FALSE(child) << account.uid;
  }
}

// Half an account is none: nothing runs rather than as root.
TEST_F(AccountTest, AnAccountWithoutAGidIsRefused) {
  const auto socket = keeper::connect_to_keeper(dir());
  ASSERT_TRUE(socket);
  const auto ask = [&](keeper::Message message) {
    EXPECT_TRUE(keeper::send_packet(*socket, message.encode()));
    base::Result<keeper::Packet> packet;
    EXPECT_TRUE(eventually([&] { return (packet = keeper::receive_packet(*socket)).has_value(); }));
    return *keeper::Message::decode(packet->bytes);
  };
  ask(keeper::Message(keeper::Tag::claim, 1));
  keeper::Message message(keeper::Tag::spawn_confined, 2);
  message.add(keeper::Field::id, "t").add(keeper::Field::argv, "/bin/true");
  message.add(keeper::Field::uid, std::uint64_t{kAda});
  EXPECT_EQ(keeper::error_of(ask(message)).code, base::Code::invalid_argument);
}

TEST_F(AccountTest, AKeeperThatIsNotRootRunsNothing) {
  const base::TempDir hers;
  ASSERT_EQ(::chown(hers.path().c_str(), kAda, kAda), 0);
  auto keeper = owner().spawn(confined(
      "keeper", "exec " + kKeeperProgram.string() + " --runtime-dir " + hers.path().string(),
      as_ada()));
  ASSERT_TRUE(keeper) << keeper.error().message();
  auto request = confined("t", "id", as_ada());
  request.confinement.account->uid = kBob;
  {
    const ActingAs ada(kAda);  // Root would have nothing to do with her keeper.
    Client client(hers.path());
    ASSERT_TRUE(eventually([&] { return client.start().has_value(); }));
    const auto refused = client.spawn(request);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("account"), std::string::npos)
        << refused.error().message();
  }
}

TEST_F(AccountTest, TheAccountIsKnownAfterAnUpgradeOfTheKeeper) {
  ASSERT_TRUE(owner().spawn(confined("t", "sleep 1000", as_ada())));
  ASSERT_TRUE(owner().wait(owner().keeper().upgrade({})));
  EXPECT_EQ(owner().attach("t")->info.uid, kAda);
}

// --- limits ---

TEST_F(ConfinementTest, LimitsAreThoseOfEachProcess) {
  const std::string output =
      run("ulimit -Sn; ulimit -Hn; ulimit -v; ulimit -t; ulimit -c; ulimit -Hc; ulimit -u",
          within({.open_files = 77,
                  .address_space = 1024 * 1024 * 1024,
                  .account_processes = 4321,
                  .cpu_seconds = 60,
                  .core_size = 0,
                  .memory = {},
                  .processes = {}}));
  EXPECT_EQ(output, "77\r\n77\r\n1048576\r\n60\r\n0\r\n0\r\n4321\r\n");
}

TEST_F(ConfinementTest, ALimitNeverRaises) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  const std::string most = std::to_string(files.rlim_max) + "\r\n";
  EXPECT_EQ(run("ulimit -Hn", within(&keeper::Limits::open_files, ~std::uint64_t{0})), most);
}

TEST_F(ConfinementTest, CpuTimeIsEnded) {
  auto child =
      owner().spawn(confined("t", "while :; do :; done", within(&keeper::Limits::cpu_seconds, 1)));
  ASSERT_TRUE(child);
  EXPECT_EQ(owner().exit_of("t").status.signal, SIGXCPU);
}

TEST_F(ConfinementTest, MoreAddressSpaceThanAllowedIsNotGiven) {
  const std::string output =
      run("a=$(head -c 300000000 /dev/zero | tr '\\0' x) && echo got it || echo did not",
          within(&keeper::Limits::address_space, 200'000'000));
  EXPECT_EQ(output.find("got it"), std::string::npos) << output;
}

// --- cgroups ---

class CgroupTest : public ConfinementTest {
 protected:
  void SetUp() override {
    if (cgroups().empty()) GTEST_SKIP() << "no cgroup (version 2) is writable here";
    ConfinementTest::SetUp();
  }
  static std::string controllers() {
    std::ifstream file(cgroups() / "cgroup.controllers");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The cgroups that the keeper has made and not removed.
  std::size_t cgroups_left() const {
    const std::string prefix = "holdfast-" + std::to_string(keeper_pid()) + "-";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cgroups()))
      count += entry.path().filename().string().starts_with(prefix) ? 1U : 0U;
    return count;
  }
  // Starts a terminal from which a process has escaped: another session, another parent, nothing of
  // the environment, no descriptor of the terminal.
  std::pair<keeper::AttachedChild, pid_t> with_escapee(const std::string& id,
                                                       const std::string& trap) {
    auto child = owner().spawn(id, {"/bin/bash", "--norc", "-c",
                                    "(env -i setsid bash -c '" + trap +
                                        " echo pid=$BASHPID; exec 0<&- 1>&- 2>&-; "
                                        "while :; do /bin/sleep 0.01; done' &) ; read x"});
    if (!child) throw std::runtime_error(child.error().message());
    const std::string output = output_until(*child, "\n");
    return {std::move(*child), pid_in(output)};
  }
};

TEST_F(CgroupTest, WhoeverLeftTheSessionIsEndedToo) {
  auto [child, escapee] = with_escapee("t", "trap \"\" HUP TERM INT;");
  ASSERT_TRUE(exists(escapee));
  ASSERT_EQ(cgroups_left(), 1U);
  Process bystander({"/bin/sleep", "1000"});
  auto other = owner().spawn("other", {"/bin/cat"});
  ASSERT_TRUE(other);
  ASSERT_TRUE(owner().close("t", milliseconds(100)));
  EXPECT_FALSE(exists(escapee));
  EXPECT_EQ(cgroups_left(), 1U) << "the other terminal's";
  EXPECT_TRUE(bystander.is_running());
  EXPECT_TRUE(exists(other->info.pid));
}

TEST_F(CgroupTest, WhoeverLeftTheSessionIsAskedFirst) {
  const auto said = dir() / "said";
  auto [child, escapee] = with_escapee("t", "trap \"echo bye >" + said.string() + "; exit\" TERM;");
  ASSERT_TRUE(exists(escapee));
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(owner().close("t", seconds(30)));
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(10)) << "it did not need the kill";
  EXPECT_TRUE(std::filesystem::exists(said));
}

TEST_F(CgroupTest, AlsoWhenTheShellHasEndedLongAgo) {
  auto [child, escapee] = with_escapee("t", "trap \"\" HUP TERM;");
  type(child, "\n");
  (void)owner().exit_of("t");
  ASSERT_TRUE(eventually(
      [&] { return !std::filesystem::exists("/proc/" + std::to_string(child.info.pid)); }));
  EXPECT_TRUE(exists(escapee)) << "an exit is not a close";
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_FALSE(exists(escapee));
}

TEST_F(CgroupTest, AlsoAfterAnUpgradeOfTheKeeper) {
  auto [child, escapee] = with_escapee("t", "trap \"\" HUP TERM;");
  ASSERT_TRUE(owner().wait(owner().keeper().upgrade({})));
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_FALSE(exists(escapee));
  EXPECT_EQ(cgroups_left(), 0U);
}

TEST_F(CgroupTest, AForkBombIsEnded) {
  auto child = owner().spawn(
      "t", {"/bin/bash", "--norc", "-c",
            "trap '' HUP TERM; f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; "
            "exec setsid sleep 1000; }; f 6 & echo ready; read x"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  ASSERT_TRUE(owner().close("t", milliseconds(0)));
  EXPECT_EQ(cgroups_left(), 0U);
}

TEST_F(CgroupTest, AProgramThatDoesNotStartLeavesNoCgroup) {
  EXPECT_FALSE(owner().spawn("t", {"/bin/nosuchshell"}));
  EXPECT_EQ(cgroups_left(), 0U);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(owner().spawn("t", {"/bin/cat"}));
    ASSERT_TRUE(owner().close("t"));
  }
  EXPECT_EQ(cgroups_left(), 0U);
}

TEST_F(CgroupTest, ALimitWithoutItsControllerIsRefused) {
  for (const auto& [name, limits] : {std::pair<std::string, keeper::Confinement>{
                                         "memory", within(&keeper::Limits::memory, 1 << 30)},
                                     {"pids", within(&keeper::Limits::processes, 20)}}) {
    if (controllers().find(name) != std::string::npos) continue;
    const auto refused = owner().spawn(confined("t", "true", limits));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::Code::unsupported);
    EXPECT_NE(refused.error().message().find("the " + name + " controller is not available"),
              std::string::npos)
        << refused.error().message();
    EXPECT_EQ(cgroups_left(), 0U);
  }
}

class ControllerTest : public CgroupTest {
 protected:
  void SetUp() override {
    for (const char* name : {"memory", "pids"})
      if (controllers().find(name) == std::string::npos)
        GTEST_SKIP() << "the cgroups here have no controller " << name << ": " << controllers();
    CgroupTest::SetUp();
  }
};

TEST_F(ControllerTest, MemoryAndProcessesOfTheWholeTreeAreLimited) {
  const std::string forks = run("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; echo over",
                                within(&keeper::Limits::processes, 5));
  EXPECT_NE(forks.find("Resource temporarily unavailable"), std::string::npos) << forks;
  const std::string grown = run("(head -c 300000000 /dev/zero | tail) ; echo over",
                                within(&keeper::Limits::memory, 50'000'000));
  EXPECT_NE(grown.find("Killed"), std::string::npos) << grown;
}

// --- without cgroups ---

class NoCgroupTest : public ConfinementTest {
 protected:
  void SetUp() override {
    if (const auto trouble = Accounts::trouble(); !trouble.empty())
      GTEST_SKIP() << "cgroups can be hidden by root alone";
    hide_cgroups();
    ConfinementTest::SetUp();
  }
};

// As docs/security.md says it: the session ends, and who has left it lives on.
TEST_F(NoCgroupTest, TheSessionEndsAndNothingElse) {
  auto child = owner().spawn("t", {"/bin/bash", "--norc", "-c",
                                   "(setsid bash -c 'echo pid=$BASHPID; exec sleep 1000' &); "
                                   "trap '' HUP; sleep 1000 & echo job=$!; wait"});
  ASSERT_TRUE(child);
  std::string output;
  ASSERT_TRUE(eventually([&] {
    output += output_until(*child, "");
    return std::ranges::count(output, '\n') == 2;  // Of both, in whatever order.
  })) << output;
  const pid_t escapee = pid_in(output);
  const pid_t job = std::stoi(output.substr(output.find("job=") + 4));
  ASSERT_TRUE(owner().close("t", milliseconds(50)));
  EXPECT_FALSE(exists(job));
  EXPECT_TRUE(exists(escapee));
  ::kill(escapee, SIGKILL);
}

TEST_F(NoCgroupTest, ALimitThatNeedsOneIsRefused) {
  const auto refused =
      owner().spawn(confined("t", "true", within(&keeper::Limits::memory, 100'000'000)));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("Delegate=yes"), std::string::npos)
      << refused.error().message();
  EXPECT_TRUE(owner().spawn(confined("t", "true", within(&keeper::Limits::open_files, 100))));
}

}  // namespace
}  // namespace e2e
