// The command line over the network: `--server`, `login` and `logout`.

#include <sys/stat.h>
#include <sys/wait.h>

#include "end_to_end/attach_fixture.h"
#include "end_to_end/tls_fixture.h"

namespace e2e {
namespace {

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
  // Every command that has --server, on a terminal of its own.
  void use_every_command(const std::vector<std::string>& server, const std::string& token) {
    const auto run = [&](std::vector<std::string> arguments) {
      const auto dashes = std::ranges::find(arguments, "--");
      arguments.insert(dashes, server.begin(), server.end());
      const auto outcome = away(arguments, token);
      EXPECT_EQ(outcome.status, 0) << arguments.front() << ": " << outcome.output;
      return outcome.output;
    };
    run({"new", "--name", "far", "--", "/bin/sh"});
    EXPECT_NE(run({"ls"}).find("far"), std::string::npos);
    EXPECT_NE(run({"sessions", "--json"}).find("main"), std::string::npos);
    run({"send", "far", "--enter", "echo $((6*7))"});
    // A shell that starts late prints its prompt before the answer.
    run({"wait", "far", "--since", "0", "--text", "42$", "--timeout", "20s"});
    EXPECT_NE(run({"capture", "far"}).find("42"), std::string::npos);
    run({"resize", "far", "100", "30"});
    run({"rename", "far", "near"});
    run({"kill", "near"});
    EXPECT_EQ(run({"ls"}).find("near"), std::string::npos);
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
