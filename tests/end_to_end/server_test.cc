// The command line over the network: `--server`, `login` and `logout`.

#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <set>

#include "end_to_end/attach_fixture.h"
#include "end_to_end/commands_manual.h"
#include "end_to_end/tls_fixture.h"

namespace e2e {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ServerTest : public AttachTest {
 protected:
  void serve_tls() {
    const auto made = make_certificate("server");
    write_private(dir() / "c.pem", made.certificate);
    write_private(dir() / "k.pem", made.key);
    start({"--tls-certificate", dir() / "c.pem", "--tls-key", dir() / "k.pem"});
  }
  [[nodiscard]] std::string url(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port());
  }
  // Runs `holdfast ARGUMENTS` on another machine, so to say: it knows nothing of the daemon's.
  Process::Outcome away(std::vector<std::string> arguments, const std::string& token = {},
                        const std::string& input = {}) {
    write_private(dir() / "input", input);
    std::vector<std::string> argv{"/bin/sh", "-c", "exec \"$@\" <" + (dir() / "input").native(),
                                  "sh", kDaemonProgram};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return Process(argv, elsewhere(token)).wait();
  }
  [[nodiscard]] std::vector<std::string> elsewhere(const std::string& token = {}) const {
    std::vector<std::string> env{"HOME=" + (dir() / "away").string(),
                                 "HOLDFAST_STATE_DIR=" + (dir() / "away-state").string(),
                                 "HOLDFAST_RUNTIME_DIR=" + (dir() / "away-run").string(),
                                 "XDG_CONFIG_HOME=" + (dir() / "away-config").string()};
    if (!token.empty()) env.push_back("HOLDFAST_TOKEN=" + token);
    return env;
  }
  void expect_nothing_started() {
    EXPECT_FALSE(std::filesystem::exists(dir() / "away-run"));
    EXPECT_FALSE(std::filesystem::exists(dir() / "away-state"));
  }
  // Has the commands that are run from away, each with --server.
  class Away {
   public:
    Away(ServerTest& test, std::vector<std::string> server, std::string token)
        : test_(test), server_(std::move(server)), token_(std::move(token)) {}

    std::string run(const std::vector<std::string>& arguments, int status = 0) {
      const auto outcome = test_.away(with_server(arguments), token_);
      EXPECT_EQ(WEXITSTATUS(outcome.status), status) << arguments.front() << ": " << outcome.output;
      return outcome.output;
    }
    void expect(const std::vector<std::string>& arguments, std::string_view wanted,
                int status = 0) {
      const std::string output = run(arguments, status);
      EXPECT_NE(output.find(wanted), std::string::npos) << arguments.front() << ": " << output;
    }
    // One that goes on until it is ended: prints that, then is ended. Its standard input stays open.
    void expect_while_running(const std::vector<std::string>& arguments, std::string_view wanted,
                              const std::string& input = {}) {
      const auto file = test_.dir() / "printed";
      const auto pipe = test_.dir() / "pipe";
      std::filesystem::remove(pipe);
      ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
      write_private(test_.dir() / "input", input);
      const std::string script = "exec 3<>" + pipe.native() + "; cat " +
                                 (test_.dir() / "input").native() + " >&3; exec \"$@\" <&3 >" +
                                 file.native();
      std::vector<std::string> argv{"/bin/sh", "-c", script, "sh", kDaemonProgram};
      std::ranges::copy(with_server(arguments), std::back_inserter(argv));
      const Process process(argv, test_.elsewhere(token_));
      EXPECT_TRUE(eventually([&] { return contents(file).find(wanted) != std::string::npos; }))
          << arguments.front() << ": " << contents(file);
    }
    std::unique_ptr<OuterTmux> in_tmux(const std::vector<std::string>& arguments) {
      std::vector<std::string> argv{kDaemonProgram};
      std::ranges::copy(with_server(arguments), std::back_inserter(argv));
      return std::make_unique<OuterTmux>(test_.elsewhere(token_), argv, OuterTmux::Size());
    }
    [[nodiscard]] const std::set<std::string>& used() const { return used_; }

   private:
    std::vector<std::string> with_server(std::vector<std::string> arguments) {
      used_.insert(arguments.front());
      arguments.insert(std::ranges::find(arguments, "--"), server_.begin(), server_.end());
      return arguments;
    }

    ServerTest& test_;
    std::vector<std::string> server_;
    std::string token_;
    std::set<std::string> used_;
  };

