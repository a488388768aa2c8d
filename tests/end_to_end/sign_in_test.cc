// Users that others vouch for: a platform by its JSON Web Tokens, a proxy by its secret.

#include <sys/wait.h>

#include <fstream>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"
#include "end_to_end/tls_fixture.h"
#include "http/jwt_test_tokens.h"

namespace e2e {
namespace {

const std::string kSecret = "0123456789abcdef0123456789abcdef";

class SignInTest : public ProtocolTest {
 protected:
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  static std::string claims(const std::string& user, double seconds_left = 600,
                            const std::string& audience = "holdfast") {
    return json::serialize(json::object{{"iss", "https://issuer"},
                                        {"aud", audience},
                                        {"sub", user},
                                        {"exp", static_cast<double>(now()) / 1000 + seconds_left}});
  }
  static std::string hs256(const std::string& claims, const std::string& secret = kSecret) {
    return http::make_jwt(R"({"alg":"HS256"})", claims,
                          [&](const std::string& text) { return http::hmac(secret, text); });
  }
  static std::string rs256(const std::string& claims, const http::TestKey& key) {
    return http::make_jwt(R"({"alg":"RS256"})", claims,
                          [&](const std::string& text) { return key.sign(text); });
  }
  void serve_with_keys(const std::string& keys, std::vector<std::string> more = {}) {
    write_private(dir() / "keys", keys);
    more.insert(more.end(), {"--jwt-key-file", dir() / "keys", "--jwt-issuer", "https://issuer",
                             "--jwt-audience", "holdfast", "--failed-sign-in-limit", "1000"});
    serve(more);
  }
};

TEST_F(SignInTest, AUserOfThePlatformIsMadeWhenTheyFirstCome) {
  serve_with_keys(kSecret);
  NativePeer ada(native(hs256(claims("ada"))));
  EXPECT_EQ(data_text(ada.event("welcome"), "user"), "ada");
  ada.ask("create", {{"terminalId", "a1"}});
  NativePeer again = native_peer(hs256(claims("ada")));
  (void)again.attach("a1");
  NativePeer bob = native_peer(hs256(claims("bob")));
  EXPECT_EQ(bob.refused("attach", {{"terminalId", "a1"}}), "not_found");
  EXPECT_EQ(get("/metrics", bearer(token())).status, 200) << "tokens of the daemon's own go on";
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws/multi?token=" + hs256(claims("ada"))), 101);
}

TEST_F(SignInTest, WrongTokensAreRefusedBeforeTheUpgrade) {
  const http::TestKey key = http::TestKey::rsa();
  serve_with_keys(key.public_pem());
  const auto nothing = [](const std::string&) { return std::string(); };
  const std::string good = rs256(claims("ada"), key);
  EXPECT_EQ(get("/metrics", bearer(good)).status, 200);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"expired", rs256(claims("ada", -1), key)},
      {"none", http::make_jwt(R"({"alg":"none"})", claims("ada"), nothing)},
      {"another key", rs256(claims("ada"), http::TestKey::rsa())},
      {"another audience", rs256(claims("ada", 600, "other"), key)},
      {"the public key as a secret", hs256(claims("ada"), key.public_pem())},
      {"a name that cannot be", rs256(claims("../ada"), key)},
      {"no name", rs256(claims(""), key)},
      {"the user of the daemon's own links", rs256(claims("default"), key)},
      {"cut", good.substr(0, good.size() - 2)}};
  for (const auto& [what, token] : wrong) {
    EXPECT_EQ(get("/metrics", bearer(token)).status, 401) << what;
    for (const char* path : {"/terminal/ws/multi", "/terminal/ws", "/ws"})
      EXPECT_EQ(upgrade_status(port(), path, bearer(token), "holdfast.v1"), 401) << what;
    EXPECT_EQ(log().find(token.substr(token.find('.'))), std::string::npos) << what;
  }
  EXPECT_TRUE(logged("the JWT has expired")) << "the log says why";
}

