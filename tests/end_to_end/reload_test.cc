// SIGHUP and SIGTERM: what changes while the daemon runs, and what goes on when it ends.

#include <signal.h>
#include <sys/wait.h>

#include <fstream>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/tls_fixture.h"
#include "http/jwt_test_tokens.h"

namespace e2e {
namespace {

class ReloadTest : public ProtocolTest {
 protected:
  void serve_with(const std::string& toml, std::vector<std::string> more = {}) {
    write_private(dir() / "c.toml", toml);
    more.insert(more.end(), {"--config", dir() / "c.toml"});
    serve(more);
  }
  // Sends SIGHUP and waits for what the log says about it.
  void reload(const std::string& toml, const std::string& expected) {
    write_private(dir() / "c.toml", toml);
    const auto before = log().size();
    signal_daemon(SIGHUP);
    EXPECT_TRUE(eventually([&] { return log().find(expected, before) != std::string::npos; }))
        << log().substr(before);
  }
  const std::string kDone = "configuration reloaded";
};

TEST_F(ReloadTest, LimitsAndNamesChangeWithoutTouchingATerminal) {
  serve_with("");
  const auto client = compatible();
  create(*client, "a1");
  const pid_t shell = number_from(*client, "a1", "$$");
  const Headers named{{"Host", "dev.example.org"}, {"Authorization", "Bearer " + token()}};
  EXPECT_EQ(get("/metrics", named).status, 421);
  reload(
      "allowed_hosts = [\"dev.example.org\"]\nuser_connection_limit = 1\nuser_terminal_limit = 1\n",
      kDone);
  EXPECT_EQ(get("/metrics", named).status, 200);
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws/multi", bearer(token())), 429);
  EXPECT_EQ(refused(*client, create_session("a2")).error, "too many sessions");
  EXPECT_EQ(number_from(*client, "a1", "$$"), shell) << "on the connection that was there";
  reload("", kDone);
  EXPECT_EQ(get("/metrics", named).status, 421) << "and back";
}

// A limit on messages counts for connections that are open already.
TEST_F(ReloadTest, OpenConnectionsAreWithinTheNewLimits) {
  serve_with("");
  const auto client = compatible();
  (void)until_pong(*client);
  reload("message_rate_limit = 1\nmessage_burst_limit = 5\n", kDone);
  for (int i = 0; i < 10; ++i) client->send(message("ping"));
  EXPECT_EQ(client->close_code(), 1008);
}

TEST_F(ReloadTest, TheOrphansGraceChanges) {
  serve_with("");
  auto client = compatible();
  create(*client, "a1");
  client.reset();
  reload("orphan_grace_period = 0.2\n", kDone);
  EXPECT_TRUE(eventually([&] { return session_ids(*compatible()).empty(); }));
}

TEST_F(ReloadTest, WhatNeedsARestartIsSaidAndNothingElseIsLost) {
  serve_with("");
  reload("output_buffer_size = 8192\nallowed_hosts = [\"a\"]\n", kDone);
  EXPECT_TRUE(logged("setting changed; restart the daemon to apply it setting=output_buffer_size"));
  EXPECT_TRUE(logged("setting changed setting=allowed_hosts value=a"));
}

TEST_F(ReloadTest, AMistakeChangesNothing) {
  serve_with("allowed_hosts = [\"a\"]\n");
  reload("allowed_hosts = [\"b\"]\nnonsense = 1\n",
         "cannot reload the configuration; keeping the old one");
  EXPECT_TRUE(logged((dir() / "c.toml:2: unknown key").string()));
  EXPECT_EQ(get("/health", {{"Host", "a"}}).status, 200);
  EXPECT_EQ(get("/health", {{"Host", "b"}}).status, 421);
}

TEST_F(ReloadTest, NewKeysLetNewTokensInAndOldOnesNoMore) {
  const auto jwt = [](const std::string& secret) {
    return http::make_jwt(R"({"alg":"HS256"})",
                          R"({"iss":"i","aud":"a","sub":"ada","exp":99999999999})",
                          [&](const std::string& text) { return http::hmac(secret, text); });
  };
  const std::string old_secret(32, 'o');
  const std::string new_secret(32, 'n');
  const std::string toml = "jwt_key_file = \"secret\"\njwt_issuer = \"i\"\njwt_audience = \"a\"\n";
  write_private(dir() / "secret", old_secret);
  serve_with(toml);
  EXPECT_EQ(get("/metrics", bearer(jwt(old_secret))).status, 200);
  write_private(dir() / "secret", new_secret);
  EXPECT_EQ(get("/metrics", bearer(jwt(new_secret))).status, 401);
  reload(toml, kDone);
  EXPECT_EQ(get("/metrics", bearer(jwt(new_secret))).status, 200);
  EXPECT_EQ(get("/metrics", bearer(jwt(old_secret))).status, 401);
  write_private(dir() / "secret", "short");
  reload(toml, "cannot reload the configuration; keeping the old one");
  EXPECT_EQ(get("/metrics", bearer(jwt(new_secret))).status, 200);
}

TEST_F(ReloadTest, SigtermLeavesTerminalsRunningAndSaysSo) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const pid_t shell = number_from(*client, "a1", "$$");
  EXPECT_EQ(stop_daemon(), 0);
  EXPECT_TRUE(logged("daemon stopped; the keeper and its terminals keep running terminals=1"));
  EXPECT_EQ(client->close_code(), 1012);
  EXPECT_TRUE(exists(shell));
  serve();
  const auto again = compatible();
  reattached(*again, reattach("a1"));
  EXPECT_EQ(number_from(*again, "a1", "$$"), shell);
}

}  // namespace
}  // namespace e2e