  std::set<std::string> commands_with(const std::string& option) {
    std::set<std::string> found;
    for (const auto& [name, section] : sections_of(run({"man", "--markdown"}).output))
      if (section.find(option) != std::string::npos) found.insert(name);
    return found;
  }

  // Every command that has --server, on terminals of its own.
  void use_every_command(const std::vector<std::string>& server, const std::string& token) {
    Away away(*this, server, token);
    use_for_terminals(away);
    use_for_shells(away);
    use_for_all(away);
    EXPECT_EQ(away.used(), commands_with("`--server VALUE`")) << "use each of them here";
  }

 private:
  static void use_for_terminals(Away& away) {
    away.run({"new", "--name", "far", "--", "/bin/sh"});
    away.expect({"ls"}, "far");
    away.expect_while_running({"ls", "--watch"}, "far");
    away.expect({"sessions", "--json"}, "main");
    away.run({"send", "far", "--enter", "echo $((6*7))"});
    // A shell that starts late prints its prompt before the answer.
    away.run({"wait", "far", "--since", "0", "--text", "42$", "--timeout", "20s"});
    away.expect({"capture", "far"}, "42");
    away.expect({"search", "^42$"}, "far");
    away.run({"lease", "far", "--for", "1s"});
    away.run({"resize", "far", "100", "30"});
    away.run({"notify", "--terminal", "far", "done"});
    away.run({"rename", "far", "near"});
    const auto attached = away.in_tmux({"attach", "near", "--read-only"});
    EXPECT_TRUE(attached->shows("42"));
    away.expect({"restore", "near"}, "is alive", 1);
    away.run({"kill", "near"});
    EXPECT_EQ(away.run({"ls"}).find("near"), std::string::npos);
  }
  void use_for_shells(Away& away) {
    away.run({"new", "--name", "shell", "--", "/bin/bash"});
    away.expect({"exec", "shell", "--", "echo $((7*8)); exit_with() { return 3; }; exit_with"},
                "56", 3);
    away.expect({"commands", "shell"}, "exit_with");
    away.run({"send", "shell", "--keys", "C-d"});
    away.run({"wait", "shell", "--exit", "--since", "0", "--timeout", "20s"});
    const std::string cast = dir() / "away.cast";
    std::filesystem::remove(cast);
    away.run({"record", "shell", cast});
    EXPECT_NE(contents(cast).find("exit_with"), std::string::npos);
  }
  static void use_for_all(Away& away) {
    away.expect({"events"}, "terminal_created");
    away.expect_while_running({"events", "--follow"}, "terminal_created");
    away.expect({"resources", "--json"}, "resources");
    away.run({"reload"});
    away.expect({"run", "main", "! echo $((8*9))"}, "72");
    away.expect_while_running({"mcp"}, "terminal_list",
                              R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                              "\n");
  }
};

TEST_F(ServerTest, EveryCommandWorksWithoutTlsOnThisMachine) {
  start();
  use_every_command({"--server", url()}, token());
  expect_nothing_started();
}

TEST_F(ServerTest, EveryCommandWorksOverTls) {
  serve_tls();
  use_every_command({"--server", url("https"), "--ca", dir() / "c.pem"}, token());
  expect_nothing_started();
}

TEST_F(ServerTest, ACertificateThatNobodyVouchesForIsRefused) {
  serve_tls();
  const auto outcome = away({"ls", "--server", url("https")}, token());
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("not trusted"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("--ca"), std::string::npos) << outcome.output;
  const auto misnamed = away(
      {"ls", "--server", "https://localhost:" + std::to_string(port()), "--ca", dir() / "c.pem"},
      token());
  EXPECT_NE(misnamed.status, 0) << "it is the certificate of 127.0.0.1";
  EXPECT_NE(misnamed.output.find("mismatch"), std::string::npos) << misnamed.output;
  const auto other = make_certificate("other");
  write_private(dir() / "other.pem", other.certificate);
  EXPECT_NE(away({"ls", "--server", url("https"), "--ca", dir() / "other.pem"}, token()).status, 0);
}

// Nothing listens there: the refusal comes before anything is sent.
TEST_F(ServerTest, ATokenDoesNotCrossANetworkUnencrypted) {
  const auto outcome = away({"ls", "--server", "http://192.0.2.1:7420"}, "secret");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("unencrypted"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("--plain-http"), std::string::npos) << outcome.output;
}