TEST_F(SignInTest, AConnectionEndsWhenItsTokenExpires) {
  serve_with_keys(kSecret);
  const auto client = compatible(hs256(claims("ada", 1)));
  create(*client, "a1");
  const auto staying = compatible(hs256(claims("ada", 600)));
  EXPECT_EQ(client->close_code(), 1008);
  reattached(*staying, reattach("a1"));
  type(*staying, "a1", "echo $((6*7))", "42");
}

TEST_F(SignInTest, AVouchedConnectionHasALifetime) {
  serve_with_keys(kSecret, {"--vouched-connection-lifetime", "1"});
  const auto client = compatible(hs256(claims("ada", 600)));
  create(*client, "a1");
  const auto own = compatible();
  EXPECT_EQ(client->close_code(), 1008) << "though the token goes on";
  EXPECT_TRUE(sessions_of(*own).empty()) << "who has a token of the daemon's own stays";
}

TEST_F(SignInTest, AConnectionEndsWhenItsKeyIsReplaced) {
  serve_with_keys(kSecret);
  const auto client = compatible(hs256(claims("ada", 600)));
  create(*client, "a1");
  write_private(dir() / "keys", "another-secret-of-at-least-32-bytes");
  signal_daemon(SIGHUP);
  EXPECT_EQ(client->close_code(), 1008);
}

TEST_F(SignInTest, AMissingKeyFileIsSaid) {
  const auto outcome =
      run({"serve", "--config", "/dev/null", "--env-file", "/dev/null", "--listen", "127.0.0.1:0",
           "--jwt-key-file", "/nowhere", "--jwt-issuer", "i", "--jwt-audience", "a"});
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1);
  EXPECT_NE(outcome.output.find("read the JWT keys in /nowhere"), std::string::npos)
      << outcome.output;
}

// --- a proxy that knows who its users are

TEST_F(SignInTest, AProxyWithTheSecretNamesTheUser) {
  serve({"--trusted-user-header", "X-Remote-User"}, {"HOLDFAST_PROXY_SECRET=" + kSecret});
  const auto from_proxy = [](const std::string& user, const std::string& secret) {
    return Headers{{"X-Remote-User", user}, {"X-Holdfast-Proxy-Secret", secret}};
  };
  WebSocketClient ada(port(), "/ws", from_proxy("ada", kSecret), "holdfast.v1");
  EXPECT_EQ(data_text(ada.expect("welcome"), "user"), "ada");
  EXPECT_EQ(get("/metrics", from_proxy("ada", kSecret)).status, 200);
  EXPECT_EQ(get("/metrics", {{"X-Remote-User", "ada"}}).status, 401) << "without the secret";
  EXPECT_EQ(get("/metrics", from_proxy("ada", kSecret + "x")).status, 401);
  EXPECT_EQ(get("/metrics", from_proxy("", kSecret)).status, 401);
  EXPECT_EQ(get("/metrics", from_proxy("a/b", kSecret)).status, 401);
  EXPECT_EQ(get("/metrics", from_proxy("default", kSecret)).status, 401);
  EXPECT_EQ(get("/metrics", bearer(token())).status, 200) << "tokens go on";
  EXPECT_EQ(log().find(kSecret), std::string::npos);

  // A client's own field beside the proxy's.
  RawConnection twice(port());
  twice.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) +
             "\r\nX-Remote-User: default\r\nX-Remote-User: ada\r\nX-Holdfast-Proxy-Secret: " +
             kSecret + "\r\n\r\n");
  EXPECT_EQ(twice.status(), 401);
}

TEST_F(SignInTest, WithoutTheSettingTheFieldsMeanNothing) {
  serve();
  EXPECT_EQ(get("/metrics", {{"X-Remote-User", "ada"}, {"X-Holdfast-Proxy-Secret", ""}}).status,
            401);
}

}  // namespace
}  // namespace e2e
