// Who may come in, and that users see nothing of each other.

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class AccessTest : public ProtocolTest {
 protected:
  [[nodiscard]] int upgrade(const std::string& path, const Headers& headers = {}) {
    return upgrade_status(port(), path, headers, path.starts_with("/ws") ? "holdfast.v1" : "");
  }
  [[nodiscard]] std::filesystem::path socket_path() const { return runtime_dir() / "daemon.sock"; }
};

const std::vector<std::string> kSockets{"/terminal/ws/multi", "/terminal/ws", "/ws"};
const std::vector<std::string> kPages{"/", "/metrics", "/api/v1/terminals", "/nothing/here"};

// --- tokens

TEST_F(AccessTest, NothingButHealthWithoutAToken) {
  serve({"--failed-sign-in-limit", "1000"});
  for (const std::string& path : kPages) {
    EXPECT_EQ(get(path).status, 401) << path;
    EXPECT_EQ(get(path + "?token=" + token()).status, 401)
        << "no page's address signs in: " << path;
    EXPECT_EQ(get(path, bearer("wrong")).status, 401) << path;
    EXPECT_EQ(get(path, {{"Authorization", token()}}).status, 401) << "no scheme: " << path;
  }
  for (const std::string& path : kSockets) {
    EXPECT_EQ(upgrade(path), 401) << path;
    EXPECT_EQ(upgrade(path, bearer("wrong")), 401) << path;
    EXPECT_EQ(upgrade(path + "?token=wrong"), 401) << path;
    EXPECT_EQ(get(path).status, 401) << path;
  }
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_TRUE(children_of(keeper_pid()).empty()) << "nothing was started for them";
}

TEST_F(AccessTest, ATokenWorksInEachPlace) {
  serve();
  EXPECT_EQ(get("/", bearer(token())).status, 200);
  EXPECT_EQ(get("/", {{"Authorization", "bearer " + token()}}).status, 200);
  EXPECT_EQ(get("/metrics", bearer(token())).status, 200);
  for (const std::string& path : kSockets) {
    EXPECT_EQ(upgrade(path, bearer(token())), 101) << path;
    EXPECT_EQ(upgrade(path + "?token=" + token()), 101) << path;
    EXPECT_EQ(get(path, bearer(token())).status, 426) << path;
  }
  EXPECT_EQ(upgrade_status(port(), "/ws", bearer(token())), 400) << "without the subprotocol";
}

TEST_F(AccessTest, TheEnvironmentsTokenIsTheDefaultUsers) {
  const std::string secret = "from-the-environment-and-long-enough";
  serve({}, {"HOLDFAST_TOKEN=" + secret});
  create(*compatible(secret), "a1");
  EXPECT_EQ(session_ids(*compatible(token_of("default"))), std::vector<std::string>{"a1"});
  EXPECT_EQ(get("/metrics", bearer(secret.substr(1))).status, 401);
}

TEST_F(AccessTest, ANewTokenWorksAtOnceAndStandsAlone) {
  serve();
  const auto made = run({"token", "new", "--user", "ada"});
  ASSERT_EQ(made.status, 0);
  const std::string token = made.output.substr(0, made.output.size() - 1);
  EXPECT_EQ(made.output, token + "\n");
  EXPECT_EQ(token.find_first_of(" \n\t"), std::string::npos);
  NativePeer peer(native(token));
  EXPECT_EQ(data_text(peer.event("welcome"), "user"), "ada");
  const auto listed = run({"token", "list"}).output;
  const auto line = listed.substr(0, listed.find("\tada\t"));
  const auto hash = line.substr(line.rfind('\n') + 1, 12);
  EXPECT_EQ(run({"token", "revoke", hash}).status, 0);
  EXPECT_EQ(get("/", bearer(token)).status, 401) << "and a revoked one no more";
}

// --- Host and Origin

TEST_F(AccessTest, AWrongHostIsMisdirected) {
  serve({"--allowed-hosts", "dev.example.org"});
  const std::string with_port = ":" + std::to_string(port());
  const auto status = [&](const std::string& host) {
    Headers headers = bearer(token());
    headers.emplace_back("Host", host);
    return get("/", headers).status;
  };
  for (const std::string& right :
       {"127.0.0.1" + with_port, "localhost" + with_port, "LOCALHOST" + with_port,
        "[::1]" + with_port, std::string("dev.example.org"), "dev.example.org" + with_port,
        std::string("localhost"), std::string("localhost:1"), std::string("[::1]:8101")})
    EXPECT_EQ(status(right), 200) << right;
  for (const std::string& wrong :
       {std::string("evil.example.org"), "evil.example.org" + with_port,
        std::string("localhost.example.org:1"), "127.0.0.1.example.org" + with_port,
        std::string(" "), "x.dev.example.org" + with_port})
    EXPECT_EQ(status(wrong), 421) << wrong;
  Headers headers = bearer(token());
  headers.emplace_back("Host", "evil.example.org");
  for (const std::string& path : kSockets) EXPECT_EQ(upgrade(path, headers), 421) << path;
  EXPECT_EQ(get("/health", {{"Host", "evil.example.org"}}).status, 421);
}

