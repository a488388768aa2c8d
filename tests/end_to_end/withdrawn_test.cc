// A connection ends with the credential that opened it, at once: not at the daemon's next ping,
// which is half a minute away here.

#include <signal.h>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/tls_fixture.h"

namespace e2e {
namespace {

class WithdrawnTest : public ProtocolTest {
 protected:
  // The hash of the user's token, as `token list` shows it.
  std::string hash_of(const std::string& user) {
    const auto list = run({"token", "list"}).output;
    const auto line = list.rfind('\n', list.find("\t" + user + "\t"));
    return list.substr(line == std::string::npos ? 0 : line + 1, 12);
  }
};

TEST_F(WithdrawnTest, ARevokedTokenEndsTheConnectionsItOpened) {
  serve();
  const auto client = compatible(token_of("ada"));
  create(*client, "a1");
  const auto bob = compatible(token_of("bob"));
  const auto other = compatible();
  ASSERT_EQ(run({"token", "revoke", hash_of("ada")}).status, 0);
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_TRUE(sessions_of(*bob).empty()) << "others' go on";
  EXPECT_TRUE(sessions_of(*other).empty());
}

TEST_F(WithdrawnTest, AnExpiredTokenEndsWhatItOpened) {
  serve();
  const auto made = run({"token", "new", "--expires", "3s"});
  ASSERT_EQ(made.status, 0) << made.output;
  const std::string token = made.output.substr(0, made.output.size() - 1);
  const auto client = compatible(token);
  create(*client, "a1");
  // It would wait for ten minutes.
  const auto waited = get("/api/v1/terminals/a1/wait?exit=true&timeout=600000", bearer(token));
  EXPECT_EQ(waited.status, 403) << waited.body;
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_EQ(get("/sign-in", bearer(token)).status, 401);
  EXPECT_EQ(session_ids(*compatible()), std::vector<std::string>{"a1"}) << "the terminal stays";
}

TEST_F(WithdrawnTest, AChangedTokenOfTheEnvironmentDoesToo) {
  const std::string first = "the-first-token-of-the-environment";
  const std::string second = "the-second-token-of-the-environment";
  const auto file = dir() / "agent.env";
  write_private(file, "HOLDFAST_TOKEN=" + first + "\n");
  serve({"--env-file", file}, {"HOLDFAST_TOKEN="});
  const auto client = compatible(first);
  create(*client, "a1");
  const auto ada = compatible(token_of("ada"));
  write_private(file, "HOLDFAST_TOKEN=" + second + "\n");
  signal_daemon(SIGHUP);
  EXPECT_EQ(client->close_code(seconds(5)), 1008);
  EXPECT_EQ(get("/metrics", bearer(first)).status, 401);
  EXPECT_EQ(session_ids(*compatible(second)), std::vector<std::string>{"a1"});
  EXPECT_TRUE(sessions_of(*ada).empty());
}

// It used to be valid again at the next start.
TEST_F(WithdrawnTest, RevokingHoldsForEver) {
  serve({}, {"HOLDFAST_TOKEN="});
  const std::string token = token_of("default");
  EXPECT_EQ(get("/metrics", bearer(token)).status, 200);
  ASSERT_EQ(run({"token", "revoke", hash_of("default")}).status, 0);
  for (int start = 0; start < 2; ++start) {
    EXPECT_EQ(get("/metrics", bearer(token)).status, 401);
    kill_daemon();
    serve({}, {"HOLDFAST_TOKEN="});
  }
  EXPECT_EQ(run({"token", "list"}).output, "") << "no start makes one by itself";
}

}  // namespace
}  // namespace e2e
