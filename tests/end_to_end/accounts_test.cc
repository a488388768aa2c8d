// Two accounts of one machine on one daemon: neither sees, signals or reads anything of the
// other's, nor of the daemon's.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <stdexcept>

#include "end_to_end/accounts_fixture.h"
#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class AccountsTest : public ProtocolTest {
 protected:
  void SetUp() override {
    if (const auto trouble = Accounts::trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    ProtocolTest::SetUp();
    ASSERT_EQ(::chmod(dir().c_str(), 0755), 0);
    const auto homes = dir() / "homes";
    std::filesystem::create_directory(homes);
    accounts_.emplace(homes);
  }
  void TearDown() override {
    if (accounts_) ProtocolTest::TearDown();
  }
  void serve_accounts() { serve({"--user-accounts"}, {"DAEMONS_SECRET=x"}); }
  std::filesystem::path home_of(const std::string& name) { return accounts_->home_of(name); }

  // Runs a program as that account, from a shell of the machine and not of the daemon's.
  Process::Outcome run_as(uid_t uid, const std::vector<std::string>& argv) {
    const std::string id = std::to_string(uid);
    std::vector<std::string> all{"/usr/bin/setpriv", "--reuid=" + id, "--regid=" + id,
                                 "--clear-groups"};
    all.insert(all.end(), argv.begin(), argv.end());
    return Process(all, {"HOME=/", "HOLDFAST_RUNTIME_DIR=" + runtime_dir().string(),
                         "HOLDFAST_STATE_DIR=" + (dir() / "none").string()})
        .wait();
  }
  // What a command prints in a terminal, without line ends.
  static std::string said(WebSocketClient& client, const std::string& id,
                          const std::string& command) {
    const std::string output =
        plain(type(client, id, "echo '<<'\"$( " + command + ")\"'>>'", ">>\r\n"));
    const auto begin = output.rfind("<<");
    return output.substr(begin + 2, output.rfind(">>") - begin - 2);
  }

 private:
  std::optional<Accounts> accounts_;
};

TEST_F(AccountsTest, ATerminalIsTheAccountsOwn) {
  serve_accounts();
  const auto ada = compatible(token_of("ada"));
  const json::object made = create(*ada, "a");
  EXPECT_EQ(data_text(made, "shell"), "/bin/bash") << "the account's, not the configured one";
  EXPECT_EQ(said(*ada, "a", "id -un; id -gn; id -Gn; pwd; umask | tr '\\n' ' '"),
            "ada\r\nada\r\nada painters\r\n" + home_of("ada").string() + "\r\n0022 ");
  EXPECT_EQ(said(*ada, "a", "echo $HOME $USER $LOGNAME $SHELL; env | grep -c DAEMONS_SECRET"),
            home_of("ada").string() + " ada ada /bin/bash\r\n0");
  EXPECT_EQ(said(*ada, "a", "env | grep -E '^(HOLDFAST_|SUDO|XDG)' | sort | tr '\\n' ' '"),
            "HOLDFAST_SESSION=main HOLDFAST_TERMINAL=a ");
  EXPECT_EQ(said(*ada, "a", "stat -c '%U %a' $(tty)"), "ada 600");
  EXPECT_TRUE(logged("run as the account with the same name"));
}

TEST_F(AccountsTest, WhoeverHasNoAccountGetsNoTerminal) {
  serve_accounts();
  for (const auto& [user, reason] : {std::pair<const char*, const char*>{"carol", "no account"},
                                     {"root", "is root"},
                                     {"toor", "is root"},
                                     {"daemonic", "is a system account"},
                                     {"nobody", "is a system account"},
                                     {"locked", "does not allow logins"},
                                     {"expired", "has expired"},
                                     {"default", "no account default"}}) {
    const std::string token = user == std::string("default") ? this->token() : token_of(user);
    const auto client = compatible(token);
    const Refusal refusal = refused(*client, create_session("t"));
    EXPECT_NE(refusal.details.find(reason), std::string::npos) << user << ": " << refusal;
    NativePeer peer = native_peer(token);
    EXPECT_EQ(peer.refused("create", {{"terminalId", "t"}}), "permission_denied") << user;
    const json::object ran = peer.ask("run", {{"session", "main"}, {"line", "! id"}});
    EXPECT_NE(data_text(ran, "error").find(reason), std::string::npos) << user;
    EXPECT_TRUE(sessions_of(*client).empty());
  }
}