// `ssh -L 8101:localhost:PORT`: the browser knows only the tunnel's port.
TEST_F(AccessTest, ThePageWorksThroughATunnel) {
  serve();
  const std::string host = "localhost:8101";
  Headers headers = bearer(token());
  headers.emplace_back("Host", host);
  headers.emplace_back("Origin", "http://" + host);
  for (const std::string& path : kSockets) EXPECT_EQ(upgrade(path, headers), 101) << path;
  headers.back().second = "http://localhost:" + std::to_string(port());
  for (const std::string& path : kSockets)
    EXPECT_EQ(upgrade(path, headers), 403) << "another port is another page's";
}

TEST_F(AccessTest, APersonGetsARefusalAsAPage) {
  serve();
  const auto ask = [&](const std::string& path, const std::string& accept) {
    return get(path, {{"Host", "evil.example.org"}, {"Accept", accept}});
  };
  const auto page = ask("/", "text/html,*/*;q=0.8");
  EXPECT_EQ(page.status, 421);
  EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("<h1>The daemon does not know this address</h1>"), std::string::npos);
  EXPECT_NE(page.body.find("--allowed-hosts"), std::string::npos);
  EXPECT_EQ(ask("/", "*/*").header("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_EQ(ask("/api/v1/terminals", "text/html").header("Content-Type"),
            "application/problem+json");
  EXPECT_EQ(get("/metrics", {{"Accept", "text/html"}}).status, 401);
  Headers signed_in = bearer(token());
  signed_in.emplace_back("Accept", "text/html");
  const auto missing = get("/nothing", signed_in);
  EXPECT_EQ(missing.status, 404);
  EXPECT_NE(missing.body.find("There is no such page"), std::string::npos);
}

TEST_F(AccessTest, AWrongOriginIsForbidden) {
  serve({"--allowed-origins", "https://dev.example.org,http://other:8080"});
  const std::string own = "127.0.0.1:" + std::to_string(port());
  const auto with_origin = [&](const std::string& origin) {
    Headers headers = bearer(token());
    headers.emplace_back("Origin", origin);
    return headers;
  };
  for (const std::string& path : kSockets) {
    EXPECT_EQ(upgrade(path, bearer(token())), 101) << "a program that sends none";
    for (const std::string& right : {"http://" + own, std::string("https://dev.example.org"),
                                     std::string("http://other:8080")})
      EXPECT_EQ(upgrade(path, with_origin(right)), 101) << right;
    for (const std::string& wrong :
         {std::string("null"), "https://" + own, std::string("http://127.0.0.1"),
          std::string("http://127.0.0.1:1"), "http://localhost:" + std::to_string(port()),
          std::string("http://dev.example.org"), std::string("https://dev.example.org.evil"),
          std::string("http://evil")})
      EXPECT_EQ(upgrade(path, with_origin(wrong)), 403) << wrong;
  }
  EXPECT_EQ(get("/", with_origin("http://evil")).status, 403);
}

// --- the Unix socket

// The status of a request over a Unix socket; 0 if it cannot be reached.
int status_over(const std::filesystem::path& path, const std::string& target) {
  const base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) return 0;
  const std::string request =
      "GET " + target + " HTTP/1.1\r\nHost: anything\r\nConnection: close\r\n\r\n";
  if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return 0;
  std::string answer;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(socket.get(), buffer, sizeof buffer)) > 0;)
    answer.append(buffer, size);
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