TEST_F(ServerTest, ATokenComesFromAFileTheEnvironmentOrALogin) {
  start();
  const std::vector<std::string> list{"ls", "--server", url()};
  const auto none = away(list);
  EXPECT_NE(none.status, 0);
  EXPECT_NE(none.output.find("holdfast login " + url()), std::string::npos) << none.output;
  write_private(dir() / "token", token() + "\n");
  EXPECT_EQ(away({"ls", "--server", url(), "--token-file", dir() / "token"}).status, 0);
  EXPECT_EQ(away(list, token()).status, 0);

  const auto wrong = away({"login", url()}, {}, "wrong\n");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.output.find("Wrong or expired credential"), std::string::npos) << wrong.output;
  EXPECT_NE(away(list).status, 0) << "a wrong token is not saved";
  const auto saved = away({"login", url()}, {}, token() + "\n");
  EXPECT_EQ(saved.status, 0) << saved.output;
  EXPECT_EQ(saved.output.find(token()), std::string::npos) << saved.output;
  EXPECT_EQ(away(list).status, 0);
  for (const auto& file : std::filesystem::recursive_directory_iterator(dir() / "away-config"))
    if (file.is_regular_file()) {
      struct stat info{};
      ASSERT_EQ(::stat(file.path().c_str(), &info), 0);
      EXPECT_EQ(info.st_mode & 0777, 0600U) << file.path();
    }
  EXPECT_EQ(away({"logout", url()}).status, 0);
  EXPECT_NE(away(list).status, 0);
  EXPECT_NE(away({"logout", url()}).status, 0) << "there is none any more";
  expect_nothing_started();
}

TEST_F(ServerTest, BadAddressesAndLostServersAreExplained) {
  for (const char* bad : {"", "host", "ftp://host", "http://", "http://host:x", "https://a/b",
                          "https://user@host", "https://[::1"}) {
    const auto outcome = away({"login", bad}, {}, "token\n");
    EXPECT_NE(outcome.status, 0) << bad;
    EXPECT_NE(outcome.output.find("https://HOST"), std::string::npos) << bad << outcome.output;
  }
  const auto outcome = away({"ls", "--server", "http://127.0.0.1:1"}, "token");
  EXPECT_NE(outcome.output.find("cannot connect to http://127.0.0.1:1"), std::string::npos)
      << outcome.output;
  EXPECT_NE(away({"stop", "--all", "--server", "http://127.0.0.1:1"}).status, 0)
      << "what acts on this machine does not take it";
}

TEST_F(ServerTest, AttachGoesOverTheNetworkAndComesBack) {
  serve_tls();
  ASSERT_EQ(run({"new", "--name", "far", "--", "/bin/sh", "-c", "echo ready; exec cat"}).status, 0);
  OuterTmux outer(
      elsewhere(token()),
      {kDaemonProgram, "attach", "far", "--server", url("https"), "--ca", dir() / "c.pem"}, {});
  EXPECT_TRUE(outer.shows("ready"));
  outer.type("typed from afar\r");
  EXPECT_TRUE(outer.shows("typed from afar"));
  kill_daemon();
  start({"--tls-certificate", dir() / "c.pem", "--tls-key", dir() / "k.pem"});
  EXPECT_TRUE(eventually(
      [&] { return run({"ls", "--json"}).output.find(R"("viewers":1)") != std::string::npos; }));
  outer.type("again\r");
  EXPECT_TRUE(outer.shows("again"));
}

// The keeper holds the listening socket of a daemon that is gone, so connections are made and
// nobody answers. That left attach deaf, without a word.
TEST_F(ServerTest, AttachNoticesAServerThatDoesNotAnswer) {
  serve_tls();
  ASSERT_EQ(run({"new", "--name", "far", "--", "/bin/sh", "-c", "echo ready; exec cat"}).status, 0);
  OuterTmux outer(
      elsewhere(token()),
      {kDaemonProgram, "attach", "far", "--server", url("https"), "--ca", dir() / "c.pem"}, {});
  ASSERT_TRUE(outer.shows("ready"));
  kill_daemon();
  ASSERT_TRUE(outer.shows("Not connected"));
  outer.press("C-\\");
  outer.press("C-\\");
  EXPECT_TRUE(outer.ended_with(0));
  EXPECT_EQ(outer.settings_after(), outer.settings_before());
}

}  // namespace
}  // namespace e2e