TEST_F(AccountsTest, NeitherReachesTheOther) {
  serve_accounts();
  const auto ada = compatible(token_of("ada"));
  create(*ada, "adas");
  type(*ada, "adas", "export SECRET=x; echo private > ~/file; sleep 1000 & echo do''ne", "done");
  const std::string shell = std::to_string(number_from(*ada, "adas", "$$"));
  const std::string job = std::to_string(number_from(*ada, "adas", "$!"));
  const std::string tty = said(*ada, "adas", "tty");

  const auto bob = compatible(token_of("bob"));
  create(*bob, "bobs");
  const auto fails = [&](const std::string& command) {
    EXPECT_EQ(said(*bob, "bobs", "(" + command + ") >/dev/null 2>&1 && echo did || echo did not"),
              "did not")
        << command;
  };
  ASSERT_EQ(said(*bob, "bobs", "(kill -0 $$) && echo did"), "did") << "the question makes sense";
  const std::string keeper = std::to_string(keeper_pid());
  const std::string daemon = std::to_string(daemon_pid());
  for (const std::string& pid : {shell, job, keeper, daemon}) {
    fails("kill -0 " + pid);
    for (const char* file : {"environ", "mem", "maps"}) fails("head -c1 /proc/" + pid + "/" + file);
    for (const char* file : {"fd", "map_files"}) fails("ls /proc/" + pid + "/" + file);
    for (const char* file : {"cwd", "exe", "fd/0", "fd/3"})
      fails("readlink /proc/" + pid + "/" + file);
  }
  fails("echo intruder > " + tty);
  fails("head -c1 " + tty);
  const std::string adas = home_of("ada").string();
  fails("ls " + adas);
  fails("cat " + adas + "/file");
  fails("ls " + state_dir().string());
  fails("cat " + (state_dir() / "holdfast.db").string());
  fails("cat " + (state_dir() / "holdfast.db").string());
  fails("ls " + runtime_dir().string());
  fails("touch " + (runtime_dir() / "mine").string());
  fails("cat " + (runtime_dir() / "keeper.log").string());
  fails("cat " + (runtime_dir() / "keeper.lock").string());
  fails(kKeeperProgram.string() + " --status --runtime-dir " + runtime_dir().string());
  fails("env | grep SECRET");
  for (const char* socket : {"keeper.sock", "runner.sock"})
    fails("test -r " + (runtime_dir() / socket).string());
  const auto groups = cgroups();
  if (!groups.empty())
    fails(
        "for g in " + (groups / "holdfast-*").string() +
        "; do echo $$ > $g/cgroup.procs && exit 0; echo 1 > $g/cgroup.kill && exit 0; done; false");

  // Nor by way of the daemon: it enters no directory with its own rights.
  for (const std::string& directory : {adas, adas + "/none", state_dir().string()}) {
    const Refusal refusal =
        refused(*bob, message("create_session", {{"sessionId", "more"}, {"workDir", directory}}));
    EXPECT_NE(refusal.details.find("Permission denied"), std::string::npos) << refusal;
  }
  NativePeer peer = native_peer(token_of("bob"));
  peer.ask("session_create", {{"name", "spy"}, {"workDir", adas}});
  EXPECT_EQ(peer.refused("create", {{"terminalId", "more"}, {"session", "spy"}}),
            "permission_denied");
  EXPECT_EQ(session_ids(*bob), std::vector<std::string>{"bobs"});
  EXPECT_EQ(refused(*bob, reattach("adas")), (Refusal{"session not found", ""}));
  EXPECT_EQ(refused(*bob, input("adas", "id\r")), (Refusal{"session not found", ""}));
  EXPECT_EQ(peer.refused("attach", {{"terminalId", "adas"}}), "not_found");
  EXPECT_EQ(peer.refused("close", {{"terminalId", "adas"}}), "not_found");
  EXPECT_EQ(said(*ada, "adas", "kill -0 " + job + " && cat ~/file"), "private");
}

// A process of the machine is known by the account it runs as, without a token.
TEST_F(AccountsTest, TheLocalSocketTellsWhoComes) {
  serve_accounts();
  const auto ask = [&](uid_t uid, const std::string& line) {
    return run_as(uid, {kDaemonProgram, "run", "main", line});
  };
  const auto ada = ask(kAda, "! id -un; pwd");
  EXPECT_EQ(ada.output, "ada\n" + home_of("ada").string() + "\n");
  EXPECT_EQ(ask(kBob, "! id -un").output, "bob\n");
  EXPECT_NE(ask(kAda, "! cat " + (state_dir() / "holdfast.db").string()).status, 0);
  const auto root = ask(0, "! id -un");
  EXPECT_NE(root.status, 0);
  EXPECT_NE(root.output.find("no account default"), std::string::npos) << root.output;
  for (const uid_t stranger :
       {uid_t{321}, uid_t{54323}, uid_t{54324}, uid_t{65534}, uid_t{60000}}) {
    const auto outcome = ask(stranger, "! id -un");
    EXPECT_NE(outcome.status, 0) << stranger;
    EXPECT_EQ(outcome.output.find("root"), std::string::npos) << outcome.output;
  }
  // A session of the one is none of the other's, whatever its name.
  EXPECT_NE(ask(kAda, "/new workshop").output, "");
  EXPECT_EQ(run_as(kAda, {kDaemonProgram, "run", "workshop", "! id -un"}).output, "ada\n");
  EXPECT_NE(run_as(kBob, {kDaemonProgram, "run", "workshop", "! id -un"}).status, 0);
}