TEST_F(AccessTest, TheUnixSocketKnowsItsUserWithoutAToken) {
  serve();
  EXPECT_EQ(status_over(socket_path(), "/metrics"), 200);
  EXPECT_EQ(status_over(socket_path(), "/"), 200);
  struct stat info{};
  ASSERT_EQ(::stat(runtime_dir().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST_F(AccessTest, TheUnixSocketAsksAnotherAccountForAToken) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  serve();
  // The directories keep others out; this looks at what is behind.
  ::chmod(dir().c_str(), 0755);
  ::chmod(runtime_dir().c_str(), 0755);
  ::chmod(socket_path().c_str(), 0777);
  const auto path = socket_path();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) < 0 || ::setgid(65534) < 0 || ::setuid(65534) < 0) ::_exit(2);
    ::_exit(status_over(path, "/metrics") == 401 ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  ::chmod(runtime_dir().c_str(), 0700);
}

// --- health and metrics

TEST_F(AccessTest, HealthCountsWhatThereIs) {
  serve();
  const auto counts = [&] { return json::serialize(health().at("terminals")); };
  EXPECT_EQ(counts(), R"({"active":0,"orphaned":0,"exited":0})");
  EXPECT_EQ(string_at(health(), "status"), "ok");
  const auto first = compatible();
  for (const char* id : {"a1", "a2", "a3"}) create(*first, id);
  const auto second = compatible();
  create(*second, "b1");
  reattached(*second, reattach("a1"));
  EXPECT_EQ(counts(), R"({"active":4,"orphaned":0,"exited":0})");
  EXPECT_EQ(health().at("viewers").as_int64(), 5);
  first->send(input("a3", "exit\r"));
  first->expect("session_closed");
  EXPECT_EQ(counts(), R"({"active":3,"orphaned":0,"exited":1})");
  first->drop();
  EXPECT_TRUE(eventually([&] { return counts() == R"({"active":2,"orphaned":1,"exited":1})"; }))
      << counts();
  kill_daemon();
  serve();
  EXPECT_EQ(counts(), R"({"active":0,"orphaned":3,"exited":1})");
  const auto metrics = get("/metrics", bearer(token()));
  EXPECT_NE(metrics.body.find("holdfast_terminals{state=\"orphaned\"} 3\n"), std::string::npos)
      << metrics.body;
}

// --- secrets

// The keeper used to inherit the daemon's environment with the token in it, and outlives it.
TEST_F(AccessTest, NoSecretIsWhereOthersLook) {
  const std::string secret = "from-the-environment-and-long-enough";
  serve({"--log-level", "debug"}, {"HOLDFAST_TOKEN=" + secret});
  const std::string token = token_of("default");
  const auto wrong = get("/metrics", bearer("almost-" + token));
  EXPECT_EQ(wrong.body.find(token), std::string::npos);
  EXPECT_EQ(upgrade("/ws?token=almost-" + token), 401);
  const auto client = compatible(secret);
  create(*client, "a1");
  const std::string environment = type(*client, "a1", "env; echo en''d", "end\r\n");
  EXPECT_NE(environment.find("HOLDFAST_TERMINAL=a1"), std::string::npos);
  const auto alone = single({}, token);
  alone->send(message("input", {{"data", "env; echo en''d\r"}}));
  const std::string other = output_until(*alone, "end\r\n");
  const pid_t shell = number_from(*client, "a1", "$$");
  for (const std::string& each : {secret, token}) {
    EXPECT_EQ(environment.find(each), std::string::npos);
    EXPECT_EQ(other.find(each), std::string::npos);
    EXPECT_EQ(proc_file(shell, "environ").find(each), std::string::npos);
    EXPECT_EQ(proc_file(keeper_pid(), "environ").find(each), std::string::npos);
    EXPECT_EQ(proc_file(keeper_pid(), "cmdline").find(each), std::string::npos);
    EXPECT_EQ(proc_file(daemon_pid(), "cmdline").find(each), std::string::npos);
    EXPECT_EQ(log().find(each), std::string::npos);
  }
  for (const auto& entry : std::filesystem::directory_iterator(state_dir())) {
    struct stat info{};
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 077, 0U) << entry.path();
  }
}

// --- starting

TEST_F(AccessTest, ASecondDaemonSaysWhoServes) {
  serve();
  const auto outcome =
      run({"serve", "--config", "/dev/null", "--env-file", "/dev/null", "--listen", "127.0.0.1:0"});
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) != 0);
  EXPECT_NE(outcome.output.find(std::to_string(daemon_pid())), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("--takeover"), std::string::npos) << outcome.output;
  EXPECT_EQ(get("/health").status, 200) << "the first one goes on";
}

TEST_F(AccessTest, AnUnknownKeyIsToldWithItsFileAndLine) {
  const auto file = dir() / "config.toml";
  std::ofstream(file) << "# settings\n\norphan_grace = 3\n";
  const auto outcome = run({"serve", "--config", file, "--env-file", "/dev/null"});
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) != 0);
  EXPECT_NE(outcome.output.find(file.string() + ":3:"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("orphan_grace"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace e2e
