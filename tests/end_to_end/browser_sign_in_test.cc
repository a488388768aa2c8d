// How a browser signs in, what it gets, and that neither half of it does anything alone.

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"

namespace e2e {
namespace {

const std::vector<std::string> kSockets{"/terminal/ws/multi", "/terminal/ws", "/ws"};

struct SignedIn {
  std::string cookie;  // NAME=VALUE
  std::string secret;
};

class BrowserSignInTest : public ProtocolTest {
 protected:
  [[nodiscard]] std::string origin() const { return "http://127.0.0.1:" + std::to_string(port()); }
  [[nodiscard]] HttpResponse post(const json::object& body, Headers headers = {}) const {
    if (headers.empty()) headers = {{"Origin", origin()}, {"Sec-Fetch-Site", "same-origin"}};
    return http_request(port(), "POST", "/sign-in", headers, json::serialize(body));
  }
  static SignedIn halves(const HttpResponse& answer) {
    const std::string cookie = answer.header("Set-Cookie");
    return {.cookie = cookie.substr(0, cookie.find(';')),
            .secret = string_at(json::parse(answer.body).as_object(), "secret")};
  }
  [[nodiscard]] SignedIn sign_in(const std::string& token) const {
    const auto answer = post({{"token", token}});
    if (answer.status != 200) throw std::runtime_error("sign-in: " + answer.body);
    return halves(answer);
  }
  static Headers with(const SignedIn& signed_in) {
    return {{"Cookie", "other=1; " + signed_in.cookie}, {"X-Holdfast-Secret", signed_in.secret}};
  }
  [[nodiscard]] int upgrade(const std::string& path, const std::string& cookie,
                            const std::string& secret) const {
    std::string offered = path == "/ws" ? "holdfast.v1" : "any";
    if (!secret.empty()) offered += ", holdfast.secret." + secret;
    return upgrade_status(port(), path, {{"Cookie", cookie}}, offered);
  }
  [[nodiscard]] std::unique_ptr<WebSocketClient> connect(const SignedIn& signed_in) const {
    return std::make_unique<WebSocketClient>(port(), "/ws", Headers{{"Cookie", signed_in.cookie}},
                                             "holdfast.v1, holdfast.secret." + signed_in.secret);
  }
  // The code of a link.
  std::string code(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "link");
    const std::string said = run(more).output;
    const std::string begin = origin() + "/#code=";
    EXPECT_TRUE(said.starts_with(begin)) << said;
    return said.substr(begin.size(), said.size() - begin.size() - 1);
  }
};

// --- the two halves

TEST_F(BrowserSignInTest, ATokenBecomesTwoHalvesThatWorkTogether) {
  serve();
  const auto answer = post({{"token", token()}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const std::string cookie = answer.header("Set-Cookie");
  EXPECT_NE(cookie.find("; HttpOnly"), std::string::npos) << cookie;
  EXPECT_NE(cookie.find("; SameSite=Strict"), std::string::npos) << cookie;
  EXPECT_NE(cookie.find("; Max-Age=2592000"), std::string::npos) << cookie;
  EXPECT_EQ((cookie + answer.body).find(token()), std::string::npos) << "the token is in neither";
  const SignedIn browser = halves(answer);
  EXPECT_EQ(get("/", {{"Cookie", browser.cookie}}).status, 200);
  EXPECT_EQ(get("/metrics", with(browser)).status, 200);
  for (const std::string& path : kSockets)
    EXPECT_EQ(upgrade(path, browser.cookie, browser.secret), 101) << path;
}

// A server on another port of the host is sent the cookie, and could use it as it liked.
TEST_F(BrowserSignInTest, TheCookieAloneDoesNothing) {
  serve();
  const SignedIn browser = sign_in(token());
  const SignedIn other = sign_in(token());
  for (const char* path : {"/metrics", "/sign-in", "/sign-ins"})
    EXPECT_EQ(get(path, {{"Cookie", browser.cookie}}).status, 401) << path;
  for (const char* method : {"POST", "DELETE"})
    for (const char* path : {"/sign-out", "/sign-ins"})
      EXPECT_EQ(http_request(port(), method, path, {{"Cookie", browser.cookie}}).status, 401);
  for (const std::string& path : kSockets) {
    EXPECT_EQ(upgrade(path, browser.cookie, ""), 401) << path;
    EXPECT_EQ(upgrade(path, browser.cookie, other.secret), 401) << path;
    EXPECT_EQ(upgrade(path, "", browser.secret), 401) << path;
  }
  EXPECT_EQ(get("/metrics", {{"Authorization", "Bearer " + browser.secret}}).status, 401);
}

TEST_F(BrowserSignInTest, TheHeaderCountsBeforeTheCookie) {
  serve();
  Headers headers = with(sign_in(token()));
  headers.emplace_back("Authorization", "Bearer wrong");
  EXPECT_EQ(get("/metrics", headers).status, 401);
}

TEST_F(BrowserSignInTest, ASignInExpires) {
  serve({"--sign-in-lifetime", "2"});
  const SignedIn browser = sign_in(token());
  const auto client = connect(browser);
  client->expect("welcome");
  EXPECT_EQ(client->close_code(), 1008);
  EXPECT_EQ(get("/metrics", with(browser)).status, 401);
}

TEST_F(BrowserSignInTest, ASignInOutlivesTheDaemon) {
  serve();
  const SignedIn browser = sign_in(token());
  kill_daemon();
  serve();
  EXPECT_EQ(get("/metrics", with(browser)).status, 200);
}

// --- where a sign-in may come from

TEST_F(BrowserSignInTest, OnlyThePageOfTheDaemonSignsIn) {
  serve({"--allowed-origins", "https://dev.example.org"});
  const json::object body{{"token", token()}};
  EXPECT_EQ(post(body, {{"Accept", "*/*"}}).status, 403) << "without an origin";
  EXPECT_EQ(post(body, {{"Origin", "null"}}).status, 403);
  EXPECT_EQ(post(body, {{"Origin", "http://127.0.0.1:1"}}).status, 403) << "another port";
  EXPECT_EQ(post(body, {{"Origin", "https://dev.example.org"}}).status, 403)
      << "one that may connect may not sign in";
  for (const char* site : {"cross-site", "same-site", "none"})
    EXPECT_EQ(post(body, {{"Origin", origin()}, {"Sec-Fetch-Site", site}}).status, 403) << site;
  EXPECT_EQ(post(body, {{"Origin", origin()}}).status, 200);
}

// `/?token=` used to put what it was told into Set-Cookie: a header field of anybody's choice, or
// another user's sign-in.
TEST_F(BrowserSignInTest, NoAddressSetsACookie) {
  serve();
  for (const std::string& value : {token(), token_of("eve"), "x%0d%0aSet-Cookie:%20a=b" + token(),
                                   std::string("x%0d%0a%0d%0a<script>")}) {
    const auto answer = get("/?token=" + value);
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(answer.header("Set-Cookie"), "");
    EXPECT_EQ(answer.header("Location"), "");
    EXPECT_EQ(answer.body.find(value), std::string::npos);
  }
}

TEST_F(BrowserSignInTest, NoAnswerRepeatsWhatItWasTold) {
  serve();
  const std::string evil = "a%0d%0aX-Evil:%201";
  for (const std::string& target : {"/" + evil, "/?code=" + evil, "/sign-ins/" + evil,
                                    "/ws?session=" + evil, "/assets/" + evil}) {
    RawConnection connection(port());
    connection.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) +
                    "\r\nAuthorization: Bearer " + token() +
                    "\r\nUser-Agent: x\r\nConnection: close\r\n\r\n");
    ASSERT_TRUE(connection.is_ended());
    const std::string& answer = connection.receive_until("");
    EXPECT_EQ(answer.substr(0, answer.find("\r\n\r\n")).find("Evil"), std::string::npos) << answer;
  }
}

TEST_F(BrowserSignInTest, WhatIsNoSignInIsRefused) {
  serve({"--failed-sign-in-limit", "1000"});
  const Headers own{{"Origin", origin()}};
  for (const std::string& body :
       {std::string(), std::string("{}"), std::string("[]"), std::string(R"({"token":1})"),
        std::string("{"), R"({"token":")" + token() + R"(","code":"x"})"})
    EXPECT_EQ(http_request(port(), "POST", "/sign-in", own, body).status, 400) << body;
  EXPECT_EQ(post({{"token", "wrong"}}).status, 401);
  EXPECT_EQ(post({{"token", ""}}).status, 401);
  EXPECT_EQ(post({{"code", "wrong"}}).status, 401);
  EXPECT_EQ(post({{"code", token()}}).status, 401) << "a token is no code";
}

TEST_F(BrowserSignInTest, FailedSignInsBarTheAddress) {
  serve({"--failed-sign-in-limit", "3"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(post({{"token", "wrong"}}).status, 401);
  EXPECT_EQ(post({{"token", "wrong"}}).status, 429);
  EXPECT_EQ(post({{"token", token()}}).status, 200);
}

// --- links

TEST_F(BrowserSignInTest, ALinkSignsInOnce) {
  serve();
  const std::string code = this->code();
  const auto first = post({{"code", code}});
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(get("/metrics", with(halves(first))).status, 200);
  EXPECT_EQ(post({{"code", code}}).status, 401);
  EXPECT_EQ(get("/metrics", bearer(code)).status, 401) << "a code is no token";
  kill_daemon();
  serve();
  EXPECT_EQ(post({{"code", code}}).status, 401) << "for ever";
  EXPECT_EQ(log().find(code), std::string::npos);
}

TEST_F(BrowserSignInTest, ALinkForAnother) {
  serve();
  const auto answer = post({{"code", code({"--user", "ada"})}});
  EXPECT_EQ(string_at(json::parse(answer.body).as_object(), "user"), "ada");
}

TEST_F(BrowserSignInTest, OnlyTheUnixSocketGivesLinks) {
  serve();
  EXPECT_EQ(http_request(port(), "POST", "/link", bearer(token())).status, 404);
  EXPECT_EQ(http_request(port(), "POST", "/link").status, 401);
}

// The token of the first start used to be printed into every log, and valid again at the next
// start after it was revoked.
TEST_F(BrowserSignInTest, WithoutATerminalOnlyTheAddressIsPrinted) {
  serve();
  EXPECT_EQ(said(), origin() + "/");
  EXPECT_FALSE(std::filesystem::exists(state_dir() / "token"));
}

TEST_F(BrowserSignInTest, AnOldTokenFileIsRemoved) {
  serve();
  kill_daemon();
  std::ofstream(state_dir() / "token") << token() << "\n";
  serve();
  EXPECT_FALSE(std::filesystem::exists(state_dir() / "token"));
}

TEST_F(BrowserSignInTest, OnATerminalServePrintsALinkThatSignsInOnce) {
  int terminal = -1;
  auto command = serve_command(state_dir(), runtime_dir());
  std::vector<char*> argv;
  for (std::string& each : command) argv.push_back(each.data());
  argv.push_back(nullptr);
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  const base::Fd screen(terminal);
  std::string said;
  std::array<char, 4096> bytes{};
  while (said.find("#code=") == std::string::npos ||
         said.find('\n', said.find("#code=")) == std::string::npos) {
    const ssize_t size = ::read(screen.get(), bytes.data(), bytes.size());
    ASSERT_GT(size, 0) << said;
    said.append(bytes.data(), static_cast<std::size_t>(size));
  }
  const std::size_t begin = said.find("http://127.0.0.1:");
  const int port = std::stoi(said.substr(begin + 17));
  const std::size_t code = said.find("#code=") + 6;
  const json::object body{{"code", said.substr(code, said.find('\r', code) - code)}};
  const Headers own{{"Origin", "http://127.0.0.1:" + std::to_string(port)}};
  EXPECT_EQ(http_request(port, "POST", "/sign-in", own, json::serialize(body)).status, 200) << said;
  EXPECT_EQ(http_request(port, "POST", "/sign-in", own, json::serialize(body)).status, 401);
  ::kill(child, SIGTERM);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

// --- the end of a sign-in

TEST_F(BrowserSignInTest, SigningOutEndsItAndItsConnectionsAtOnce) {
  serve();
  const SignedIn browser = sign_in(token());
  const SignedIn other = sign_in(token());
  const auto client = connect(browser);
  client->expect("welcome");
  const auto staying = connect(other);
  staying->expect("welcome");
  const auto out = http_request(port(), "POST", "/sign-out", with(browser));
  EXPECT_EQ(out.status, 200);
  EXPECT_NE(out.header("Set-Cookie").find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_EQ(get("/metrics", with(browser)).status, 401);
  EXPECT_EQ(get("/metrics", with(other)).status, 200);
  EXPECT_FALSE(staying->is_closed());
}

TEST_F(BrowserSignInTest, SignInsAreListedAndEndedByTheirOwner) {
  serve();
  const SignedIn mine = sign_in(token_of("ada"));
  const SignedIn phone = sign_in(token_of("ada"));
  const SignedIn theirs = sign_in(token_of("bob"));
  const auto list = [&](const SignedIn& signed_in) {
    return json::parse(get("/sign-ins", with(signed_in)).body).as_array();
  };
  const auto of_ada = list(mine);
  ASSERT_EQ(of_ada.size(), 2U);
  EXPECT_EQ(list(theirs).size(), 1U);
  const std::string his = string_at(list(theirs)[0].as_object(), "id");
  EXPECT_EQ(http_request(port(), "DELETE", "/sign-ins/" + his, with(mine)).status, 404)
      << "as one that does not exist";
  const auto client = connect(phone);
  client->expect("welcome");
  EXPECT_EQ(http_request(port(), "DELETE", "/sign-ins", with(mine)).status, 200);
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_EQ(list(mine).size(), 1U) << "the browser that asks stays";
  EXPECT_EQ(get("/metrics", with(theirs)).status, 200);

  // The daemon's own account sees everybody's.
  const std::string said = run({"sign-ins"}).output;
  EXPECT_NE(said.find("\tada\t"), std::string::npos) << said;
  EXPECT_NE(said.find(his), std::string::npos) << said;
  EXPECT_EQ(run({"sign-ins", "end", his}).status, 0);
  EXPECT_EQ(get("/metrics", with(theirs)).status, 401);
  EXPECT_NE(run({"sign-ins", "end", his}).status, 0);
}

TEST_F(BrowserSignInTest, ASignInEndsWithItsToken) {
  serve();
  const std::string token = token_of("ada");
  const SignedIn browser = sign_in(token);
  const auto client = connect(browser);
  client->expect("welcome");
  const std::string listed = run({"token", "list"}).output;
  ASSERT_EQ(run({"token", "revoke", listed.substr(0, 12)}).status, 0) << listed;
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_EQ(get("/metrics", with(browser)).status, 401);
  kill_daemon();
  serve();
  EXPECT_EQ(get("/metrics", with(browser)).status, 401);
  EXPECT_EQ(get("/metrics", bearer(token)).status, 401) << "revoking holds for ever";
}

}  // namespace
}  // namespace e2e