TEST_F(AccountsTest, ExtensionsAreOffAndSaySo) {
  const auto extensions = home() / ".config/holdfast/extensions";
  std::filesystem::create_directories(extensions);
  std::ofstream(extensions / "spy.mjs") << "export default () => {}\n";
  serve_accounts();
  const auto outcome = run_as(kAda, {kDaemonProgram, "run", "main", "/reload"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("extensions are off with user_accounts"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(children_of(keeper_pid()).size(), 0U) << "no runner";
}

TEST_F(AccountsTest, TerminalsOutliveTheDaemonAsTheAccountsTheyAre) {
  serve_accounts();
  const std::string token = token_of("ada");
  auto ada = compatible(token);
  create(*ada, "a");
  kill_daemon();
  serve_accounts();
  ada = compatible(token);
  reattached(*ada, reattach("a"));
  EXPECT_EQ(said(*ada, "a", "id -un"), "ada");
  ada->send(message("close_session", {{"sessionId", "a"}}));
  ada->expect("session_closed");
}

TEST_F(AccountsTest, ADaemonThatIsNotRootRefusesToStart) {
  const auto mine = home_of("ada");
  const auto outcome =
      run_as(kAda, serve_command(mine / "state", mine / "run", {"--user-accounts"}));
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("only root can run programs as other accounts"), std::string::npos)
      << outcome.output;
}

// Whoever had a shell of root's must not keep it when accounts are turned on.
TEST_F(AccountsTest, TerminalsFromBeforeAreRefused) {
  serve();
  EXPECT_TRUE(logged("all users' terminals run as the daemon's own account"));
  const std::string token = token_of("ada");
  const auto ada = compatible(token);
  create(*ada, "a");
  EXPECT_EQ(said(*ada, "a", "id -u"), "0");
  EXPECT_NE(run_as(kAda, {kDaemonProgram, "run", "main", "! id -un"}).status, 0);
  stop_daemon();
  EXPECT_THROW(serve_accounts(), std::runtime_error);
  EXPECT_TRUE(logged("terminal a was started before user_accounts was on"));
  serve();
  const auto again = compatible(token);
  reattached(*again, reattach("a"));
  again->send(message("close_session", {{"sessionId", "a"}}));
  again->expect("session_closed");
  stop_daemon();
  serve_accounts();
}

// --- a daemon that was started in a terminal ---

class DaemonInTerminalTest : public ProtocolTest {
 protected:
  pid_t owner() {
    const auto status =
        Process({kKeeperProgram, "--status", "--json", "--runtime-dir", runtime_dir()}).wait();
    const auto pid = json::parse(status.output).at("daemonPid");
    return pid.is_int64() ? static_cast<pid_t>(pid.as_int64()) : 0;
  }
};

TEST_F(DaemonInTerminalTest, DoesNotEndWithIt) {
  if (cgroups().empty()) GTEST_SKIP() << "no cgroup (version 2) is writable here";
  serve();
  const auto before = compatible();
  create(*before, "t");
  const pid_t old = daemon_pid();
  std::string command = "setsid";
  for (const std::string& word :
       serve_command(state_dir(), runtime_dir(),
                     {"--listen", "127.0.0.1:" + std::to_string(port()), "--takeover"}))
    command += " '" + word + "'";
  before->send(input("t", command + " >/dev/null 2>&1 </dev/null &\r"));
  ASSERT_TRUE(eventually([&] { return owner() != old && owner() != 0; }));
  const pid_t fresh = owner();
  const auto after = compatible(token_of("default"));
  after->send(message("close_session", {{"sessionId", "t"}}));
  after->expect("session_closed");
  EXPECT_TRUE(exists(fresh));
  after->send(message("ping"));
  after->expect("pong");
  ::kill(fresh, SIGKILL);
  EXPECT_TRUE(eventually([&] { return !exists(fresh); }));
}

// --- limits, by the settings ---

class TerminalLimitsTest : public ProtocolTest {};

TEST_F(TerminalLimitsTest, HoldInTerminalsAndForShellCommands) {
  serve({"--terminal-open-files", "99", "--terminal-cpu-time", "1h", "--terminal-address-space",
         "4 GiB"});
  const auto client = compatible();
  create(*client, "t");
  type(*client, "t", "echo $(ulimit -n) $(ulimit -t) $(ulimit -v).", "99 3600 4194304.");
  EXPECT_EQ(run({"run", "main", "! ulimit -n"}).output, "99\n");
}

TEST_F(TerminalLimitsTest, OnesThatCannotBeAreExplained) {
  const auto refusal = [&](const std::vector<std::string>& options) {
    return Process(serve_command(state_dir(), runtime_dir(), options)).wait().output;
  };
  EXPECT_NE(refusal({"--terminal-open-files", "-3"}).find("terminal_open_files cannot be"),
            std::string::npos);
  EXPECT_NE(refusal({"--terminal-memory", "much"}).find("terminal_memory cannot be"),
            std::string::npos);
}

}  // namespace
}  // namespace e2e
